"""``grad(u, self.t)``: a gradient by a tensor that an object holds is one by a name of the function, before anything else is converted.

Those that are differentiated again need a function of names; of others the tape takes any tensor. ``u = self.u(self.x, self.t)`` becomes ``x = self.x; t = self.t; u = self.u(x, t)``: the names are bound where the function begins, in its first line, so that lines keep their numbers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from mindport.convert.training.callers import parents_in
from mindport.convert.training.second_order import GRAD, inputs_of, keeps_graph
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source import edits
from mindport.source.edits import Edit
from mindport.source.file import SourceFile, parse
from mindport.source.walking import walk

_SELF = "self"
_COMPOUND = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.FunctionDef, ast.ClassDef, ast.Match, ast.AsyncFunctionDef)


def named_inputs(file: SourceFile, facts: Facts) -> SourceFile:
    """The file with such tensors under names of the functions that differentiate by them; itself where there are none."""
    asked: dict[ast.FunctionDef, dict[str, None]] = {}
    for use in facts.uses:
        if use.name == GRAD and isinstance(use.node, ast.Call) and keeps_graph(use.node):
            function = _method(parents_in(file), use.node)
            for attribute in _held(facts, use.node):
                if function is not None:
                    asked.setdefault(function, {})[attribute] = None
    changes = [edit for function, attributes in asked.items() for edit in _named(file, function, list(attributes))]
    if not changes:
        return file
    text = edits.apply(file.text, changes)
    return replace(file, text=text, tree=parse(text))


def _method(parents: dict[int, ast.AST], node: ast.AST) -> ast.FunctionDef | None:
    """The method that a call stands in, by itself and not in a function of it."""
    above = parents.get(id(node))
    while above is not None and not isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
        above = parents.get(id(above))
    first = above.args.args[:1] if isinstance(above, ast.FunctionDef) else []
    return above if isinstance(above, ast.FunctionDef) and first and first[0].arg == _SELF else None


def _held(facts: Facts, call: ast.Call) -> Iterator[str]:
    """The attributes of the object that a gradient is taken by, where they are single tensors and no parameters."""
    for source in inputs_of(call):
        match source:
            case ast.Attribute(value=ast.Name(id="self"), attr=attribute):
                kinds = v.options(facts.value(source))
                if kinds and all(isinstance(kind, v.TensorValue) and not kind.parameter for kind in kinds):
                    yield attribute


def _named(file: SourceFile, function: ast.FunctionDef, attributes: list[str]) -> list[Edit]:
    """The names' bindings, and what reads the attributes; nothing where one may be set on the way, or the function begins with a block."""
    first = function.body[1] if _is_text(function.body[0]) and len(function.body) > 1 else function.body[0]
    nodes = walk(function)
    taken = {n.id for n in nodes if isinstance(n, ast.Name)} | {n.arg for n in nodes if isinstance(n, ast.arg)}
    called = {n.func.attr for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)}
    around = parents_in(file).get(id(function))
    others = [m for m in getattr(around, "body", ()) if isinstance(m, ast.FunctionDef) and m.name in called]
    if isinstance(first, _COMPOUND) or set(attributes) & taken:
        return []
    if any(_sets(part, attributes) for one in (function, *others) for part in walk(one)):
        return []
    reads = [n for n in nodes if isinstance(n, ast.Attribute) and n.attr in attributes and isinstance(n.value, ast.Name) and n.value.id == _SELF]
    start = file.offsets(first)[0]
    bound = "".join(f"{name} = {_SELF}.{name}; " for name in attributes)
    found = [Edit(start, start, "", bound)]
    for node in reads:
        begin, end = file.offsets(node)
        found.append(Edit(begin, end, file.text[begin:end], node.attr))
    return found


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _sets(part: ast.AST, attributes: list[str]) -> bool:
    return isinstance(part, ast.Attribute) and part.attr in attributes and not isinstance(part.ctx, ast.Load)
