"""Derivatives of functions by dictionaries or lists of tensors (``grad(loss)(params, x)``) inside of what is differentiated: meta learning without an optimizer.

A graph that holds one takes the dictionary apart, so a step with one goes back through the tape, and each such derivative is an operation
(the form `OF_ROWS`). One that nothing differentiates is taken as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mindport.convert.context import Context, Files
from mindport.convert.training.second_order import DERIVATIVES, bodies, body_of
from mindport.convert.training.tape import available
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.scopes import FunctionScope
from mindport.source.called import last_name

#: What has the form.
GRADIENTS = ("torch.func.grad", "torch.func.grad_and_value")
#: What differentiates a function that it is handed forwards.
FORWARDS = "torch.func.jvp"
#: What calls a module with a dictionary of tensors, by its last name.
CALLING = "functional_call"


def are_inside(context: Context) -> bool:
    """Whether the project takes such derivatives inside of what it differentiates, and MindSpore has a tape for them."""
    return available(context.shared.target.version) and context.once(_nested)


def first_inside(context: Context, nodes: Iterable[ast.AST]) -> ast.AST | None:
    """The first of them in the statements, or in what these call in the project."""
    if not are_inside(context):
        return None
    return next((call for facts, call in _calls(context.facts, nodes, set()) if _by_row(facts, call)), None)


def is_product(facts: Facts, node: ast.AST) -> bool:
    """Whether a call multiplies the second derivatives by a dictionary: ``jvp(grad(f), (params,), (v,))``."""
    if not (isinstance(node, ast.Call) and v.Api(FORWARDS) in v.options(facts.value(node.func)) and len(node.args) > 1):
        return False
    made = [option for option in v.options(facts.value(node.args[0])) if isinstance(option, v.Transformed) and option.transform in GRADIENTS]
    parts = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else []
    kinds = [kind for part in parts for kind in v.options(facts.value(part))]
    return any(isinstance(kind, v.Mapping) or (isinstance(kind, v.Unknown) and _calls_module(each.function)) for kind in kinds for each in made)


def _nested(project: Files) -> bool:
    if any(is_product(facts, node) for file, facts in project for node in file.nodes):
        return True
    if not any(_by_row(facts, node) for file, facts in project for node in file.nodes):
        return False
    return any(_goes_back(node) or _takes_two(facts, node) for file, facts in project for node in file.nodes)


def _by_row(facts: Facts, node: ast.AST) -> bool:
    """Whether a call takes a derivative of a function of a dictionary, or by a list or tuple, or by something unknown with which a module is called."""
    if not isinstance(node, ast.Call):
        return False
    return any(_takes_row(facts, node, made) for made in v.options(facts.value(node.func)) if isinstance(made, v.Transformed))


def _takes_row(facts: Facts, call: ast.Call, made: v.Transformed) -> bool:
    if made.transform not in GRADIENTS:  # ``vmap(grad(f))(params, x)``
        return any(_takes_row(facts, call, inner) for inner in v.options(made.function) if isinstance(inner, v.Transformed))
    if any(isinstance(kind, v.Mapping) for given in call.args for kind in v.options(facts.value(given))):
        return True
    if not (isinstance(made.numbers, v.Const) and isinstance(made.numbers.value, int) and -len(call.args) <= made.numbers.value < len(call.args)):
        return False
    kinds = v.options(facts.value(call.args[made.numbers.value]))
    return any(isinstance(kind, v.Sequence) or (isinstance(kind, v.Unknown) and _calls_module(made.function)) for kind in kinds)


def _calls_module(function: v.Value) -> bool:
    """Whether a function's text calls a module with a dictionary."""
    scopes = [scope for option in v.options(function) for scope in bodies(option)]
    return any(last_name(call.func) == CALLING for scope in scopes for _, call in _calls(scope.module.facts, body_of(scope), {id(scope.node)}))


def _goes_back(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "backward"


def _takes_two(facts: Facts, node: ast.AST) -> bool:
    """Whether a call makes the derivative of a function that takes derivatives itself."""
    if not isinstance(node, ast.Call):
        return False
    made = [option for option in v.options(facts.value(node)) if isinstance(option, v.Transformed) and option.transform in DERIVATIVES]
    scopes = [scope for each in made for scope in _run_by(each)]
    return any(_takes_one(facts, call) for scope in scopes for facts, call in _calls(scope.module.facts, body_of(scope), {id(scope.node)}))


def _takes_one(facts: Facts, call: ast.Call) -> bool:
    """Whether a call makes the derivative of a function."""
    return any(isinstance(option, v.Transformed) and option.transform in DERIVATIVES for option in v.options(facts.value(call)))


def _run_by(value: v.Value) -> list[FunctionScope]:
    """The project functions that a call of the value runs, of what is made of functions, too."""
    match value:
        case v.Transformed(function=function) | v.Partial(function=function):
            return [scope for option in v.options(function) for scope in _run_by(option)]
    return bodies(value)


def _calls(facts: Facts, nodes: Iterable[ast.AST], seen: set[int]) -> Iterator[tuple[Facts, ast.Call]]:
    """The calls in statements, and in what these call in the project, each with its file's facts."""
    for part in (part for node in nodes for part in ast.walk(node)):
        if not isinstance(part, ast.Call):
            continue
        yield facts, part
        for scope in (scope for option in v.options(facts.value(part.func)) for scope in _run_by(option)):
            if id(scope.node) not in seen:
                seen.add(id(scope.node))
                yield from _calls(scope.module.facts, body_of(scope), seen)
