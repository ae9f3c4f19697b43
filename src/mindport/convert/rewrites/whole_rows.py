"""``e[0, :, :] = h`` is written ``e[0] = h``: the gradient of h has e's axes in MindSpore 2.10 where whole axes stand behind a number, and its backward pass raises."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the removal of whole axes behind a number, in places of tensors that are assigned to."""
    for statement in context.file.nodes:
        if not isinstance(statement, ast.Assign) or _is_literal(statement.value):  # no gradient goes to a number
            continue
        for target in statement.targets:
            match target:
                case ast.Subscript(value=held, slice=ast.Tuple(elts=[first, *rest])) if rest and all(map(_is_whole, rest)):
                    known = v.options(context.facts.value(held))
                    if _is_number(context, first) and known and all(isinstance(kind, v.TensorValue) for kind in known):
                        context.plan(target.slice, lambda t=target.slice, f=first: _shorten(context, t, f))  # type: ignore[misc]


def _is_literal(node: ast.expr) -> bool:
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def _is_whole(part: ast.expr) -> bool:
    return isinstance(part, ast.Slice) and part.lower is part.upper is part.step is None or isinstance(part, ast.Constant) and part.value is ...


def _is_number(context: Context, part: ast.expr) -> bool:
    if isinstance(part, ast.Constant):
        return type(part.value) is int
    known = v.options(context.facts.value(part))
    return bool(known) and all(isinstance(kind, v.Const) and type(kind.value) is int for kind in known)


def _shorten(context: Context, whole: ast.Tuple, first: ast.expr) -> None:
    editing = context.editing
    editing.replace(*editing.span(whole), editing.current(*editing.span(first)))
