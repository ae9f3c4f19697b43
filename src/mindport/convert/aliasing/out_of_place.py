"""The functional form of an in-place equivalent.

In ``equivalents/inplace*.py`` an in-place function is ``return overwrite(self, value)``; what it writes, without the
copies that protect old values, is what the function without the underscore computes.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import replace

from mindport.catalog import Entry

#: The functions of ``equivalents/inplace.py`` that write into the tensor.
OVERWRITE = ("overwrite", "overwrite_computed")


def out_of_place(entry: Entry) -> Entry | None:
    """The entry as a function that leaves its argument alone; None where its body has another form."""
    if not isinstance(entry.node, ast.FunctionDef) or entry.random:
        return None
    function = copy.deepcopy(entry.node)
    first = function.args.args[0].arg if function.args.args else ""
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    for node in returns:
        match node.value:
            case ast.Call(func=ast.Name(id=name), args=[ast.Name(id=target), written]) if name in OVERWRITE and target == first:
                if not _makes_new(written):
                    return None
                node.value = _WithoutCopies(first).visit(written)
            case _:
                return None
    return replace(entry, node=function) if returns else None


def _makes_new(written: ast.expr) -> bool:
    """Whether what is written is a new tensor in every case: broadcasting may give its operand itself."""
    return not (isinstance(written, ast.Call) and isinstance(written.func, ast.Attribute) and written.func.attr == "broadcast_to")


class _WithoutCopies(ast.NodeTransformer):
    def __init__(self, first: str) -> None:
        self.first = first

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """``self.copy()`` → ``self``."""
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="copy"), args=[]) if name == self.first:
                return node.func.value  # type: ignore[attr-defined, no-any-return]
        return node
