"""Whether a loss holds gradients of its own: then MindSpore has to compile what differentiates it."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.convert.context import Context, Files
from mindport.convert.training.names import FUNCTIONS, own_nodes
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.scopes import FunctionScope
from mindport.source.called import last_name
from mindport.source.file import SourceFile

GRAD = "torch.autograd.grad"
OF_ALL = "torch.autograd.backward"

#: Derivatives of functions, which can be differentiated again. Under `vmap`, which MindSpore compiles, they are right as they are.
DERIVATIVES = frozenset(
    [f"torch.func.{name}" for name in ("grad", "grad_and_value", "vjp", "jvp", "jacrev", "jacfwd", "hessian")]
    + [f"torch.autograd.functional.{name}" for name in ("jacobian", "hessian", "vjp", "jvp", "hvp", "vhp")]
)
BATCHED = frozenset(("torch.func.vmap", "torch.vmap"))


def is_gradient_call(facts: Facts, node: ast.AST) -> bool:
    """``torch.autograd.grad(…)``."""
    return isinstance(node, ast.Call) and v.Api(GRAD) in v.options(facts.value(node.func))


def differentiable(facts: Facts, part: ast.AST, batched: frozenset[int]) -> bool:
    """Whether a call takes derivatives that may be differentiated again; `batched`: the calls that vmap is given."""
    if not isinstance(part, ast.Call) or id(part) in batched:
        return False
    if is_gradient_call(facts, part):
        return keeps_graph(part)
    return any(isinstance(option, v.Api) and option.name in DERIVATIVES for option in v.options(facts.value(part.func)))


def given_to_vmap(facts: Facts, nodes: Iterable[ast.AST]) -> frozenset[int]:
    """The calls inside of what vmap is given."""
    found: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Call) and any(isinstance(o, v.Api) and o.name in BATCHED for o in v.options(facts.value(node.func))):
            found |= {id(part) for argument in node.args for part in ast.walk(argument) if isinstance(part, ast.Call)}
    return frozenset(found)


def given_to_gradient(call: ast.Call) -> dict[str, ast.expr]:
    """The arguments of ``torch.autograd.grad(…)`` by their names."""
    given = dict(zip(("outputs", "inputs", "grad_outputs", "retain_graph", "create_graph", "only_inputs", "allow_unused", "is_grads_batched"), call.args, strict=False))
    return given | {k.arg: k.value for k in call.keywords if k.arg}


def inputs_of(call: ast.Call) -> list[ast.expr]:
    """What ``torch.autograd.grad(…)`` differentiates by, each for itself where a list or tuple is written out."""
    inputs = given_to_gradient(call).get("inputs")
    return inputs.elts if isinstance(inputs, ast.List | ast.Tuple) else [inputs] if inputs is not None else []


def keeps_graph(call: ast.Call) -> bool:
    """Whether the gradient may itself be differentiated."""
    kept = given_to_gradient(call).get("create_graph")
    return kept is not None and not (isinstance(kept, ast.Constant) and not kept.value)


def kept_if(call: ast.Call) -> ast.expr | None:
    """What decides while the program runs whether the gradient is differentiated; None where the text does."""
    kept = given_to_gradient(call).get("create_graph")
    return None if kept is None or isinstance(kept, ast.Constant) else kept


def compiles_steps(context: Context) -> bool:
    """Whether steps of the project are compiled because gradients are differentiated somewhere in it."""
    return bool(context.once(_taking_second))


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
    batched = given_to_vmap(facts, file.nodes)
    if not any(differentiable(facts, n, batched) for n in file.nodes):
        return frozenset()
    found = {"<here>"}
    for scope in file.nodes:
        if isinstance(scope, (*FUNCTIONS, ast.ClassDef)) and any(differentiable(facts, n, batched) for n in ast.walk(scope)):
            found.add(getattr(scope, "name", "<lambda>"))
    return frozenset(found)


def _holds(facts: Facts, nodes: Iterable[ast.AST], names: frozenset[str], seen: frozenset[int]) -> bool:
    for node in nodes:
        parts = list(ast.walk(node))
        batched = given_to_vmap(facts, parts)
        for part in parts:
            if not isinstance(part, ast.Call):
                continue
            if differentiable(facts, part, batched):
                return True
            func = part.func
            called = last_name(func)
            if called in names:
                return True
            for option in v.options(facts.value(func)):
                for scope in bodies(option):
                    if id(scope.node) not in seen and _holds(scope.module.facts, body_of(scope), names, seen | {id(scope.node)}):
                        return True
    return False


def called_in(facts: Facts, node: ast.AST) -> list[FunctionScope]:
    """The project functions that the calls of a node run."""
    calls = [n for n in [node, *own_nodes(node)] if isinstance(n, ast.Call)]
    return [scope for call in calls for kind in v.options(facts.value(call.func)) for scope in bodies(kind)]


def bodies(value: v.Value) -> list[FunctionScope]:
    """The project functions that a call of the value runs."""
    match value:
        case v.Bound(function=v.ProjectFunction(scope=scope)) | v.ProjectFunction(scope=scope):
            return [scope]
        case v.ProjectInstance(cls=cls):
            return [c.methods[name] for c in cls.scope.mro for name in ("forward", "__call__") if name in c.methods]
    return []


def body_of(scope: FunctionScope) -> list[ast.AST]:
    """A function's statements, a lambda's expression."""
    body = scope.node.body
    return [*body] if isinstance(body, list) else [body]
