"""Modules that decide about their own mode: which ``train`` methods of a project become `set_train`, and whether ``.set_train()`` may follow a construction.

torch's `train` asks each child's own `train`, and no construction calls it. So ``def train(self, mode=True)`` that keeps batch normalisation
frozen, and a part that is in evaluation when something holds it (`evaluated_parts`), hold until somebody calls `train` on the model.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mindport.inference.facts import Facts
from mindport.inference.members import MODULE
from mindport.source.file import SourceFile

TRAIN = "train"

Files = Iterable[tuple[SourceFile, Facts]]


def own_modes(files: Files) -> frozenset[int]:
    """`train` methods of the project's module classes, by id(node): all of them set a mode, as torch's does, or none is told."""
    methods = [part for _, facts in files for cls in module_classes(facts) for part in cls.body if isinstance(part, ast.FunctionDef) and part.name == TRAIN]
    return frozenset(map(id, methods)) if all(map(_sets_mode, methods)) else frozenset()


def module_classes(facts: Facts) -> Iterator[ast.ClassDef]:
    """The class statements of a file that derive from torch's Module, and those that others join with one (``class Net(Frozen, nn.Module)``)."""
    yield from (cls for cls, above in facts.ancestors.items() if MODULE in above)
    yield from (cls for cls, joined in facts.mixed_into.items() if MODULE in joined and MODULE not in facts.ancestors.get(cls, ()))


def _sets_mode(method: ast.FunctionDef) -> bool:
    """Whether it can be called with a mode alone, and with nothing: ``def train(self, mode=True)``."""
    rest = method.args.args[1:]
    return len(rest) >= 1 and len(method.args.defaults) >= len(rest) and all(default is not None for default in method.args.kw_defaults)
