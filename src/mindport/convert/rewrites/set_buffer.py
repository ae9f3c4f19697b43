"""``setattr(self, f"mean_{i}", value)``: a tensor whose computed name may be a buffer's; MindSpore's cell raises where such a name is assigned.

It becomes ``assign_buffer(self, f"mean_{i}", value)``, which asks the module when the program runs.
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context, Files
from mindport.convert.rewrites.buffer_class import REGISTER
from mindport.convert.rewrites.replaced_buffer import ASSIGN, KNOWLEDGE, registered_names
from mindport.convert.rewrites.set_module import may_set_module
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the function for every such call."""
    for node in context.file.nodes:
        match node:
            case ast.Call(func=ast.Name(id="setattr") as called, args=[owner, name, value], keywords=[]):
                if _may_name_buffer(context, name) and _may_be_module(context, owner) and _may_be_tensor(context, value) and not may_set_module(context, node):
                    context.plan(called, lambda c=called: context.editing.replace(*context.editing.span(c), context.definition(KNOWLEDGE, ASSIGN)))  # type: ignore[misc]


def _may_name_buffer(context: Context, name: ast.expr) -> bool:
    if isinstance(name, ast.Constant):
        return name.value in context.once(registered_names)
    return context.once(_registers_by_computed_names)


def _registers_by_computed_names(files: Files) -> bool:
    """Whether the project registers buffers whose names it computes."""
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == REGISTER and node.args and not isinstance(node.args[0], ast.Constant)
        for file, _ in files
        for node in file.nodes
    )


def _may_be_module(context: Context, owner: ast.expr) -> bool:
    return any(
        isinstance(o, v.Unknown) or isinstance(o, v.ProjectInstance) and MODULE in o.cls.scope.ancestors or isinstance(o, v.Instance) and MODULE in (o.cls, *torchfacts.ancestors(o.cls))
        for o in v.options(context.facts.value(owner))
    )


def _may_be_tensor(context: Context, value: ast.expr) -> bool:
    return any(isinstance(o, v.TensorValue) and not o.parameter for o in v.options(context.facts.value(value)))
