"""``f(x.squeeze_())`` where x is read again: ``x = x.squeeze()`` stands before the statement, which takes x.

A change of shape alone has no function that writes into the tensor: MindSpore's keep theirs. Where only this name holds the tensor, what is bound to it
before the statement is what all later reads see.
"""

from __future__ import annotations

import ast

from mindport.convert.aliasing.functional_form import functional
from mindport.convert.aliasing.place import Place, prefix
from mindport.convert.aliasing.synchronise import why_no_room

#: What may leave a part of it out, compute it several times, or bind a name of its own.
_NOT_ONCE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.BoolOp, ast.Compare)


def may_be_bound_before(place: Place) -> bool:
    """Whether the name is all that holds the tensor, and nothing else in the statement reads it or comes between."""
    name, verdict, statement = place.name, place.verdict, place.mutation.statement
    if place.alone or verdict.sync or verdict.names != [name] or len(verdict.others) != 1 or why_no_room(place.context, statement):
        return False
    if any(isinstance(node, ast.Name) and node.id == name and node is not place.chain[-1].target for node in ast.walk(statement)):
        return False
    node: ast.AST | None = place.chain[0].node
    while node is not None and node is not statement:
        if isinstance(node, _NOT_ONCE):
            return False
        node = place.context.parents.get(id(node))
    return node is statement


def bind_before(place: Place) -> str:
    """Plan the statement in front; a sentence where a call of the chain has no form without the underscore."""
    context, node, text = place.context, place.chain[0].node, []
    plain = [functional(context, uses[0]) for uses in place.uses]
    if any(one is None for one in plain):
        return "its shape is changed, too"
    for one, uses in zip(plain, place.uses, strict=True):
        assert one is not None
        context.claimed.add(id(uses[0].node))
        context.plan(uses[0].node, one)

    def take() -> None:
        start, end = context.editing.span(node)
        text.append(context.editing.current(start, end))
        context.editing.replace(start, end, str(place.name))

    def put() -> None:
        indent = context.editing.indent(context.editing.span(place.mutation.statement)[0])
        prefix(place, f"{place.name} = {text[0]}\n{indent}")

    context.plan(node, take, last=True)
    context.plan(place.mutation.statement, put, last=True)
    return ""
