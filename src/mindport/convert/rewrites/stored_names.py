"""``nn.LayerNorm = LayerNorm``: from there on the name means the project's class, also where it is used as PyTorch's."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.stored_names import Stored, inner_stores
from mindport.convert.uses import reroot
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the assignments as variables of the file, and their uses as these variables; in other files the uses stay, and are told. So is what only a branch or a call puts there."""
    for statement, name in inner_stores(context.file, context.facts):
        _refuse(context, statement, name)
    found = {name: all_ for name, all_ in context.shared.stored_names.items() if any(context.file.relative in s.concerned for s in all_)}
    if not found:
        return
    names: dict[int, str] = {}
    for stored in (s for all_ in found.values() for s in all_ if s.file == context.file.relative):
        names[id(stored.statement)] = _variable(context, stored)
    for same_place in uses.values():
        for use in same_place:
            if use.name in found and use.kind != "store":
                _use(context, use, [s for s in found[use.name] if context.file.relative in s.concerned], names)


def _refuse(context: Context, statement: ast.Assign, name: str) -> None:
    """Tell of an assignment that may run or not, and have it raise where it runs."""
    what = f"{name} = … inside of a function or branch: from there on PyTorch's name would mean the project's own"
    context.report("MP101", what, statement, api=name, mark=True, advice="make the choice where the name is used")
    context.claimed.add(id(statement.targets[0]))

    def write() -> None:
        leftover = context.leftover()
        value = context.editing.current(*context.editing.span(statement.value))
        context.editing.replace(*context.editing.span(statement), f"{leftover}{name.removeprefix('torch')}({value})")

    context.plan(statement, write, last=True)


def _variable(context: Context, stored: Stored) -> str:
    """Plan the assignment; the name that the value has in this file."""
    statement, target = stored.statement, stored.statement.targets[0]
    context.claimed.add(id(target))
    if isinstance(statement.value, ast.Name):
        context.claimed.add(id(statement.value))
        context.plan(statement, lambda: context.remove(statement), last=True)
        return statement.value.id
    name = f"own_{stored.name.rpartition('.')[2]}"
    while name in context.imports.bound:
        name += "_"
    context.imports.bound.add(name)
    context.plan(target, lambda: context.editing.replace(*context.editing.span(target), name))
    return name


def _use(context: Context, use: Use, stored: list[Stored], names: dict[int, str]) -> None:
    node = use.node.func if isinstance(use.node, ast.Call) else use.node
    if any(_is_before(context, use.node, s) for s in stored):
        return
    context.claimed.add(id(use.node))
    if len(stored) == 1 and stored[0].file == context.file.relative and isinstance(node, ast.expr) and not _is_shadowed(context, use.node, names[id(stored[0].statement)]):
        name = names[id(stored[0].statement)]
        context.plan(node, lambda: context.editing.replace(*context.editing.span(node), name))
        context.record(use, "rewritten", context.file.segment(node), name)
        return
    place = f"{stored[0].file}:{stored[0].line}"
    context.report(
        "MP101", f"{use.name}: {place} puts the project's own under this name: import that one and call it by its name", use.node, api=use.name, mark=True
    )
    context.record(use, "unconverted", context.file.segment(node), "")
    if isinstance(node, ast.expr):
        context.plan(node, lambda: reroot(context, node, use.name))


def _is_before(context: Context, node: ast.AST, stored: Stored) -> bool:
    """Whether a use runs before the assignment, or within it: at module level, further up in the same file."""
    if stored.file != context.file.relative or node.lineno > (stored.statement.end_lineno or 0):  # type: ignore[attr-defined]
        return False
    return not any(isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) for above in _above(context, node))


def _is_shadowed(context: Context, node: ast.AST, name: str) -> bool:
    """Whether a function around a use binds the name itself."""
    for above in _above(context, node):
        if isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            inner = [n for n in ast.walk(above) if n is not above]
            if any(
                isinstance(n, ast.arg) and n.arg == name
                or isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)
                or isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name == name
                for n in inner
            ):  # fmt: skip
                return True
    return False


def _above(context: Context, node: ast.AST) -> list[ast.AST]:
    found: list[ast.AST] = []
    current = context.parents.get(id(node))
    while current is not None:
        found.append(current)
        current = context.parents.get(id(current))
    return found
