"""``conv.bias = nn.Parameter(…)``: a parameter that takes another's place keeps its name.

MindSpore names a parameter once, when its cell joins a parent; a new one assigned later would be called
``bias`` in every cell, and parameters of equal names overwrite each other in checkpoints and optimizers.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.context import Context
from mindport.convert.rewrites.assigned_bias import gives_bias
from mindport.convert.scopes import scope_of
from mindport.forms import IN_PLACE_OF
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Use

#: What makes a parameter, by the last part of its torch name.
PARAMETER = "torch.nn.Parameter"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``name=conv.bias.name`` for parameters assigned to the attribute of another object."""
    for same_place in uses.values():
        use = same_place[0]
        parent = context.parents.get(id(use.node))
        if use.kind != "call" or use.name != PARAMETER or not isinstance(parent, ast.Assign) or len(parent.targets) != 1:
            continue
        target = parent.targets[0]
        if not isinstance(target, ast.Attribute) or (isinstance(target.value, ast.Name) and _is_own(context, target.value)):
            continue
        if any(isinstance(o, v.TensorValue) and o.parameter for o in v.options(context.facts.value(target))) and not _is_new(context, target):
            if context.shared.catalog.find(use.name + IN_PLACE_OF):
                same_place[0] = replace(use, name=use.name + IN_PLACE_OF)
            if gives_bias(context, target, parent.value):
                continue  # which names it
            context.plan(use.node, lambda n=use.node, t=target: _name(context, n, t), last=True)  # type: ignore[misc]


def _is_new(context: Context, target: ast.Attribute) -> bool:
    """Whether no object there has such a parameter before: ``layer.lora_A = nn.Parameter(…)`` of PyTorch's own layers."""
    kinds = v.options(context.facts.value(target.value))
    return bool(kinds) and all(isinstance(kind, v.Instance) and torchfacts.member(kind.cls, target.attr) is None for kind in kinds)


def _may_be_none(context: Context, target: ast.Attribute) -> bool:
    """Whether nothing may stand there, which has no name: ``self.register_parameter("shift", None)``."""
    if any(isinstance(o, v.Const) and o.value is None for o in v.options(context.facts.value(target))):
        return True
    owners = [k for k in v.options(context.facts.value(target.value)) if isinstance(k, v.ProjectInstance)]
    return any(_registers_none(node, target.attr) for kind in owners for cls in kind.cls.scope.mro for node in ast.walk(cls.node))


def _registers_none(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="register_parameter"), args=[ast.Constant(value=registered), ast.Constant(value=None)]):
            return bool(registered == name)
    return False


def _is_own(context: Context, name: ast.Name) -> bool:
    """Whether a name is what a method's own object is called: ``self``, or whatever stands first among its parameters."""
    scope = scope_of(context, name)
    method = scope if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)) and isinstance(context.parents.get(id(scope)), ast.ClassDef) else None
    first = [*method.args.posonlyargs, *method.args.args][:1] if method is not None else []
    return name.id in ("self", "cls", *(argument.arg for argument in first))


def _name(context: Context, call: ast.expr, target: ast.Attribute) -> None:
    start, end = context.editing.span(call)
    text = context.editing.current(start, end)
    owner = context.editing.current(*context.editing.span(target))
    name = f'getattr({owner}, "name", "{target.attr}")' if _may_be_none(context, target) else f"{owner}.name"
    context.editing.replace(start, end, f"{text[:-1].rstrip().rstrip(',')}, name={name})")
