"""``D = lambda y, x: grad(y.sum(), x, create_graph=True)[0]``: a derivative's helper is a function, before anything else is converted.

Derivatives that are differentiated again become functions of statements (`training/derivatives.py`), which a lambda has none of. ``def D(y, x): return …`` stands on
the same lines; only what asks a function for its name sees another one.
"""

from __future__ import annotations

import ast

from mindport.convert.derivative_forms.placed import function_in_place, line_end
from mindport.convert.derivative_forms.taken import derivatives
from mindport.convert.training.callers import parents_in
from mindport.inference.facts import Facts
from mindport.source.apart import alone
from mindport.source.file import SourceFile
from mindport.source.rewritten import Rewritten, rewritten


def lambdas(file: SourceFile, facts: Facts) -> SourceFile:
    """The file with functions in the place of such lambdas that a statement of their own gives a name; itself where there are none."""
    found: dict[int, ast.Assign] = {}
    for call in derivatives(file, facts):
        if (statement := _named(file, call)) is not None:
            found[id(statement)] = statement
    if not found:
        return file
    ends = {statement.end_lineno for statement in found.values()}
    return rewritten(file, [_defined(file, statement, statement.lineno - 1 in ends) for statement in found.values()])


def _named(file: SourceFile, call: ast.Call) -> ast.Assign | None:
    """The statement that gives a name to the lambda which a call stands in: alone on its lines."""
    parents = parents_in(file)
    inner: ast.AST = call
    while not isinstance(inner, ast.stmt | ast.Lambda):
        inner = parents[id(inner)]
    match parents.get(id(inner)):
        case ast.Assign(targets=[ast.Name()], value=ast.Lambda(body=body) as value) as statement if value is inner and not isinstance(parents.get(id(statement)), ast.ClassDef):
            start = file.offsets(statement)[0]
            return statement if alone(file, statement) and "#" not in file.text[start : file.offsets(body)[0]] else None
    return None


def _defined(file: SourceFile, statement: ast.Assign, follows: bool) -> Rewritten:
    """The function in the place of the statement; line ends and brackets around the lambda, or its body, go where they were. `follows`: another one stands above it."""
    made, target = statement.value, statement.targets[0]
    assert isinstance(made, ast.Lambda) and isinstance(target, ast.Name)
    first, end = file.offsets(made.body)[0], file.offsets(statement)[1]
    opened = file.text[file.offsets(target)[1] : file.offsets(made)[0]].partition("=")[2]
    head, _, opened_again = file.text[file.offsets(made)[0] + len("lambda") : first].rpartition(":")
    value = f"{opened.strip(' ')}{opened_again.lstrip(' ')}" + file.text[first : line_end(file, end)]
    return function_in_place(file, statement, f"def {target.id}({head.strip()}): return {value}", follows)
