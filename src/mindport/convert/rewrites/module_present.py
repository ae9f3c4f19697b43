"""``if torch is not None:`` after ``try: import torch`` / ``except ImportError: torch = None``: the library is there, and the question has one answer."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import torchfacts
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan True or False for comparisons of a module with None, and True for a module that is a condition."""
    for same_place in uses.values():
        use = same_place[0]
        if use.kind != "value" or len(same_place) > 1 or not _is_module(use.name):
            continue
        above = context.parents.get(id(use.node))
        match above:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq() as op], comparators=[ast.Constant(value=None)]) if left is use.node:
                _plan(context, use, above, str(isinstance(op, (ast.IsNot, ast.NotEq))))
            case ast.If(test=test) | ast.IfExp(test=test) | ast.Assert(test=test) | ast.UnaryOp(op=ast.Not(), operand=test) if test is use.node:
                _plan(context, use, use.node, "True")
            case ast.BoolOp():
                _plan(context, use, use.node, "True")


def _is_module(name: str) -> bool:
    known = torchfacts.lookup(name)
    return name == "torch" or known is not None and known.kind == "module"


def _plan(context: Context, use: Use, node: ast.expr, answer: str) -> None:
    context.claimed |= {id(use.node), id(node)}

    def work() -> None:
        text = context.file.segment(node)
        context.editing.replace(*context.editing.span(node), answer)
        context.record(use, "rewritten", text, answer)

    context.plan(node, work, last=True)
