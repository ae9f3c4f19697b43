"""Which files make tensors of uint8, or may run in one process with one that does: they index by them as by masks."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import PurePosixPath

from mindport.convert.one_process import together
from mindport.source.file import SourceFile


def beside_bytes(files: Sequence[SourceFile]) -> frozenset[PurePosixPath]:
    """The files of all programs that name PyTorch's tensors of uint8."""
    naming = frozenset(file.relative for file in files if any(_names_bytes(node) for node in file.nodes))
    return together(files, naming)


def _names_bytes(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="byte"), args=[], keywords=[]):
            return True
        case ast.Attribute(attr="ByteTensor") | ast.Name(id="ByteTensor"):
            return True
        case ast.Attribute(value=ast.Name(id="torch" | "th"), attr="uint8"):
            return True
    return False
