"""A hash of what an entry says: its own source and everything of ours that the source uses.

Comments, docstrings and layout do not count, so that an edit of words keeps the evidence; nor does what is declared of
other entries that it uses (`_SAID`), which changes nothing that it computes. The hash is the same on every Python version, which is why `ast.dump` is not used.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections.abc import Iterator
from functools import lru_cache

from mindport import catalog
from mindport.catalog import Catalog, Entry, KnowledgeModule, declares

#: Fields that depend on the Python version or say nothing.
_SKIPPED = frozenset(("ctx", "kind", "type_comment", "type_params", "type_ignores"))
#: Of a declaration: what users are told about its calls.
_SAID = frozenset(("differs", "drops"))
#: More definitions than the knowledge has: thousands of entries reach the same ones.
_MANY = 32_768


def fingerprint(entry: Entry, known: Catalog | None = None) -> str:
    """Sixteen hexadecimal digits for the entry, its declaration, and the functions and constants it reaches."""
    start: list[ast.AST] = [node for node in (entry.node, entry.expression) if node is not None]
    seen = reached(entry, known or catalog.load())
    parts = [_text(node) for node in start]
    parts += [f"{module}.{name}={_text(node)}" for (module, name), node in sorted(seen.items(), key=lambda s: s[0])]
    parts += [entry.kind, *entry.names]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def reached(entry: Entry, known: Catalog) -> dict[tuple[str, str], ast.stmt]:
    """The functions and constants of ours that an entry uses, directly or through others: (module, name) → definition."""
    seen: dict[tuple[str, str], ast.stmt] = {}
    for node in (entry.node, entry.expression):
        if node is not None:
            _reach(node, entry.module, known, seen)
    return seen


def _reach(
    node: ast.AST, module: KnowledgeModule, known: Catalog, seen: dict[tuple[str, str], ast.stmt]
) -> None:
    for name in _names(node):
        owner: KnowledgeModule | None = module
        if name in module.imports:
            origin, original = module.imports[name]
            owner, name = known.modules.get(origin), original or name
        if owner is None or name not in owner.definitions or (owner.name, name) in seen:
            continue
        definition = _unsaid(owner.definitions[name])
        seen[owner.name, name] = definition
        _reach(definition, owner, known, seen)


@lru_cache(maxsize=_MANY)
def _unsaid(definition: ast.stmt) -> ast.stmt:
    """A definition without what its declaration tells users."""
    if not isinstance(definition, (ast.FunctionDef, ast.ClassDef)) or not any(map(declares, definition.decorator_list)):
        return definition
    plain = copy.copy(definition)
    plain.decorator_list = [
        ast.Call(d.func, d.args, [k for k in d.keywords if k.arg not in _SAID]) if isinstance(d, ast.Call) and declares(d) else d
        for d in definition.decorator_list
    ]
    return plain


@lru_cache(maxsize=_MANY)
def _names(node: ast.AST) -> tuple[str, ...]:
    """The names below a node, each once."""
    return tuple(dict.fromkeys(part.id for part in ast.walk(node) if isinstance(part, ast.Name)))


@lru_cache(maxsize=_MANY)
def _text(node: ast.AST) -> str:
    return "".join(_words(node))


def _words(node: ast.AST) -> Iterator[str]:
    """A text of the tree that only depends on what it means."""
    yield type(node).__name__
    for field, value in ast.iter_fields(node):
        if field in _SKIPPED or value is None or value == []:
            continue
        if field == "body" and isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            value = [s for s in value if not _is_text(s)]
        yield f"({field}:"
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ast.AST):
                yield from _words(item)
            else:
                yield repr(item)
            yield ","
        yield ")"


def _is_text(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )
