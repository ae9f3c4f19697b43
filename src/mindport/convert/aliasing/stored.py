"""``x.view(-1).add_(y)``: a change of a view that has no name is stored back into the tensor as a whole."""

from __future__ import annotations

import ast

from mindport.convert.aliasing.functional_form import functional
from mindport.convert.aliasing.numbered_views import index_text, is_indexed
from mindport.convert.aliasing.objects import Mutation, path
from mindport.convert.aliasing.place import Place, leave_detached, prefix
from mindport.convert.context import Context
from mindport.inference.overlays import storage


def is_reshaped(node: ast.expr) -> bool:
    """Whether it is a method of a name or path, as ``x.view(-1)``: where that gives another shape of the tensor, it can be stored back."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and path(node.func.value) is not None


def is_whole_statement(mutation: Mutation) -> bool:
    """Whether a statement of the text is nothing but the call that changes the tensor; what a lambda gives back is none."""
    statement = mutation.statement
    return isinstance(statement, ast.Expr) and statement.value is mutation.node and getattr(statement, "end_lineno", None) is not None


def is_given_back(mutation: Mutation) -> bool:
    """Whether a statement stores the changed part where it was taken from: ``x[:, 0] = x[:, 0].clamp_(0, 1)``."""
    match mutation.statement:
        case ast.Assign(targets=[ast.Subscript() as taker], value=value):
            return mutation.kind == "method" and value is mutation.node and ast.unparse(taker) == ast.unparse(mutation.target)
    return False


def receiver(item: ast.expr) -> ast.expr:
    """The tensor whose method gives the view."""
    assert isinstance(item, ast.Call)
    assert isinstance(item.func, ast.Attribute)
    return item.func.value


def store_whole(context: Context, statement: ast.stmt, owner: str) -> None:
    """``x.view(-1) + y`` → ``x[()] = (x.view(-1) + y).reshape(x.shape)``."""
    start, end = context.editing.span(statement)
    text = context.editing.current(start, end)
    if isinstance(ast.parse(text.strip(), mode="eval").body, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp)):
        text = f"({text})"
    context.editing.replace(start, end, f"{owner}[()] = {text}.reshape({owner}.shape)")


def store_item(place: Place, item: ast.expr) -> str:
    """``x[0].mul_(2)`` → ``x[0] = x[0] * 2``: stored into x in every mode; ``x.view(-1).add_(y)`` as a whole; ``x.select(0, i).mul_(2)`` by the index;
    ``x[0].copy_(y)`` → ``x[0] = y``."""
    context = place.context
    if any(len(uses) != 1 for uses in place.uses):
        return "what is called shows only at run time"
    given = _given_value(place, item)
    works = [functional(context, uses[0]) for uses in place.uses] if given is None else []
    for uses, work in zip(place.uses, works, strict=False):
        if work is not None:
            context.claimed.add(id(uses[0].node))
            context.plan(uses[0].node, work)
    copied = bool(works) and works[-1] is None  # the first call's function writes into what it gets, and no tensor is stored into itself
    value = item.value if isinstance(item, ast.Subscript) else receiver(item)
    if any(id(node) in place.context.claimed for node in ast.walk(item)):
        return "its index is rewritten itself"
    if place.mutation.detached:
        leave_detached(place)
    if is_indexed(item) or given is not None:
        context.claimed.update((id(item), id(place.uses[0][0].node)) if given is not None else (id(item),))
    owner: list[str] = []  # the tensor as it is named in the end: an Embedding's weight has another name
    index: list[str] = []  # with its brackets, or what takes a view's place

    def read() -> None:
        owner.append(context.editing.current(*context.editing.span(value)))
        start, end = context.editing.span(item)
        if is_indexed(item):
            index.append(f"[{index_text(context, item)}]")
            context.editing.replace(start, end, owner[0] + index[0])
        elif isinstance(item, ast.Subscript):
            index.append(f"[{context.editing.current(*context.editing.span(item.slice))}]")
        if copied:
            context.editing.replace(start, end, context.editing.current(start, end) + ".copy()")

    def store() -> None:
        if not index:
            store_whole(context, place.mutation.statement, owner[0])
        elif given is not None:
            new = given if isinstance(given, str) else context.editing.current(*context.editing.span(given))
            context.editing.replace(*context.editing.span(place.mutation.statement), f"{owner[0]}{index[0]} = {new}")
        else:
            prefix(place, f"{owner[0]}{index[0]} = ")

    context.plan(item, read, last=True)
    if not is_given_back(place.chain[0]):
        context.plan(place.mutation.statement, store, last=True)
    return ""


def _given_value(place: Place, item: ast.expr) -> ast.expr | str | None:
    """What a call that keeps nothing of the old values stores, as an item of x can be given it: of ``copy_``, ``fill_``, ``zero_``."""
    call = place.chain[0].node
    is_item = isinstance(item, ast.Subscript) or is_indexed(item)
    if len(place.chain) > 1 or not is_item or is_given_back(place.chain[0]) or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    stored = storage.STORING.get(call.func.attr)
    if stored is None or stored == "0":
        return stored if not call.args and not call.keywords else None
    given = [*call.args[:1], *(k.value for k in call.keywords if k.arg == stored)]
    others = [*call.args[1:], *(k.value for k in call.keywords if k.arg != stored)]
    plain = len(given) == 1 and not isinstance(given[0], ast.Starred) and all(isinstance(one, ast.Constant) for one in others)
    return given[0] if plain else None
