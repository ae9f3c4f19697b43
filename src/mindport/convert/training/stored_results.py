"""Attributes that a compiled step stores: a graph keeps such a store to itself, and no gradient goes through it.

``self.loss = …`` becomes a local name inside of the step's function, which gives it back with its results.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.training import writing
from mindport.convert.training.names import key, names, own_nodes
from mindport.convert.training.parts import wholes, with_wholes
from mindport.convert.training.region import Obstacle, Region


def localise(context: Context, region: Region) -> dict[str, str]:
    """The attributes that the region stores, each with the local name that takes its place. Raises Obstacle for other writes."""
    parts = [part for statement in region.moved for part in (statement, *own_nodes(statement))]
    stored: dict[str, str] = {}
    made = names(region.moved).stores
    for part in parts:
        if not isinstance(part, (ast.Attribute, ast.Subscript)) or isinstance(part.ctx, ast.Load):
            continue
        text = key(part)
        if text is None:
            holder = key(part.value) or ""
            if holder and all(whole.partition(".")[0] in made for whole in with_wholes([holder], wholes(region.scope))):
                continue  # an entry of something that the step makes itself
            raise Obstacle(f"`{ast.unparse(part)}` is stored in a step that is compiled, which would keep it to itself", part)
        if text not in stored:
            _check(context, region, parts, part, text)
            stored[text] = writing.fresh_name(context, region.scope, text.rpartition(".")[2])
    for part in [*parts, *(p for loss in region.losses for p in ast.walk(loss))]:
        if isinstance(part, ast.Attribute) and (name := stored.get(key(part) or "")) is not None:
            context.claim(part)
            context.plan(part, lambda p=part, n=name: context.editing.replace(*context.editing.span(p), n), last=True)  # type: ignore[misc]
    loss = key(region.loss) if len(region.losses) == 1 else None
    region.outputs += [name for text, name in stored.items() if text != loss]
    return stored


def _check(context: Context, region: Region, parts: list[ast.AST], store: ast.expr, text: str) -> None:
    """Nothing of the step reads the attribute before it is stored, or from another function. Raises Obstacle."""
    parent = context.parents.get(id(store))
    first = min((p for p in parts if isinstance(p, ast.Attribute) and key(p) == text), key=lambda p: (p.lineno, isinstance(p.ctx, ast.Load), p.col_offset))
    if isinstance(parent, ast.AugAssign) or isinstance(first.ctx, ast.Load) or any(parent is s.target for s in parts if isinstance(s, ast.For)):
        raise Obstacle(f"`{text}` is read and stored in a step that is compiled, which would keep it to itself", store)
    called = {n.attr if isinstance(n, ast.Attribute) else n.id for p in parts if isinstance(p, ast.Call) for n in [p.func] if isinstance(n, (ast.Attribute, ast.Name))}
    last = text.rpartition(".")[2]
    for file, _ in context.files:
        for function in file.nodes:
            named = isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and function.name in called
            if named and any(isinstance(n, ast.Attribute) and n.attr == last for n in ast.walk(function)):
                raise Obstacle(f"`{text}` is stored in a step that is compiled, and `{function.name}` reads it there", store)  # type: ignore[attr-defined]
