"""``self.kept = [a.weight, b.weight]``, ``self.kept += list(layer.parameters())``: MindSpore's cells look at the names in such a list, and raise where two are alike.

Parameters of a module's own parts (``list(self.net.parameters())``) have names of their own by then, and so have those that are made in the list.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.context import MODULE, Context
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE, SETTING = "mindport.layers.parameter_lists", "LISTS_OF_PARAMETERS"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Ask for the setting where a module gets a list of parameters from elsewhere."""
    if KNOWLEDGE in context.shared.catalog.modules and any(_keeps_list(context, node) for node in context.file.nodes):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)


def _keeps_list(context: Context, node: ast.AST) -> bool:
    if not isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) or node.value is None:
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    if not any(isinstance(target, ast.Attribute) and _is_module(context, target.value) for target in targets):
        return False
    return _is_list(context.facts.value(node.value)) and any(root != "self" for root in _roots(context, node.value))


def _is_module(context: Context, node: ast.expr) -> bool:
    return any(isinstance(option, v.ProjectInstance) and MODULE in option.cls.scope.ancestors for option in v.options(context.facts.value(node)))


def _is_list(value: v.Value) -> bool:
    return any(isinstance(option, v.Sequence) and option.type in ("list", "tuple") and _of_parameters(option) for option in v.options(value))


def _of_parameters(value: v.Sequence) -> bool:
    return any(isinstance(option, v.TensorValue) and option.parameter for one in (value.items or (value.element,)) for option in v.options(one))


def _roots(context: Context, value: ast.expr) -> Iterator[str]:
    """The names at which expressions begin that give the list its parameters: ``net`` of ``net.parameters()``."""
    run = {name.id: part.iter for part in ast.walk(value) if isinstance(part, ast.comprehension) for name in ast.walk(part.target) if isinstance(name, ast.Name)}
    for part in (part for part in ast.walk(value) if isinstance(part, ast.expr)):
        given = part.func if isinstance(part, ast.Call) else part
        if not isinstance(given, ast.Attribute | ast.Name) or isinstance(context.facts.value(given), v.Api) or isinstance(part, ast.Call) and isinstance(given, ast.Name):
            continue
        if any(isinstance(option, v.Sequence) and _of_parameters(option) or isinstance(option, v.TensorValue) and option.parameter for option in v.options(context.facts.value(part))):
            yield _root(given, run)


def _root(node: ast.expr, run: dict[str, ast.expr]) -> str:
    """The name at which an expression begins; of a comprehension's own name, that of what it runs through."""
    for _ in range(len(run) + 1):
        while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
            node = node.func if isinstance(node, ast.Call) else node.value
        if not isinstance(node, ast.Name) or node.id not in run:
            break
        node = run[node.id]
    return node.id if isinstance(node, ast.Name) else ""
