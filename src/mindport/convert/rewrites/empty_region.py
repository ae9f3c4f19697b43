"""``x[d[0]:d[1], h[0]:h[1]] = v`` in a loop over bounds gets an ``if x[…].size:`` above it, as some of the regions may be empty.

MindSpore's CPU fails where an empty slice stands before another bounded one ("memcpy_s error"); torch writes nothing. A
slice alone, or an empty one at the end, is right as it is. Only bounds that an enclosing loop counts through are meant:
elsewhere an empty region is rare, and the error is loud.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the test above every such statement."""
    for statement in context.file.nodes:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Subscript):
            target = statement.targets[0]
            if isinstance(target.slice, ast.Tuple) and _is_tensor(context, target.value) and _may_be_empty(context, statement, target.slice.elts):
                context.plan(statement, lambda s=statement, t=target: _write(context, s, t), last=True)  # type: ignore[misc]


def _is_tensor(context: Context, node: ast.expr) -> bool:
    options = v.options(context.facts.value(node))
    return isinstance(node, ast.Name) and bool(options) and all(isinstance(o, v.TensorValue) for o in options)


def _may_be_empty(context: Context, statement: ast.stmt, items: list[ast.expr]) -> bool:
    """Whether a slice before the last bounded one has bounds from a loop, and nothing in the index has an effect."""
    bounded = [item for item in items if isinstance(item, ast.Slice) and (item.lower or item.upper)]
    counted = _loop_names(context, statement)
    early = [n.id for item in bounded[:-1] for n in ast.walk(item) if isinstance(n, ast.Name)]
    return bool(counted.intersection(early)) and not any(isinstance(n, ast.Call | ast.NamedExpr) for item in items for n in ast.walk(item))


def _loop_names(context: Context, node: ast.AST) -> set[str]:
    """The names that enclosing loops bind."""
    found: set[str] = set()
    above = context.parents.get(id(node))
    while above is not None and not isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        if isinstance(above, ast.For):
            found |= {n.id for n in ast.walk(above.target) if isinstance(n, ast.Name)}
        above = context.parents.get(id(above))
    return found


def _write(context: Context, statement: ast.Assign, target: ast.Subscript) -> None:
    editing = context.editing
    start, end = editing.span(statement)
    if editing.line_start(start) + len(editing.indent(start)) != start:
        return  # it shares its line with another statement
    text = editing.current(start, end)
    if "\n" in text:
        return
    editing.replace(start, end, f"if {editing.current(*editing.span(target))}.size:\n{editing.indent(start)}    {text}")
