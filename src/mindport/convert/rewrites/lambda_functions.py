"""``vmap(lambda t: …)(x)`` becomes ``function = lambda t: …`` on a line of its own, and ``vmap(function)(x)``.

MindSpore compiles what is given to vmap, jacrev, jacfwd and the like from its source text, and finds a lambda only where
one is assigned ("Parse Lambda Function Fail"). A lambda that uses names of a comprehension or of another lambda stays.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.scopes import scope_of
from mindport.convert.training.writing import fresh_name
from mindport.inference import values as v
from mindport.inference.facts import Use

_COMPILING = frozenset(
    [f"torch.func.{name}" for name in ("vmap", "grad", "grad_and_value", "jacrev", "jacfwd", "hessian", "jvp", "vjp", "linearize")]
    + [f"torch.autograd.functional.{name}" for name in ("jacobian", "hessian", "jvp", "vjp", "hvp", "vhp")]
    + ["torch.vmap"]
)
_OWN_NAMES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return, ast.Assert)


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan an assignment before the statement for every lambda that such a function takes."""
    for node in context.file.nodes:
        if not isinstance(node, ast.Call):
            continue
        called = context.facts.value(node.func)
        if not isinstance(called, v.Api) or called.name not in _COMPILING:
            continue
        given = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "func")]
        for function in given:
            if isinstance(function, ast.Lambda) and (statement := _statement(context, function)) is not None:
                name = fresh_name(context, scope_of(context, statement), "function")
                context.plan(function, lambda f=function, s=statement, n=name: _write(context, f, s, n), last=True)  # type: ignore[misc]


def _statement(context: Context, node: ast.Lambda) -> ast.stmt | None:
    """The statement that a line can be put before; None where names would be lost, or where it is no plain statement."""
    current: ast.AST | None = context.parents.get(id(node))
    while current is not None and not isinstance(current, ast.stmt):
        if isinstance(current, (*_OWN_NAMES, ast.NamedExpr)):
            return None
        current = context.parents.get(id(current))
    if not isinstance(current, _SIMPLE):
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
