"""Decides whether a user's arguments may stand where a specialised body puts them.

Python evaluates a call's receiver, then its arguments as written. An inlined expression must
evaluate each argument exactly once and in that order, unless no one can tell the difference:

* ``constant``: a literal. May be moved, repeated, dropped.
* ``name``: a plain name. Calls in the same expression cannot rebind the local it names.
* ``read``: attribute chains and indexing of names, arithmetic on them. May be dropped, and moved
  so long as it does not pass an effect; attribute chains may be repeated.
* ``effect``: everything else (a call may do anything). Exactly once, in the original order.

A call of the library that is nothing but its value (``torch.cuda.is_available()``, ``torch.device("cpu")``) is a read: `harmless` marks it.

Known unsoundness, as small as it gets: ``x.a`` may be a property with effects; an operator may be
overloaded. Both are treated as reads.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Literal

Effect = Literal["constant", "name", "read", "effect"]

_PURE = (
    ast.Attribute, ast.Subscript, ast.Slice, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Tuple, ast.List,
    ast.Name, ast.Constant, ast.operator, ast.unaryop, ast.cmpop, ast.expr_context, ast.JoinedStr,
    ast.FormattedValue, ast.BoolOp, ast.boolop, ast.Dict, ast.Lambda, ast.arguments, ast.arg, ast.IfExp, ast.Starred, ast.keyword,
)  # fmt: skip
#: The attribute of a call's node that says so.
_HARMLESS = "is_harmless"


def harmless(node: ast.Call) -> None:
    """Note that the call does nothing: only its value counts."""
    setattr(node, _HARMLESS, True)


def effect(node: ast.expr) -> Effect:
    """How freely an argument may be treated."""
    if isinstance(node, ast.Constant):
        return "constant"
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        return "constant"
    if isinstance(node, (ast.Tuple, ast.List)) and all(effect(item) == "constant" for item in node.elts):
        return "constant"
    if isinstance(node, ast.Name):
        return "name"
    if all(isinstance(child, _PURE) or hasattr(child, _HARMLESS) for child in ast.walk(node)):
        return "read"
    return "effect"


def repeatable(node: ast.expr) -> bool:
    """Whether writing the argument twice changes nothing and still reads well."""
    if isinstance(node, ast.Attribute):
        return repeatable(node.value) and not isinstance(node.value, ast.Constant)
    return effect(node) in ("constant", "name") and not isinstance(node, (ast.Tuple, ast.List))


def hazard(arguments: Sequence[tuple[str, ast.expr]], placed: Sequence[str]) -> str | None:
    """Why `placed` (marks in the order the new expression evaluates them) would not be the same; None if it is.

    `arguments`: (mark, user's expression) in the order the call evaluates them.
    """
    by_mark = dict(arguments)
    for mark, node in by_mark.items():
        count = placed.count(mark)
        kind = effect(node)
        if count == 0 and kind == "effect":
            return f"`{ast.unparse(node)}` would not be evaluated"
        if count > 1 and not repeatable(node):
            return f"`{ast.unparse(node)}` would be written {count} times"
    moving = [mark for mark, node in arguments if effect(node) in ("effect", "read")]
    effects = {mark for mark, node in arguments if effect(node) == "effect"}
    rank = {mark: index for index, mark in enumerate(moving)}
    order = [mark for mark in placed if mark in rank]
    for index, first in enumerate(order):
        for second in order[index + 1 :]:
            if rank[first] > rank[second] and (first in effects or second in effects):
                return f"`{ast.unparse(by_mark[first])}` would be evaluated before `{ast.unparse(by_mark[second])}`"
    return None
