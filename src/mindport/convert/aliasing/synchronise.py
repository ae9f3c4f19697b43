"""Writes the statements that carry a change on to views and bases."""

from __future__ import annotations

import ast

from mindport.convert.aliasing.holders import Again, Back
from mindport.convert.aliasing.parts import PART
from mindport.convert.context import Context

_SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign)


def why_no_room(context: Context, statement: ast.stmt) -> str:
    """Why no statement can follow this one; empty where one can."""
    if not isinstance(statement, _SIMPLE) or statement.end_lineno is None:  # what a lambda computes stands in no line
        return "the statement leaves no room to carry the change on"
    start, end = context.editing.span(statement)
    before = context.editing.text[context.editing.line_start(start) : start]
    after = context.editing.text[end : context.editing.line_end(end)].strip()
    if before.strip() or (after and not after.startswith("#")):
        context.crowd(statement)
        return "several statements on a line leave no room to carry the change on"
    return ""


def is_whole_body(context: Context, statement: ast.stmt) -> bool:
    """Whether a statement is all that a header on the same line holds: ``for p in parameters: p.data.zero_()``."""
    if getattr(statement, "end_lineno", None) is None:
        return False
    start, end = context.editing.span(statement)
    before = context.editing.text[context.editing.line_start(start) : start].rstrip()
    after = context.editing.text[end : context.editing.line_end(end)].strip()
    parent = context.parents.get(id(statement))
    bodies = [getattr(parent, name, None) for name in ("body", "orelse", "finalbody")]
    return isinstance(statement, _SIMPLE) and before.endswith(":") and not after and [statement] in bodies


def why_no_block(context: Context, statement: ast.stmt) -> str:
    """Why a statement can't become the body of a block; empty where it can."""
    return "" if is_whole_body(context, statement) else why_no_room(context, statement)


def plan_sync(context: Context, statement: ast.stmt, steps: list[Again | Back], asked: str = "") -> None:
    """Insert the steps after the statement, once what makes the views has been converted.

    `asked`: what is changed, where it may be no tensor: a list's or mapping's items are taken out for good, and ``held = xs[i]; xs[i] = xs[j]; xs[j] = held`` swaps them.
    """
    end = context.editing.line_end(context.editing.span(statement)[1])
    indent = context.editing.indent(context.editing.span(statement)[0])
    if (moving := context.moving.get(id(statement))) is not None:  # before the step's text goes into its function
        context.work.append((moving.length, False, end, lambda: _write(context, end, indent, steps, asked)))
        return
    held = [_outermost(context, node) for node in (statement, *(step.expression for step in steps if _is_written(step.expression)))]
    context.plan(max(held, key=lambda node: _length(context, node)), lambda: _write(context, end, indent, steps, asked), last=True)


def _length(context: Context, node: ast.AST) -> int:
    start, end = context.editing.span(node)
    return end - start


def _outermost(context: Context, node: ast.AST) -> ast.AST:
    """The function (or top statement) around a node: work on it comes after work on all that it holds."""
    current = node
    while True:
        parent = context.parents.get(id(current))
        if parent is None or isinstance(parent, ast.Module):
            return current
        current = parent


def _write(context: Context, at: int, indent: str, steps: list[Again | Back], asked: str) -> None:
    lines = []
    for step in steps:
        if isinstance(step, Again):
            lines.append(f"{step.name} = {_text(context, step.expression)}")
        else:
            lines.append(back(context, step))
    if asked:
        tensor = context.imports.local("mindspore", "Tensor", "Tensor")
        lines = [f"if isinstance({asked}, {tensor}):", *(f"    {line}" for line in lines)]
    ending = "" if at == 0 or context.editing.text[at - 1 : at] == "\n" else "\n"
    context.editing.insert(at, ending + "".join(f"{indent}{line}\n" for line in lines))


def _is_written(expression: ast.expr) -> bool:
    """Whether the file holds it: the index of a part (parts.py) stands nowhere."""
    return hasattr(expression, "lineno")


def _text(context: Context, expression: ast.expr) -> str:
    return context.editing.current(*context.editing.span(expression)) if _is_written(expression) else ast.unparse(expression)


def back(context: Context, step: Back) -> str:
    """The statement that stores a view into its base."""
    expression = step.expression
    if step.relation == PART:
        assert isinstance(expression, ast.Subscript)
        return f"{ast.unparse(ast.Subscript(ast.Name(step.base), expression.slice))} = {step.view}"
    if step.relation == "index":
        assert isinstance(expression, ast.Subscript)
        return f"{step.base}[{_text(context, expression.slice)}] = {step.view}"
    if step.relation == "reshape":
        return f"{step.base}[()] = {step.view}.reshape({step.base}.shape)"
    if isinstance(expression, ast.Call) and len(expression.args) >= 2:
        axes = ", ".join(ast.unparse(a) for a in expression.args[-2:])
        return f"{step.base}[()] = {step.view}.swapaxes({axes})"
    return f"{step.base}[()] = {step.view}.T"
