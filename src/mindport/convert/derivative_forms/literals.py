"""``u_t, u_x = [grad(u, v, create_graph=True)[0] for v in (t, x)]``: turns over what is written out are written out, too: ``[grad(u, t, …)[0], grad(u, x, …)[0]]``."""

from __future__ import annotations

import ast

from mindport.convert.derivative_forms.placed import (
    indent_of,
    line_end,
    simple_statement,
    takes_all,
    text_with,
)
from mindport.convert.derivative_forms.taken import derivatives
from mindport.convert.training.callers import parents_in
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile
from mindport.source.rewritten import Rewritten, rewritten
from mindport.source.walking import walk

_TURNS = (ast.ListComp, ast.GeneratorExp, ast.DictComp)
#: More turns than these stay turns.
_MOST = 6
_LONG = 140


def literals(file: SourceFile, facts: Facts) -> SourceFile:
    """The file with such expressions written out; itself where there are none."""
    changes: dict[int, Rewritten] = {}
    for call in derivatives(file, facts):
        node = _innermost(file, call)
        statement = simple_statement(file, node) if node is not None else None
        if node is not None and statement is not None and statement.lineno not in changes and (text := _written_out(file, node)) is not None:
            first, last = file.offsets(node)
            begin, end = file.offsets(statement)
            whole = indent_of(file, statement) + file.text[begin:first] + text + file.text[last : line_end(file, end)]
            lines = tuple((line, min(statement.lineno + i, statement.end_lineno or statement.lineno)) for i, line in enumerate(whole.split("\n")))
            changes[statement.lineno] = Rewritten(statement.lineno, statement.end_lineno or statement.lineno, lines)
    return rewritten(file, list(changes.values())) if changes else file


def _innermost(file: SourceFile, call: ast.Call) -> ast.ListComp | ast.GeneratorExp | ast.DictComp | None:
    parents = parents_in(file)
    inner: ast.AST = call
    while not isinstance(inner, ast.stmt | ast.Lambda):
        above = parents[id(inner)]
        if isinstance(above, _TURNS) and inner is not above.generators[0]:
            return above
        inner = above
    return None


def _written_out(file: SourceFile, node: ast.ListComp | ast.GeneratorExp | ast.DictComp) -> str | None:
    """The text of the turns, one after the other; None where they are not written out, or a generator's are not all taken."""
    rows = _rows(node.generators[0].iter)
    if len(node.generators) != 1 or node.generators[0].ifs or node.generators[0].is_async or rows is None or not 0 < len(rows) <= _MOST:
        return None
    above = parents_in(file).get(id(node))
    if isinstance(node, ast.GeneratorExp) and not takes_all(above) and not (isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Tuple | ast.List)):
        return None
    parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    inside = [n for part in parts for n in walk(part)]
    target = node.generators[0].target
    bound = {n.id for n in walk(target) if isinstance(n, ast.Name)}
    named = bound | {n.id for row in rows for n in walk(row) if isinstance(n, ast.Name)}
    if any(isinstance(n, ast.arg) and n.arg in named or isinstance(n, ast.Name) and n.id in named and not isinstance(n.ctx, ast.Load) for n in inside):
        return None
    if any(isinstance(n, ast.JoinedStr) and bound & {part.id for part in walk(n) if isinstance(part, ast.Name)} for n in inside):  # a text in a text of the same quotes
        return None
    turns = []
    for row in rows:
        values = _values(file, target, row)
        if values is None:
            return None
        turns.append(": ".join(text_with(file, part, values) for part in parts))
    opening, closing = ("{", "}") if isinstance(node, ast.DictComp) else ("(", ")") if isinstance(node, ast.GeneratorExp) else ("[", "]")
    last = "," if isinstance(node, ast.GeneratorExp) and len(turns) == 1 else ""
    text = f"{opening}{', '.join(turns)}{last}{closing}"
    text = f"({text})" if isinstance(node, ast.GeneratorExp) and takes_all(above) and file.text[: file.offsets(node)[0]].rstrip()[-1:].isalnum() else text
    if len(text) + node.col_offset <= _LONG:
        return text
    return text.replace(", ".join(turns), f",\n{' ' * (node.col_offset + 1)}".join(turns), 1)


def _rows(node: ast.expr) -> list[ast.expr] | None:
    """What the turns are over, as it is written."""
    match node:
        case ast.Tuple(elts=elements) | ast.List(elts=elements) if not any(isinstance(element, ast.Starred) for element in elements):
            return elements
        case ast.Call(func=ast.Attribute(value=ast.Dict(keys=keys, values=values), attr="items"), args=[], keywords=[]) if None not in keys:
            return [ast.Tuple(elts=[key, value]) for key, value in zip(keys, values, strict=True)]  # type: ignore[list-item]
    return None


def _values(file: SourceFile, target: ast.expr, row: ast.expr) -> dict[str, str] | None:
    """By name what a turn's target stands for; None where it is no name or constant, which may be read more than once."""
    match target:
        case ast.Name(id=name) if _is_plain(row):
            return {name: file.segment(row)}
        case ast.Tuple(elts=targets) | ast.List(elts=targets) if isinstance(row, ast.Tuple | ast.List) and len(row.elts) == len(targets):
            found = [_values(file, one, value) for one, value in zip(targets, row.elts, strict=True)]
            return None if None in found else {name: text for one in found if one is not None for name, text in one.items()}
    return None


def _is_plain(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name | ast.Constant)
