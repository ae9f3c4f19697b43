"""``for i, c in enumerate(v.unbind(1)): … grad(c.sum(), x, …)``: what turns differentiate is a part of what was computed: ``for i in range(len(columns)): c = columns[i]``.

A derivative follows what its output is computed from, which the target of a loop does not show.
"""

from __future__ import annotations

import ast

from mindport.convert.derivative_forms.placed import fresh, indent_of, names_around, scope_of
from mindport.convert.derivative_forms.taken import derivatives, outputs
from mindport.convert.training.callers import parents_in
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile
from mindport.source.rewritten import Rewritten, rewritten
from mindport.source.walking import walk

#: The library's functions that cut a tensor into a tuple.
_CUTTING = frozenset(("unbind", "split", "chunk", "tensor_split", "hsplit", "vsplit"))


def components(file: SourceFile, facts: Facts) -> SourceFile:
    """The file with such loops over places; itself where there are none."""
    changes: dict[int, Rewritten] = {}
    for call in derivatives(file, facts):
        loop = _around(file, call)
        scope = scope_of(file, loop) if loop is not None else None
        if loop is None or scope is None or loop.lineno in changes or loop.body[0].lineno == loop.lineno or indent_of(file, loop).strip():
            continue
        read = {n.id for output in outputs(facts, call) for n in walk(output) if isinstance(n, ast.Name)}
        taken = {*names_around(scope, call), *(n.id for n in walk(call) if isinstance(n, ast.Name))}
        lines = _over_places(file, facts, loop, read, taken)
        if lines is not None:
            first, last = loop.lineno, loop.body[0].lineno - 1
            indents = [indent_of(file, loop)] * len(lines[0]) + [indent_of(file, loop.body[0])] * len(lines[1])
            above = [(file.line(number), number) for number in range(loop.iter.end_lineno or first, last + 1) if number != (loop.iter.end_lineno or first)]
            changes[first] = Rewritten(first, last, (*((indent + text, first) for indent, text in zip(indents, [*lines[0], *lines[1]], strict=True)), *above))
    return rewritten(file, list(changes.values())) if changes else file


def _around(file: SourceFile, call: ast.Call) -> ast.For | None:
    """The loop in whose body a call stands, in no function of it."""
    parents = parents_in(file)
    inner: ast.AST = call
    while id(inner) in parents:
        above = parents[id(inner)]
        if isinstance(above, ast.For) and inner in above.body:
            return above
        if isinstance(above, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            return None
        inner = above
    return None


def _over_places(file: SourceFile, facts: Facts, loop: ast.For, read: set[str], taken: set[str]) -> tuple[list[str], list[str]] | None:
    """The lines in the place of the loop's head, and those that its body begins with; None where no part is differentiated, or its parts have no places."""
    match loop:
        case ast.For(target=ast.Name(id=part), iter=row) if part in read and _has_places(facts, row):
            place = fresh("place", taken)
            return _places(file, row, place, part, taken)
        case ast.For(target=ast.Tuple(elts=[ast.Name(id=place), ast.Name(id=part)]), iter=ast.Call(func=ast.Name(id="enumerate"), args=[row], keywords=[])) if part in read and _has_places(facts, row):
            return _places(file, row, place, part, taken)
        case ast.For(target=ast.Tuple(elts=[ast.Name(id=key), ast.Name(id=part)]), iter=ast.Call(func=ast.Attribute(value=ast.Name(id=table), attr="items"), args=[], keywords=[])) if part in read:
            return ([f"for {key} in {table}:"], [f"{part} = {table}[{key}]"]) if not _binds(loop, table) else None
        case ast.For(target=ast.Name(id=part), iter=ast.Call(func=ast.Attribute(value=ast.Name(id=table), attr="values"), args=[], keywords=[])) if part in read:
            key = fresh("key", taken)
            return ([f"for {key} in {table}:"], [f"{part} = {table}[{key}]"]) if not _binds(loop, table) else None
    return None


def _places(file: SourceFile, row: ast.expr, place: str, part: str, taken: set[str]) -> tuple[list[str], list[str]]:
    text = file.segment(row)
    if isinstance(row, ast.Name):
        return [f"for {place} in range(len({text})):"], [f"{part} = {text}[{place}]"]
    name = fresh("components", taken)
    return [f"{name} = {text if chr(10) not in text else f'({text})'}", f"for {place} in range(len({name})):"], [f"{part} = {name}[{place}]"]


def _has_places(facts: Facts, row: ast.expr) -> bool:
    """Whether an index gives what a turn gets: of tensors, and of what is known for a list or tuple."""
    if isinstance(row, ast.Call) and isinstance(row.func, ast.Attribute) and row.func.attr in _CUTTING:
        return True
    kinds = v.options(facts.value(row))
    return bool(kinds) and all(isinstance(kind, v.TensorValue) and not kind.parameter for kind in kinds) and not isinstance(row, ast.GeneratorExp)


def _binds(loop: ast.For, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load) for part in loop.body for n in walk(part))
