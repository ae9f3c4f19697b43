"""``torch.stack([self.emb.weight, h])``, of a parameter and what is none: ``ops.stack(values_of([self.emb.weight, h]))``.

MindSpore's operator takes either parameters or tensors, and raises at both ("All input must have the same data type").
Only where a member of the list may be a parameter, or is a leaf that becomes one, and not all that are written out are known to be. What
``ops.stop_gradient`` gives of a parameter (`p.data`) is of either kind for the operator, by what was computed of it before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.convert.context import Context
from mindport.convert.scopes import scope_of
from mindport.convert.training.leaves import leaves
from mindport.convert.training.names import key
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.stacked_parameters"
VALUES = "values_of"
_STACKING = frozenset(("torch.stack",))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the values in place of the parameters of every such list."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    for same_place in uses.values():
        for use in same_place:
            if use.name in _STACKING and use.kind == "call" and isinstance(use.node, ast.Call) and use.node.args and _are_mixed(context, use.node.args[0]):
                context.plan(use.node.args[0], lambda n=use.node.args[0]: _write(context, n), last=True)  # type: ignore[misc]


def _are_mixed(context: Context, joined: ast.expr) -> bool:
    if isinstance(joined, (ast.List, ast.Tuple)):
        become = {leaf.name for leaf in leaves(scope_of(context, joined), context.named)}
        named = [key(item) in become for item in joined.elts]
        return any(_is_cut_off(context, item) for item in joined.elts) or any(named) and not all(named) or _may_be_mixed([context.facts.value(item) for item in joined.elts])
    if isinstance(joined, ast.ListComp) and _is_cut_off(context, joined.elt):
        return True
    filled = _filled_with(context, key(joined)) + _filled_below(context, joined)
    if any(_may_be_parameter(context, item) or _is_cut_off(context, item) for item in filled):
        return True  # what is added later may be anything: inference joins it to one tensor
    lists = [option for option in v.options(context.facts.value(joined)) if isinstance(option, v.Sequence)]
    return any(_may_be_mixed(one.items if one.items is not None else (one.element,)) for one in lists)


def _filled_with(context: Context, name: str | None) -> list[ast.expr]:
    """What the file's lists of that name are written with, and what is appended to them."""
    found: list[ast.expr] = []
    for node in context.file.nodes if name is not None else ():
        match node:
            case ast.Assign(targets=[target], value=ast.List(elts=items)) if key(target) == name:
                found += items
            case ast.Call(func=ast.Attribute(value=owner, attr="append"), args=[item]) if key(owner) == name:
                found.append(item)
    return found


def _filled_below(context: Context, joined: ast.expr) -> list[ast.expr]:
    """What is appended to the lists that a dictionary holds, for one of them (``found[p.shape]["data"].append(p.data)``, ``found[i]["data"]``)."""
    root = _root(joined) if isinstance(joined, ast.Subscript) else None
    return [
        node.args[0]
        for node in context.file.nodes
        if root is not None and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append" and node.args and _root(node.func.value) == root
    ]


def _root(node: ast.expr) -> str | None:
    """The name of the dictionary that an element's expression begins with."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _is_cut_off(context: Context, item: ast.expr) -> bool:
    """``p.data``, ``p.detach()`` of what may be a parameter."""
    match item:
        case ast.Attribute(value=owner, attr="data") | ast.Call(func=ast.Attribute(value=owner, attr="detach"), args=[]):
            return _may_be_parameter(context, owner)
    return False


def _may_be_parameter(context: Context, item: ast.expr) -> bool:
    return any(map(_is_parameter, v.options(context.facts.value(item))))


def _may_be_mixed(members: Iterable[v.Value]) -> bool:
    parameters = [_is_parameter(option) for member in members for option in v.options(member)]
    return any(parameters) and not all(parameters)


def _is_parameter(value: v.Value) -> bool:
    return isinstance(value, v.TensorValue) and value.parameter


def _write(context: Context, joined: ast.expr) -> None:
    context.editing.wrap(joined, context.definition(KNOWLEDGE, VALUES))
