"""Which files draw from NumPy's global stream, or may run in one process with one that does."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import PurePosixPath

from mindport.convert.one_process import together
from mindport.source.file import SourceFile

#: What makes a generator of its own.
_OWN = frozenset(("default_rng", "Generator", "RandomState", "SeedSequence", "PCG64", "MT19937", "Philox", "BitGenerator"))


def drawing(files: Sequence[SourceFile]) -> frozenset[PurePosixPath]:
    """The files of all programs that draw by ``np.random.…``: a loader of data without a tensor draws beside the models of others."""
    return together(files, frozenset(file.relative for file in files if any(_draws(node) for node in file.nodes)))


def _draws(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Attribute(value=ast.Name(id="np" | "numpy"), attr="random"), attr=name):
            return name not in _OWN
        case ast.ImportFrom(module="numpy.random", names=names):
            return any(alias.name not in _OWN for alias in names)
        case ast.ImportFrom(module="numpy", names=names):
            return any(alias.name == "random" for alias in names)
        case ast.Import(names=names):
            return any(alias.name == "numpy.random" and alias.asname for alias in names)
    return False
