"""Derivatives of functions of dictionaries or lists of tensors (``grad(loss)(params, x)``) inside of what is differentiated: meta learning without an optimizer.

No graph takes one (`equivalents/grad_of_rows.py` says why), so a step with one goes back through the tape, and each such derivative is an operation
(the form `OF_ROWS`). One that nothing differentiates is taken as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mindport.convert.context import Context, Files
from mindport.convert.training.names import FUNCTIONS, names, own_nodes
from mindport.convert.training.reached_calls import calls, run_by
from mindport.convert.training.second_order import DERIVATIVES, bodies, body_of
from mindport.convert.training.tape import available
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.called import last_name

#: What has the form.
GRADIENTS = ("torch.func.grad", "torch.func.grad_and_value")
#: What differentiates a function that it is handed forwards.
FORWARDS = "torch.func.jvp"
#: What calls a module with a dictionary of tensors, by its last name.
CALLING = "functional_call"


def taken_inside(context: Context) -> frozenset[v.Transformed]:
    """The derivatives by rows of a project that takes them inside of what it differentiates; none where MindSpore has no tape for them."""
    return context.once(_taken_inside) if available(context.shared.target.version) else frozenset()


def first_inside(context: Context, nodes: Iterable[ast.AST]) -> ast.AST | None:
    """The first of them in the statements, or in what these call in the project."""
    if not taken_inside(context):
        return None
    return next((call for facts, call in calls(context.facts, nodes, set()) if _by_row(facts, call)), None)


def is_product(facts: Facts, node: ast.AST) -> bool:
    """Whether a call multiplies the second derivatives by a dictionary: ``jvp(grad(f), (params,), (v,))``."""
    return bool(_multiplied(facts, node))


def _multiplied(facts: Facts, node: ast.AST) -> set[v.Transformed]:
    """The gradients by a dictionary that such a call is handed."""
    if not (isinstance(node, ast.Call) and v.Api(FORWARDS) in v.options(facts.value(node.func)) and len(node.args) > 1):
        return set()
    parts = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else []
    kinds = [kind for part in parts for kind in v.options(facts.value(part))]
    made = [option for option in v.options(facts.value(node.args[0])) if isinstance(option, v.Transformed) and option.transform in GRADIENTS]
    return {each for each in made for kind in kinds if isinstance(kind, v.Mapping) or (isinstance(kind, v.Unknown) and _calls_module(each.function))}


def _taken_inside(project: Files) -> frozenset[v.Transformed]:
    found = {made for file, facts in project for node in file.nodes for made in _multiplied(facts, node)}
    rows = {made for file, facts in project for node in file.nodes for made in _by_row(facts, node)}
    if rows and any(_goes_back(facts, node) or _takes_two(facts, node) for file, facts in project for node in file.nodes):
        found |= rows
    return frozenset(found)


def _by_row(facts: Facts, node: ast.AST) -> set[v.Transformed]:
    """The derivatives that a call takes of a function of a dictionary, or by a list or tuple, or of one that calls a module with other tensors."""
    if not isinstance(node, ast.Call):
        return set()
    made = {made for option in v.options(facts.value(node.func)) for made in _gradients_in(option)}
    return {each for each in made if _takes_row(facts, node, each)}


def _gradients_in(value: v.Value) -> Iterator[v.Transformed]:
    """A gradient, and those of which it is the gradient, or that are mapped over a batch."""
    if isinstance(value, v.Transformed):
        if value.transform in GRADIENTS:
            yield value
        for inner in v.options(value.function):
            yield from _gradients_in(inner)


def _takes_row(facts: Facts, call: ast.Call, made: v.Transformed) -> bool:
    if _calls_module(made.function) or any(isinstance(kind, v.Mapping) for given in call.args for kind in v.options(facts.value(given))):
        return True
    if not (isinstance(made.numbers, v.Const) and isinstance(made.numbers.value, int) and -len(call.args) <= made.numbers.value < len(call.args)):
        return False
    return any(isinstance(kind, v.Sequence) for kind in v.options(facts.value(call.args[made.numbers.value])))


def _calls_module(function: v.Value) -> bool:
    """Whether a function, or one that it calls in the project, calls a module with a dictionary."""
    scopes = [scope for option in v.options(function) for scope in bodies(option)]
    return any(last_name(call.func) == CALLING for scope in scopes for _, call in calls(scope.module.facts, body_of(scope), {id(scope.node)}))


def _goes_back(facts: Facts, node: ast.AST) -> bool:
    """Whether a function, or a module's own statements, go back from a loss that is computed from such a derivative."""
    if not isinstance(node, (*FUNCTIONS, ast.Module)):
        return False
    own = list(own_nodes(node))
    losses = [call.func.value for call in own if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "backward"]
    if not losses:
        return False
    wanted, size, parts = {name for loss in losses for name in names(loss).reads}, -1, list[ast.AST](losses)
    while size != len(parts):  # what binds the names, and what binds the names that this reads
        size = len(parts)
        for statement in own:
            if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)) and statement not in parts and _binds(statement, wanted):
                parts.append(statement)
                wanted |= names(statement).reads.keys()
    return any(_by_row(where, call) for where, call in calls(facts, parts, set()))


def _binds(statement: ast.stmt, wanted: set[str]) -> bool:
    """Whether a statement gives one of the names something: binds it, or is a call of its (``losses.append(loss)``)."""
    if isinstance(statement, ast.Expr):
        func = statement.value.func if isinstance(statement.value, ast.Call) else None
        return isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id in wanted and func.attr != "backward"
    return bool(names(statement).stores.keys() & wanted)


def _takes_two(facts: Facts, node: ast.AST) -> bool:
    """Whether a call makes the derivative of a function that takes derivatives itself."""
    if not isinstance(node, ast.Call):
        return False
    made = [option for option in v.options(facts.value(node)) if isinstance(option, v.Transformed) and option.transform in DERIVATIVES]
    scopes = [scope for each in made for scope in run_by(each)]
    return any(_takes_one(facts, call) for scope in scopes for facts, call in calls(scope.module.facts, body_of(scope), {id(scope.node)}))


def _takes_one(facts: Facts, call: ast.Call) -> bool:
    """Whether a call makes the derivative of a function."""
    return any(isinstance(option, v.Transformed) and option.transform in DERIVATIVES for option in v.options(facts.value(call)))
