"""``module._modules``, ``._parameters``, ``._buffers``, ``gru._flat_weights``, ``gru._all_weights``: the dictionaries in which torch keeps a module's parts, and ``._forward_hooks``, which no cell has.

A cell keeps them elsewhere, or under MindSpore's names; the vendored functions give torch's view of them. No stub and
no documentation has these names, so they are found by their text, on what may be a module.
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.convert.instances import defines_itself
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Use

NAMES = ("_modules", "_parameters", "_buffers", "_flat_weights", "_flat_weights_names", "_all_weights", "all_weights")
#: Of these, what recurrent layers have: a class that keeps or defines such a name itself means its own.
OF_RECURRENT = frozenset(("_flat_weights", "_flat_weights_names", "_all_weights", "all_weights"))
#: Others that torch keeps and cells have not, under no name.
ABSENT = frozenset((
    "_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks", "_state_dict_hooks", "_load_state_dict_pre_hooks",
    "_non_persistent_buffers_set",
))  # fmt: skip


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the vendored functions."""
    for node in context.file.nodes:
        if isinstance(node, ast.Attribute) and node.attr in NAMES and isinstance(node.ctx, ast.Load) and may_be_module(context, node.value) and not keeps_own(context, node):
            context.plan(node, lambda n=node: _write(context, n))  # type: ignore[misc]
        elif isinstance(node, ast.Attribute) and node.attr in ABSENT and may_be_module(context, node.value) and not _set_by_project(context, node.attr):
            name = f"{MODULE}.{node.attr}"
            context.report("MP101", f"{name}: nn.Cell keeps no such dictionary; keep the handles that registering hooks gives", node, api=name, mark=True)


def _set_by_project(context: Context, name: str) -> bool:
    """Whether a class of the file keeps an attribute of that name itself; ``m._forward_hooks = {}`` of another object takes torch's own hooks away, which stay on a cell."""
    return any(isinstance(n, ast.Attribute) and n.attr == name and isinstance(n.ctx, ast.Store) and isinstance(n.value, ast.Name) and n.value.id == "self" for n in context.file.nodes)


def keeps_own(context: Context, node: ast.Attribute) -> bool:
    """Whether the object's class, one of the project's, has a recurrent layer's name of its own (copies of torch's `RNNBase`), or keeps a list or a module under the name."""
    if not any(defines_itself(option, node.attr) for option in v.options(context.facts.value(node.value))):
        return False
    return node.attr in OF_RECURRENT or all(isinstance(option, (v.Sequence, v.Instance)) for option in v.options(context.facts.value(node)))


def may_be_module(context: Context, node: ast.expr) -> bool:
    """Whether a value is a module, or of no known class; a class of the project that has such an attribute itself is none."""
    if isinstance(node, ast.Name) and node.id in ("self", "cls"):
        scope = context.parents.get(id(node))
        while scope is not None and not isinstance(scope, ast.ClassDef):
            scope = context.parents.get(id(scope))
        return isinstance(scope, ast.ClassDef) and MODULE in context.facts.ancestors.get(scope, ())
    return any(_module(option) for option in v.options(context.facts.value(node)))


def _module(value: v.Value) -> bool:
    if isinstance(value, v.ProjectInstance):
        return MODULE in value.cls.scope.ancestors
    if isinstance(value, v.Instance):
        return value.cls == MODULE or MODULE in torchfacts.ancestors(value.cls)
    return isinstance(value, v.Unknown) and not value.origin


def _write(context: Context, node: ast.Attribute) -> None:
    name = context.vendored_name(context.shared.catalog.find(f"{MODULE}.{node.attr}")[0])
    context.editing.replace(*context.editing.span(node), f"{name}({context.editing.current(*context.editing.span(node.value))})")
