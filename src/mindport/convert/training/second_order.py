"""Whether a loss holds gradients of its own: then MindSpore has to compile what differentiates it."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.convert.context import Context, Files
from mindport.convert.training.names import FUNCTIONS
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.scopes import FunctionScope
from mindport.source.file import SourceFile

GRAD = "torch.autograd.grad"


def is_gradient_call(facts: Facts, node: ast.AST) -> bool:
    """``torch.autograd.grad(…)``."""
    return isinstance(node, ast.Call) and v.Api(GRAD) in v.options(facts.value(node.func))


def keeps_graph(call: ast.Call) -> bool:
    """Whether the gradient is itself differentiated."""
    return any(k.arg == "create_graph" and not (isinstance(k.value, ast.Constant) and not k.value.value) for k in call.keywords)


def has_second_order(context: Context, nodes: Iterable[ast.AST]) -> bool:
    """Whether the statements, or what they call in the project, take gradients that are differentiated again.

    A call that is not resolved counts by its name: missing one would give wrong numbers silently.
    """
    names = context.once(_taking_second)
    if not names:
        return False
    return _holds(context.facts, nodes, names, frozenset())


def _taking_second(project: Files) -> frozenset[str]:
    return frozenset().union(*(_functions(file, facts) for file, facts in project))


def _functions(file: SourceFile, facts: Facts) -> frozenset[str]:
    """Names of functions, and classes of methods, that take gradients of this kind."""
    found: set[str] = set()
    for scope in file.nodes:
        if isinstance(scope, (*FUNCTIONS, ast.ClassDef)) and any(is_gradient_call(facts, n) and keeps_graph(n) for n in ast.walk(scope)):  # type: ignore[arg-type]
            found.add(getattr(scope, "name", "<lambda>"))
    if any(is_gradient_call(facts, n) and keeps_graph(n) for n in file.nodes):  # type: ignore[arg-type]
        found.add("<here>")
    return frozenset(found)


def _holds(facts: Facts, nodes: Iterable[ast.AST], names: frozenset[str], seen: frozenset[int]) -> bool:
    for node in nodes:
        for part in ast.walk(node):
            if not isinstance(part, ast.Call):
                continue
            if is_gradient_call(facts, part) and keeps_graph(part):
                return True
            func = part.func
            called = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
            if called in names:
                return True
            for option in v.options(facts.value(func)):
                for scope in _bodies(option):
                    if id(scope.node) not in seen:
                        body = scope.node.body if isinstance(scope.node.body, list) else [scope.node.body]
                        if _holds(scope.module.facts, body, names, seen | {id(scope.node)}):
                            return True
    return False


def _bodies(value: v.Value) -> list[FunctionScope]:
    """The project functions that a call of the value runs."""
    match value:
        case v.Bound(function=v.ProjectFunction(scope=scope)) | v.ProjectFunction(scope=scope):
            return [scope]
        case v.ProjectInstance(cls=cls):
            return [c.methods[name] for c in cls.scope.mro for name in ("forward", "__call__") if name in c.methods]
    return []
