"""Finds entries by a PyTorch name, backwards by a MindSpore name, by part of a name, or by words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from typing import Literal

from mindport.analysis.api import ROOT
from mindport.catalog import RECEIVERS, Catalog, Entry

#: How MindSpore's class of a method entry's receiver is called.
_RECEIVERS = tuple((f"{theirs}.", ours) for theirs, ours in RECEIVERS.items())
_MOST = 12


@dataclass(frozen=True)
class Found:
    """What a query leads to. `names` are torch names; `near` has the nearest where nothing fits."""

    query: str
    how: Literal["name", "mindspore name", "part of a name", "words", "nothing"]
    names: tuple[str, ...] = ()
    near: tuple[str, ...] = field(default=())


def lookup(catalog: Catalog, query: str) -> Found:
    """The torch names that `query` means, by the first way that leads anywhere."""
    query = query.strip().removesuffix("()")
    if catalog.find(query):
        return Found(query, "name", (query,))
    if query.split(".")[0] in ("mindspore", "ms", "ops", "mint"):
        backwards = _by_mindspore(catalog, query)
        if backwards:
            return Found(query, "mindspore name", backwards)
    tail = query.rpartition(".")[2]
    ends = [name for name in catalog.names() if name.endswith("." + query)]
    if not ends and "." in query:  # F.relu, nn.Conv2d: the user's own alias before the first dot
        ends = [name for name in catalog.names() if name.endswith("." + query.partition(".")[2])]
    if ends:
        return Found(query, "part of a name", tuple(sorted(ends, key=lambda n: (n.count("."), n))[:_MOST]))
    backwards = _by_mindspore(catalog, query)
    if backwards:
        return Found(query, "mindspore name", backwards)
    worded = _by_words(catalog, query)
    if worded:
        return Found(query, "words", worded)
    lasts: dict[str, list[str]] = {}
    for name in catalog.names():
        lasts.setdefault(name.rpartition(".")[2].lower(), []).append(name)
    near = get_close_matches(query, catalog.names(), 5, 0.75)
    for last in get_close_matches(tail.lower(), lasts, 5, 0.7):
        near += [name for name in lasts[last] if name not in near]
    return Found(query, "nothing", (), tuple(near[:5]))


def _by_words(catalog: Catalog, query: str) -> tuple[str, ...]:
    """Names whose entry speaks of all words of the query; names that hold them first."""
    words = [word for word in re.findall(r"\w+", query.lower()) if len(word) > 2 and word != ROOT]
    if not words:
        return ()
    scored = []
    for name in catalog.names():
        described = " ".join(_description(entry) for entry in catalog.find(name)).lower()
        if all(word in name.lower() or word in described for word in words):
            scored.append((-sum(word in name.lower() for word in words), name.count("."), name))
    return tuple(name for _, _, name in sorted(scored)[:_MOST])


def _description(entry: Entry) -> str:
    return ((ast.get_docstring(entry.node) or "") if entry.node else "") + " " + entry.why


def _by_mindspore(catalog: Catalog, query: str) -> tuple[str, ...]:
    wanted = {"ms": "mindspore", "ops": "mindspore.ops", "mint": "mindspore.mint", "nn": "mindspore.nn"}
    first, dot, rest = query.partition(".")
    full = f"{wanted.get(first, first)}{dot}{rest}"
    names = _users(catalog).get(full, ())
    return tuple(sorted(names, key=lambda n: (n.count("."), n)))[:_MOST]


@lru_cache(maxsize=2)
def _users(catalog: Catalog) -> dict[str, list[str]]:
    """Torch names by the MindSpore name that their entry uses."""
    users: dict[str, list[str]] = {}
    for entry in catalog.entries:
        for used in mindspore_names(entry):
            users.setdefault(used, []).extend(entry.names)
    return users


def mindspore_names(entry: Entry) -> tuple[str, ...]:
    """The MindSpore APIs that an entry is written in, in the order of its text."""
    found: dict[str, None] = {}
    for root in (entry.node, entry.expression):
        if root is None:
            continue
        for node in _outermost(root):
            name = _dotted(entry, node)
            if name is not None and name.startswith("mindspore."):
                found[name] = None
    return tuple(found)


def _outermost(node: ast.AST) -> Iterator[ast.expr]:
    """The longest dotted names below `node`; annotations and decorators hold none that count."""
    if isinstance(node, ast.Attribute | ast.Name):
        yield node
        if isinstance(node, ast.Attribute):
            inner: ast.expr = node
            while isinstance(inner, ast.Attribute):
                inner = inner.value
            if not isinstance(inner, ast.Name):
                yield from _outermost(inner)
        return
    for name, value in ast.iter_fields(node):
        if name in ("decorator_list", "annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else (value,):
            if isinstance(child, ast.AST):
                yield from _outermost(child)


def _dotted(entry: Entry, node: ast.expr) -> str | None:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    if node.id in entry.module.imports:
        module, name = entry.module.imports[node.id]
        return ".".join([module, *([name] if name else []), *reversed(parts)])
    arguments = entry.arguments
    if arguments is not None and len(parts) == 1 and [a.arg for a in (*arguments.posonlyargs, *arguments.args)][:1] == [node.id]:
        for prefix, owner in _RECEIVERS:
            if any(each.startswith(prefix) for each in entry.names):
                return f"{owner}.{parts[0]}"
    return None
