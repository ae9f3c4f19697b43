"""One place where a tensor is changed: the chain of calls, who else holds the tensor, and the edits that all its forms share."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from mindport.convert.aliasing.given_memory import KNOWLEDGE as GIVEN
from mindport.convert.aliasing.holders import Verdict
from mindport.convert.aliasing.objects import Mutation, path
from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use


@dataclass
class Place:
    """A chain of changes to one tensor; `chain` and `uses` from the last call to the first."""

    context: Context
    mutation: Mutation
    chain: list[Mutation]
    result: str | None
    verdict: Verdict
    uses: list[list[Use]]
    item: ast.expr | None = None  # ``x[0]`` of ``x[0].mul_(2)``: what is stored into again
    unrecorded: bool = False  # whether a gradient may flow through the tensor, past the change

    @property
    def name(self) -> str | None:
        """The name or path of the tensor."""
        return path(self.mutation.target)

    @property
    def alone(self) -> bool:
        """Whether the change is a statement of its own, so that nothing takes up its value."""
        statement = self.mutation.statement
        return isinstance(statement, ast.Expr) and statement.value is self.chain[0].node


def prefix(place: Place, text: str) -> None:
    """Put text before the statement."""
    start, end = place.context.editing.span(place.mutation.statement)
    place.context.editing.replace(start, end, text + place.context.editing.current(start, end))


def leave_detached(place: Place) -> None:
    """Leave ``.data`` and ``.detach()`` out of the text: what is changed is the tensor itself."""
    context, target = place.context, place.mutation.target
    outer = place.chain[-1].target
    while isinstance(outer, ast.Subscript) and outer is not target:
        outer = outer.value
    context.claimed.update(id(node) for node in _between(outer, target))

    def work() -> None:
        text = context.editing.current(*context.editing.span(target))
        if any(isinstance(kind, v.Unknown) for kind in v.options(context.facts.value(target))) and _is_data_stored_into(context, outer):
            text = f"{context.definition(GIVEN, 'data_of')}({text})"
        context.editing.replace(*context.editing.span(outer), text)

    if outer is not target:
        context.plan(outer, work, last=True)


def _is_data_stored_into(context: Context, node: ast.expr) -> bool:
    """``matrix.data[0] = v``: of something unknown it may be an array, or a list, that any object holds under the name."""
    around = context.parents.get(id(node))
    return isinstance(node, ast.Attribute) and isinstance(around, ast.Subscript) and around.value is node and isinstance(around.ctx, ast.Store)


def _between(outer: ast.expr, inner: ast.expr) -> list[ast.expr]:
    """The expressions from `outer` down to `inner`, without it."""
    found: list[ast.expr] = []
    while outer is not inner:
        found.append(outer)
        match outer:
            case ast.Call(func=ast.Attribute(value=value)) | ast.Attribute(value=value) | ast.Subscript(value=value):
                outer = value
            case _:
                break
    return found
