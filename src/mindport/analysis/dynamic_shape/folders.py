"""Files of the folder that a sample of a data set has: as many as there are, another number for each sample."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape.abstract import Abstract, Level, Origin
from mindport.analysis.dynamic_shape.polynomials import definitions
from mindport.inference import values as v
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame

#: Python's functions that list a folder, or what matches a pattern; methods of a path that do.
_LISTING = frozenset(("os.listdir", "os.scandir", "glob.glob", "glob.iglob"))
_OF_PATHS = frozenset(("iterdir", "glob", "rglob"))


def listed(frame: Frame, node: ast.Call, receiver: Abstract | None) -> Abstract | None:
    """The files in a folder that an item's place chooses: ``os.listdir(self.folders[i])``; None for any other call, and outside of data sets."""
    if not frame.routine.yields_batches or not isinstance(node.func, ast.Attribute):
        return None
    function = any(isinstance(o, v.Api) and o.name in _LISTING for o in v.options(frame.fact(node.func)))
    folder = node.args[0] if function and node.args else node.func.value if not function and node.func.attr in _OF_PATHS and receiver is not None and not receiver.tensor else None
    if folder is None or not _of_the_sample(frame, folder):
        return None
    origin = Origin(frame.routine.file, node)
    return Abstract(Level.DATA, element=Abstract(Level.DATA, text=True), length=Level.DATA, origin=origin, added=None)


def _of_the_sample(frame: Frame, folder: ast.expr) -> bool:
    """Whether a path is made of something that the item's place chooses: ``os.path.join(self.root, self.names[i])``."""
    from mindport.analysis.dynamic_shape.expressions import evaluate

    known = definitions(frame.routine.node)
    whole = known.get(folder.id, folder) if isinstance(folder, ast.Name) else folder
    parts = [n for n in walk(whole) if isinstance(n, (ast.Subscript, ast.Name))]
    return any(value.level >= Level.RANDOM and not value.tensor for value in (evaluate(frame, part) for part in parts))
