"""Questions after a library's type (``isinstance(size, torch.Size)``), which a plain type stands for in the conversion."""

from __future__ import annotations

import ast

from mindport.catalog import Entry
from mindport.convert.context import Context
from mindport.inference.facts import Use


def beside_plain(context: Context, use: Use, entry: Entry) -> bool:
    """Whether a check asks for the plain type as well: ``isinstance(device, (str, torch.device))`` has one answer on both sides."""
    if use.kind != "check" or not isinstance(entry.expression, ast.Name):
        return False
    several: ast.AST | None = use.node
    while isinstance(outer := context.parents.get(id(several)), (ast.Tuple, ast.BinOp)):
        several = outer
    return any(isinstance(part, ast.Name) and part.id == entry.expression.id for part in ast.walk(several)) if several is not None else False
