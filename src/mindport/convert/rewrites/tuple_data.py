"""``torch.FloatTensor((1, n))`` becomes ``FloatTensor([1, n])``: a written tuple is data.

So is a tuple under a name (``xs, ys = zip(*batch)``), which becomes ``list(ys)``. `torch.Size` is a size there, and a plain tuple in MindSpore, so what runs cannot tell the two apart. An item of a container that nothing
calls sizes or shapes (``row = self.rows[index]``) is data, too, and becomes a list where it is a tuple.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.scopes import scope_of
from mindport.convert.training.names import own_nodes
from mindport.inference import values as v
from mindport.inference.facts import Use

CLASSES = "mindport.equivalents.legacy_constructors"
_OF_SIZES = ("size", "shape", "dim")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan brackets around tuples that are written as a constructor's only argument."""
    for same_place in uses.values():
        call = same_place[0].node
        if not isinstance(call, ast.Call) or len(call.args) != 1 or not any(e.module.name == CLASSES for e in context.shared.catalog.find(same_place[0].name)):
            continue
        data = call.args[0]
        if isinstance(data, ast.Tuple):
            context.plan(data, lambda t=data: _write(context, t), last=True)  # type: ignore[misc]
        elif _is_tuple(context, data):
            context.plan(data, lambda t=data: _write_list(context, t), last=True)  # type: ignore[misc]
        elif _is_item(context, data):
            context.plan(data, lambda t=data: _write_choice(context, t), last=True)  # type: ignore[misc]


def _is_tuple(context: Context, data: ast.expr) -> bool:
    """Whether a name is known to hold a tuple that is no size, as ``xs, ys = zip(*batch)`` gives; ``(1,) + x.shape`` is left alone."""
    if not isinstance(data, ast.Name) or not all(isinstance(kind, v.Sequence) and kind.type == "tuple" for kind in v.options(context.facts.value(data))):
        return False
    bound = [node for node in own_nodes(scope_of(context, data)) if isinstance(node, ast.Assign) and any(isinstance(n, ast.Name) and n.id == data.id for t in node.targets for n in ast.walk(t))]
    return bool(bound) and not any(isinstance(node.value, ast.BinOp) for node in bound)


def _write_list(context: Context, data: ast.expr) -> None:
    start, end = context.editing.span(data)
    context.editing.replace(start, end, f"list({context.editing.current(start, end)})")


def _is_item(context: Context, data: ast.expr) -> bool:
    """Whether the argument is a name that its function binds to items of containers alone, of which none is known to hold sizes."""
    if not isinstance(data, ast.Name) or not all(isinstance(kind, v.Unknown | v.Sequence) and getattr(kind, "type", "") != "torch.Size" for kind in v.options(context.facts.value(data))):
        return False
    bound = [node for node in own_nodes(scope_of(context, data)) if isinstance(node, ast.Name) and node.id == data.id and isinstance(node.ctx, ast.Store)]
    before = [node for node in bound if node.lineno < data.lineno]
    return bool(before) and all(_from_item(context.parents.get(id(node))) for node in before)


def _from_item(statement: ast.AST | None) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(value=container, slice=place)):
            text = f"{name} {ast.unparse(container)}".lower()
            return not isinstance(place, ast.Slice) and not any(word in text for word in _OF_SIZES)
    return False


def _write_choice(context: Context, data: ast.expr) -> None:
    start, end = context.editing.span(data)
    text = context.editing.current(start, end)
    context.editing.replace(start, end, f"list({text}) if isinstance({text}, tuple) else {text}")


def _write(context: Context, data: ast.Tuple) -> None:
    start, end = context.editing.span(data)
    last = context.editing.span(data.elts[-1])[1] if data.elts else end - 1
    context.editing.replace(start, start + 1, "[")
    alone = context.editing.text[last:end - 1].strip() == ","
    context.editing.replace(last if alone else end - 1, end, "]")
