"""``for g in grad(loss, params, create_graph=True):``: a gradient that a statement's head takes gets a statement of its own: ``slopes = grad(…)``, then ``for g in slopes:``.

So does one that a comprehension begins with, which is taken once.
"""

from __future__ import annotations

import ast

from mindport.convert.derivative_forms.placed import (
    SIMPLE,
    TURNS,
    fresh,
    indent_of,
    line_end,
    may_run_first,
    names_around,
    scope_of,
)
from mindport.convert.derivative_forms.taken import derivatives
from mindport.convert.training.callers import parents_in
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile
from mindport.source.rewritten import Rewritten, rewritten

_NAME = "slopes"


def heads(file: SourceFile, facts: Facts) -> SourceFile:
    """The file with statements in front of such heads; itself where there are none."""
    changes: dict[int, Rewritten] = {}
    for call in derivatives(file, facts):
        statement, head = _headed(file, call)
        scope = scope_of(file, statement) if statement is not None else None
        if statement is None or head is None or scope is None or statement.lineno in changes:
            continue
        indent = indent_of(file, statement)
        top = head if isinstance(statement, ast.For | ast.If) else statement.value  # type: ignore[attr-defined]
        begun = head.generators[0].iter if isinstance(head, TURNS) else head
        if indent.strip() or not may_run_first(facts, head, top) or not may_run_first(facts, call, begun):
            continue
        name = fresh(_NAME, names_around(scope, call) | {change.lines[0][0].partition(" = ")[0].strip() for change in changes.values()})
        (begin, end), (first, last) = (file.offsets(node) for node in (statement, call))
        stop = line_end(file, last if isinstance(statement, ast.For | ast.If) else end)
        whole = f"{indent}{name} = {file.text[first:last]}\n{indent}{file.text[begin:first]}{name}{file.text[last:stop]}"
        taken = file.text[first:last].count("\n") + 1
        end_line = file.text.count("\n", 0, stop) + 1
        numbers = [*(call.lineno + i for i in range(taken)), *(statement.lineno + i for i in range(whole.count("\n") + 1 - taken))]
        changes[statement.lineno] = Rewritten(statement.lineno, end_line, tuple((line, min(number, end_line)) for line, number in zip(whole.split("\n"), numbers, strict=True)))
    return rewritten(file, list(changes.values())) if changes else file


def _headed(file: SourceFile, call: ast.Call) -> tuple[ast.stmt | None, ast.expr | None]:
    """The statement in whose head a call stands, and what of the head is evaluated once: ``for … in`` this, ``if`` this, what a comprehension of a simple statement begins with."""
    parents = parents_in(file)
    inner: ast.AST = call
    begun: ast.AST | None = None
    while not isinstance(inner, ast.stmt):
        above = parents[id(inner)]
        if isinstance(above, ast.comprehension):
            made = parents[id(above)]
            if inner is not above.iter or above is not made.generators[0]:  # type: ignore[attr-defined]
                return None, None
            begun, above = made, made
        elif isinstance(above, ast.Lambda):
            return None, None
        if isinstance(above, ast.For) and inner is above.iter or isinstance(above, ast.If) and inner is above.test and file.line(above.lineno)[above.col_offset :].startswith("if"):
            return above, inner  # type: ignore[return-value]
        inner = above
    return (inner, begun) if isinstance(inner, SIMPLE) and isinstance(begun, ast.expr) else (None, None)
