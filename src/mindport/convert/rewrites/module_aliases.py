"""``F = nn.functional``: a module of torch's under a name of the program's own. Its members are converted where they are named; then nobody needs the name."""

from __future__ import annotations

import ast
import re

from mindport.convert.context import Context, Files
from mindport.inference.facts import Use
from mindport.inference.uses import is_module


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan that the name goes where nothing is left that reads it, and that it is reported where something is."""
    named = {node: same_place for (node, _), same_place in uses.items()}
    for statement in context.file.nodes:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name() | ast.Attribute() as value) if is_module(context.facts.value(value)) and _only_opened(context, name):
                found = named.get(id(value), [])
                if found:
                    context.claim(value)
                    context.plan_at_end(lambda s=statement, n=name, u=found[0]: _settle(context, s, n, u))  # type: ignore[misc]


def _only_opened(context: Context, name: str) -> bool:
    """Whether a file binds a name once, reads members of it alone (``F.relu``), and no other file may take it from there."""
    nodes = [node for node in context.file.nodes if isinstance(node, ast.Name) and node.id == name]
    opened = all(isinstance(node.ctx, ast.Store) or isinstance(context.parents.get(id(node)), ast.Attribute) for node in nodes)
    bound_once = sum(isinstance(node.ctx, ast.Store) for node in nodes) == 1
    return opened and bound_once and not {(context.file.relative.stem, name), (context.file.relative.stem, "*")} & context.once(_taken)


def _taken(project: Files) -> frozenset[tuple[str, str]]:
    """The names that files import from others: a file's name, and the name there."""
    froms = (node for file, _ in project for node in file.nodes if isinstance(node, ast.ImportFrom))
    return frozenset(((node.module or "").rpartition(".")[2], alias.name) for node in froms for alias in node.names)


def _settle(context: Context, statement: ast.stmt, name: str, use: Use) -> None:
    start, end = context.editing.span(statement)
    text = context.editing.current(0, len(context.editing.text))
    if len(re.findall(rf"(?<![\w.]){re.escape(name)}\s*\.", text)):
        context.report("MP101", f"{use.name} keeps the name {name}: not all of its members that are read here have an equivalent", statement, mark=True)
    else:
        context.remove(statement)
