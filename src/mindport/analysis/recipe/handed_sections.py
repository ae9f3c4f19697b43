"""Which section of a configuration an entry is of: ``opts["coco"]["arch"]``, and ``build(opts["coco"])`` with ``def build(opt): … opt["arch"]``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.inference import values as v
from mindport.source.file import SourceFile

if TYPE_CHECKING:
    from mindport.analysis.recipe.following import Follower


def sections(follower: Follower, file: SourceFile, node: ast.expr) -> tuple[frozenset[str], list[tuple[SourceFile, ast.expr]]]:
    """(names of the sections that `node` can be an entry of, entries that calls write out for it); nothing where a call gives something else."""
    held = node.value if isinstance(node, (ast.Subscript, ast.Attribute)) else None
    if held is None or isinstance(held, (ast.Subscript, ast.Attribute)):
        name = _section(held) if held is not None else ""
        return frozenset({name} - {""}), []
    around = follower.subject.function_around(file, node)
    named = [a.arg for a in [*around.args.posonlyargs, *around.args.args]] if around is not None else []
    if not isinstance(held, ast.Name) or around is None or held.id not in named or held.id == "self":
        return frozenset(), []
    found, written = set(), []
    for home, given in _given(follower, file, around, held.id, named):
        if isinstance(given, ast.Dict):
            written += [(home, value) for key, value in zip(given.keys, given.values, strict=True) if isinstance(key, ast.Constant) and key.value == _section(node)]
        elif given is not None and (name := _section(given)):
            found.add(name)
        else:
            return frozenset(), []
    return frozenset(found), written


def _given(follower: Follower, file: SourceFile, around: ast.FunctionDef | ast.AsyncFunctionDef, name: str, named: list[str]) -> list[tuple[SourceFile, ast.expr | None]]:
    """What each call of a function gives a parameter, a dictionary under a name of the caller as itself."""
    called = around.name if around.name != "__init__" else next((c.name for c in file.nodes if isinstance(c, ast.ClassDef) and around in c.body), around.name)
    place, found = named.index(name) - (named[0] in ("self", "cls")), []
    for home, call in follower.calls_of(called):
        functions = [o.scope.node for o in v.options(follower.subject.facts[home].value(call.func)) if isinstance(o, v.ProjectFunction)]
        if functions and around not in functions:
            continue  # another function of the same name
        given = next((k.value for k in call.keywords if k.arg == name), call.args[place] if place < len(call.args) else None)
        if isinstance(given, ast.Name):
            scope = follower.subject.function_around(home, call) or home.tree
            made = [n.value for n in ast.walk(scope) if isinstance(n, ast.Assign) and any(isinstance(t, ast.Name) and t.id == given.id for t in n.targets)]
            given = made[0] if len(made) == 1 else given
        found.append((home, given))
    return found


def _section(node: ast.expr) -> str:
    """The last name of ``opt["coco"]`` or ``cfg.model``; empty for anything else, and for attributes of an object itself."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    return node.attr if isinstance(node, ast.Attribute) else ""
