"""``vmap(lambda t: …)(x)`` becomes ``function = lambda t: …`` on a line of its own, and ``vmap(function)(x)``.

MindSpore compiles what is given to vmap, jacrev, jacfwd and the like from its source text, and finds a lambda only where
one is assigned ("Parse Lambda Function Fail"); so one that a caller gives to a function of the project which hands it on
(``newton(lambda t: …)``), or whose gradient it differentiates again. A lambda that uses names of a comprehension or of another lambda stays.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context, Files
from mindport.convert.scopes import scope_of
from mindport.convert.training.names import own_nodes
from mindport.convert.training.writing import fresh_name
from mindport.inference import values as v
from mindport.inference.facts import Facts, Use

_COMPILING = frozenset(
    [f"torch.func.{name}" for name in ("vmap", "grad", "grad_and_value", "jacrev", "jacfwd", "hessian", "jvp", "vjp", "linearize")]
    + [f"torch.autograd.functional.{name}" for name in ("jacobian", "hessian", "jvp", "vjp", "hvp", "vhp")]
    + ["torch.vmap"]
)
_GRADIENTS = frozenset(["torch.autograd.grad"])
_OWN_NAMES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return, ast.Assert)


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan an assignment before the statement for every lambda that such a function takes."""
    compiled = context.once(_compiled)
    for function in context.file.nodes:
        if isinstance(function, ast.Lambda) and id(function) in compiled and (statement := _statement(context, function)) is not None:
            name = fresh_name(context, scope_of(context, statement), "function")
            context.plan(function, lambda f=function, s=statement, n=name: _write(context, f, s, n), last=True)  # type: ignore[misc]


def _compiled(project: Files) -> frozenset[int]:
    """The lambdas that stand in a call and reach such a function, there or by a parameter's name."""
    found = set()
    for file, facts in project:
        for node in file.nodes:
            called = facts.value(node.func) if isinstance(node, ast.Call) else None
            if isinstance(node, ast.Call) and isinstance(called, v.Api) and called.name in _COMPILING:
                for given in [*node.args[:1], *(k.value for k in node.keywords if k.arg == "func")]:
                    found |= {id(given)} | {id(option.scope.node) for option in v.options(facts.value(given)) if isinstance(option, v.ProjectFunction)}
            elif isinstance(node, ast.FunctionDef):
                calls = [n for n in own_nodes(node) if isinstance(n, ast.Call)]
                if any(_differentiated_again(facts, call) for call in calls):  # what it calls stands in a function that is compiled
                    found |= {id(o.scope.node) for call in calls for o in v.options(facts.value(call.func)) if isinstance(o, v.ProjectFunction) and isinstance(o.scope.node, ast.Lambda)}
    return frozenset(found)


def _differentiated_again(facts: Facts, call: ast.Call) -> bool:
    called = facts.value(call.func)
    return isinstance(called, v.Api) and called.name in _GRADIENTS and any(k.arg == "create_graph" for k in call.keywords)


def _statement(context: Context, node: ast.Lambda) -> ast.stmt | None:
    """The statement that a line can be put before; None where names would be lost, or where it is no plain statement. What a comprehension first goes through is computed outside of it."""
    current: ast.AST | None = context.parents.get(id(node))
    if isinstance(current, ast.Assign | ast.AnnAssign):
        return None  # it has a line
    below: ast.AST = node
    while current is not None and not isinstance(current, ast.stmt):
        if isinstance(current, ast.comprehension) and below is current.iter:
            below, current = current, context.parents.get(id(current))
            if below is not current.generators[0]:  # type: ignore[union-attr]
                return None
        elif isinstance(current, (*_OWN_NAMES, ast.NamedExpr)):
            return None
        below, current = current, context.parents.get(id(current))  # type: ignore[assignment, arg-type]
    if not isinstance(current, _SIMPLE) and not (isinstance(current, ast.For) and below is current.iter):  # what a loop goes through is computed once
        return None
    start = context.editing.span(current)[0]
    alone = not context.editing.text[context.editing.line_start(start) : start].strip()
    return current if alone and not any(isinstance(n, ast.NamedExpr) for n in ast.walk(current)) else None


def _write(context: Context, function: ast.Lambda, statement: ast.stmt, name: str) -> None:
    editing = context.editing
    start, end = editing.span(function)
    place = editing.span(statement)[0]
    text = editing.current(start, end)
    if "\n" in text:
        text = f"({text})"
    line = editing.line_start(place)
    editing.insert(line, f"{editing.indent(place)}{name} = {text}\n")
    editing.replace(start, end, name)
