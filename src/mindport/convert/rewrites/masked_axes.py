"""``x[mask, :]`` becomes ``x[mask]``, ``x[mask, 1:3]`` becomes ``x[mask][:, 1:3]``.

Behind a mask of several axes MindSpore takes slices and negative numbers by the length of another axis, silently, and
raises for ``None`` and ``...``. Where the dtype of the index is not known, a vendored function looks at it. Assignments
are right; ``x[mask, -1] += v`` reads first, and becomes ``x[mask, -1] = x[mask][:, -1] + v``.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.masks import mask_between, mask_kind, written_out
from mindport.convert.operands import may_be_tensor
from mindport.convert.printing import is_atom
from mindport.convert.rewrites.number_index import KNOWLEDGE, write_decision
from mindport.inference.facts import Use

_SYMBOLS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.BitAnd: "&", ast.BitOr: "|",
    ast.BitXor: "^",
}  # fmt: skip


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan two steps, or the vendored function, for every such index of what may be a tensor."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    for node in context.file.nodes:
        if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple):
            continue
        above = context.parents.get(id(node))
        augmented = above if isinstance(above, ast.AugAssign) and above.target is node and type(above.op) in _SYMBOLS and isinstance(node.value, (ast.Name, ast.Attribute)) else None
        if not isinstance(node.ctx, ast.Load) and augmented is None:
            continue
        if len(node.slice.elts) < 2 or not may_be_tensor(context, node.value):
            continue
        if augmented is None and mask_between(context, node.slice.elts):
            continue  # number_index takes the whole index apart
        first, *rest = node.slice.elts
        kind = mask_kind(context, first)
        if not kind or not all(map(written_out, rest)) or all(_counts_from_the_front(item) for item in rest):
            continue
        taken = [] if all(_whole(item) for item in rest) else rest
        sure = kind == "sure" or not taken
        if augmented is not None:
            context.plan(augmented, lambda n=augmented, r=taken, k=sure: _write_assignment(context, n, r, k), last=True)  # type: ignore[misc]
        elif sure:
            context.plan(node, lambda n=node, r=taken: _write(context, n, r), last=True)  # type: ignore[misc]
        else:
            context.plan(node, lambda n=node: write_decision(context, n), last=True)  # type: ignore[misc]


def _counts_from_the_front(item: ast.expr) -> bool:
    return isinstance(item, ast.Constant) and isinstance(item.value, int)


def _whole(item: ast.expr) -> bool:
    match item:
        case ast.Slice(lower=None, upper=None, step=None):
            return True
        case ast.Constant(value=value):
            return value is ...
    return False


def _write_assignment(context: Context, statement: ast.AugAssign, rest: list[ast.expr], sure: bool) -> None:
    """``x[mask, -1] += v`` with what is read taken apart."""
    editing = context.editing
    start, end = editing.span(statement)
    target = editing.current(*editing.span(statement.target))
    value = editing.current(*editing.span(statement.value))
    assert isinstance(statement.target, ast.Subscript)
    if sure:
        _write(context, statement.target, rest)
    else:
        write_decision(context, statement.target)
    read = editing.current(*editing.span(statement.target))
    plain = is_atom(statement.value) or isinstance(statement.value, ast.Constant)
    editing.replace(start, end, f"{target} = {read} {_SYMBOLS[type(statement.op)]} {value if plain else f'({value})'}")


def _write(context: Context, node: ast.Subscript, rest: list[ast.expr]) -> None:
    assert isinstance(node.slice, ast.Tuple)
    editing = context.editing
    text = f"[{editing.current(*editing.span(node.slice.elts[0]))}]"
    if rest:
        text += f"[:, {', '.join(editing.current(*editing.span(item)) for item in rest)}]"
    editing.replace(editing.bracket(node), editing.span(node)[1], text)

