"""``x.view(-1)[0] = v``, ``x.t()[1] *= 2``: an item of a view that has no name.

MindSpore's view shares memory where nothing is recorded; where a gradient is, an item stored into the view is lost without an error
(measured with 2.10.0, PyNative). So the view gets a name, and is stored back into the tensor as a whole:
``view = x.view(-1)``, ``view[0] = v``, ``x[()] = view.reshape(x.shape)``, which holds in every mode.
"""

from __future__ import annotations

import ast

from mindport.convert.aliasing.holders import Back
from mindport.convert.aliasing.objects import Mutation
from mindport.convert.aliasing.stored import is_reshaped, receiver
from mindport.convert.aliasing.synchronise import back, why_no_room
from mindport.convert.context import Context
from mindport.convert.scopes import scope_of
from mindport.convert.training.writing import fresh_name

_WHOLE = frozenset(("reshape", "swap"))


def is_stored_into(mutation: Mutation) -> bool:
    """Whether a statement does nothing but store into the item."""
    statement = mutation.statement
    return isinstance(statement, ast.Assign) and statement.targets == [mutation.node] or isinstance(statement, ast.AugAssign) and statement.target is mutation.node


def view_of_item(mutation: Mutation) -> ast.Call | None:
    """The view that a statement stores an item into, where it is the whole of a named tensor in another shape."""
    view = mutation.target
    if mutation.kind != "item" or not is_reshaped(view) or not is_stored_into(mutation):
        return None
    assert isinstance(view, ast.Call)
    plain = all(one.relation in _WHOLE and one.base is not None and one.base.base is None for one in mutation.objects)
    return view if plain and mutation.objects else None


def write_item(context: Context, mutation: Mutation, view: ast.Call) -> str:
    """Plan the three statements; a sentence where there is no room for them."""
    statement = mutation.statement
    if problem := why_no_room(context, statement):
        return problem
    scope = scope_of(context, statement)
    if id(scope) not in context.view_names:
        context.view_names[id(scope)] = fresh_name(context, scope, "view")
    name = context.view_names[id(scope)]
    relation = next(iter(mutation.objects)).relation
    owner: list[str] = []  # as it is named in the end, before the call around it is converted

    def work() -> None:
        editing = context.editing
        made = editing.current(*editing.span(view))
        editing.replace(*editing.span(view), name)
        start, end = editing.span(statement)
        indent = editing.indent(start)
        stored = back(context, Back(owner[0], name, view, relation))
        editing.replace(start, end, f"{name} = {made}\n{indent}{editing.current(start, end)}\n{indent}{stored}")

    tensor = receiver(view)
    context.plan(tensor, lambda: owner.append(context.editing.current(*context.editing.span(tensor))), last=True)
    context.plan(statement, work, last=True)
    return ""
