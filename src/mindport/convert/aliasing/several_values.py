"""``a.data, b.data = b.data, a.data``: both tensors take values, once all of them are there.

In torch the tensors change memory with each other; here each keeps its own, and the numbers change places:
``for taker, given in ((a, b.copy()), (b, a.copy())): copy_(taker, given)``. The whole right side is made first, as Python does.
"""

from __future__ import annotations

import ast

from mindport.convert.aliasing.synchronise import why_no_room
from mindport.convert.context import Context
from mindport.convert.scopes import scope_of
from mindport.convert.training.writing import fresh_name

_REFUSED = "other targets are assigned with it"


def write_several(context: Context, statement: ast.Assign) -> str:
    """Plan it, once, where all targets are a tensor's values and as many values stand beside them; else why not."""
    target = statement.targets[0]
    match target, statement.value:
        case ast.Tuple(elts=takers) | ast.List(elts=takers), ast.Tuple(elts=values) | ast.List(elts=values) if len(takers) == len(values):
            if not all(isinstance(taker, ast.Attribute) and taker.attr == "data" for taker in takers):
                return _REFUSED
        case _:
            return _REFUSED
    if id(statement) in context.going or any(isinstance(part, ast.Starred) for part in (*takers, *values)):
        return _REFUSED
    if why := why_no_room(context, statement):
        return why
    if id(target) not in context.claimed:
        context.claimed.add(id(target))
        context.claimed.update(id(taker) for taker in takers)
        context.plan(statement, lambda: _write(context, statement, takers, values), last=True)
    return ""


def _write(context: Context, statement: ast.Assign, takers: list[ast.expr], values: list[ast.expr]) -> None:
    copy, clone = (context.vendored_name(context.shared.catalog.find(f"torch.Tensor.{name}")[0]) for name in ("copy_", "clone"))
    pairs = []
    for taker, value in zip(takers, values, strict=True):
        assert isinstance(taker, ast.Attribute)
        owner, given = (context.editing.current(*context.editing.span(part)) for part in (taker.value, value))
        pairs.append(f"({owner}, {clone}({given}))")
    start, end = context.editing.span(statement)
    scope = scope_of(context, statement)
    taken, given = fresh_name(context, scope, "taker"), fresh_name(context, scope, "given")
    text = f"for {taken}, {given} in ({', '.join(pairs)}):\n{context.editing.indent(start)}    {copy}({taken}, {given})"
    context.editing.replace(start, end, text)
