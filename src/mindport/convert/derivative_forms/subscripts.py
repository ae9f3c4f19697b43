"""``grad(u, batch["coords"], create_graph=True)``: what is differentiated by gets a name of the function: ``coords = batch["coords"]``, by which ``net(coords)`` and the gradient read it."""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.derivative_forms.placed import fresh, names_around, scope_of
from mindport.convert.training.callers import parents_in
from mindport.convert.training.second_order import inputs_of, is_gradient_call, keeps_graph
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source import edits
from mindport.source.apart import alone
from mindport.source.edits import Edit
from mindport.source.file import SourceFile, parse
from mindport.source.rewritten import Rewritten, rewritten
from mindport.source.walking import walk


def subscripts(file: SourceFile, facts: Facts) -> SourceFile:
    """The file with such names; itself where there are none, or where the place in the table, or the table, is set in another way, too."""
    for call in (n for n in file.nodes if isinstance(n, ast.Call) and is_gradient_call(facts, n) and keeps_graph(n)):
        for source in inputs_of(call):
            match source:
                case ast.Subscript(value=ast.Name(id=table), slice=ast.Constant(value=str(key))) if key.isidentifier() and not _is_parameter(facts, source):
                    if (found := _named(file, call, table, key)) is not None:
                        return found  # the next one in the next round
    return file


def _is_parameter(facts: Facts, node: ast.expr) -> bool:
    return any(isinstance(kind, v.TensorValue) and kind.parameter for kind in v.options(facts.value(node)))


def _named(file: SourceFile, call: ast.Call, table: str, key: str) -> SourceFile | None:
    """The file with a name for one place of a table that a statement of the function, or of a loop in it, binds."""
    scope = scope_of(file, call)
    if scope is None:
        return None
    stores = [n for n in walk(scope) if isinstance(n, ast.Name) and n.id == table and not isinstance(n.ctx, ast.Load)]
    made = [n for n in walk(scope) if isinstance(n, ast.Assign) and len(n.targets) == 1 and n.targets[0] in stores]
    places = [n for n in walk(scope) if _is_place(n, table, key)]
    if len(stores) != 1 or len(made) != 1 or not alone(file, made[0]) or any(not isinstance(n.ctx, ast.Load) for n in places):  # type: ignore[attr-defined]
        return None
    reads = [n for n in places if n.lineno > (made[0].end_lineno or 0)]  # type: ignore[attr-defined]
    parents = parents_in(file)
    elsewhere = [n for n in walk(scope) if isinstance(n, ast.Name) and n.id == table and isinstance(n.ctx, ast.Load) and not _is_read_by_key(parents[id(n)])]
    if len(reads) != len(places) or elsewhere or not any(parents[id(_statement(parents, n))] is parents[id(made[0])] for n in reads):
        return None  # what gets the table may change it; a place that not every run reads may not be there
    name = fresh(key, names_around(scope, call) | {n.id for n in walk(call) if isinstance(n, ast.Name)})
    changes = [Edit(*file.offsets(n), file.segment(n), name) for n in reads]  # type: ignore[arg-type]
    text = edits.apply(file.text, changes)
    now = replace(file, text=text, tree=parse(text))
    last = made[0].end_lineno or made[0].lineno
    indent = now.line(made[0].lineno)[: made[0].col_offset]
    return rewritten(now, [Rewritten(last, last, ((now.line(last), last), (f'{indent}{name} = {table}["{key}"]', last)))])


def _is_read_by_key(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)


def _statement(parents: dict[int, ast.AST], node: ast.AST) -> ast.AST:
    """The statement that evaluates an expression, however often: of a lambda, or of what an expression evaluates on a condition, the expression itself."""
    while not isinstance(node, ast.stmt | ast.Lambda | ast.IfExp | ast.BoolOp):
        node = parents[id(node)]
    return node


def _is_place(node: ast.AST, table: str, key: str) -> bool:
    match node:
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=value)):
            return name == table and value == key
    return False
