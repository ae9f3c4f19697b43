"""``self(x)`` in a module's method, where steps are compiled: a graph calls other cells, and of its own one only methods."""

from __future__ import annotations

import ast

from mindport.convert.context import Context, Files
from mindport.convert.own_modes import module_classes
from mindport.convert.training.second_order import compiles_steps
from mindport.inference.facts import Use
from mindport.inference.overlays.callbacks import HOOKS


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``self.construct(x)``."""
    if not compiles_steps(context) or context.once(_has_hooks):
        return
    for cls in module_classes(context.facts):
        for method in cls.body:
            if isinstance(method, ast.FunctionDef) and method.args.args and not method.decorator_list:
                owner = method.args.args[0].arg
                for node in ast.walk(method):
                    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == owner:
                        context.plan(node.func, lambda f=node.func: context.editing.replace(*context.editing.span(f), f"{f.id}.construct"))  # type: ignore[misc]


def _has_hooks(project: Files) -> bool:
    """Whether a call may run more than the forward pass: then it stays."""
    return any(isinstance(node, ast.Attribute) and node.attr in HOOKS for file, _ in project for node in file.nodes)
