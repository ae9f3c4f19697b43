"""Finds entries by a PyTorch name, backwards by a MindSpore name, by another framework's, by part of a name, or by words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from typing import Literal

from mindport.analysis.foreign import aliases
from mindport.analysis.word_search import by_words
from mindport.catalog import RECEIVERS, Catalog, Entry
from mindport.inference.torchfacts import canonical

#: How MindSpore's class of a method entry's receiver is called.
_RECEIVERS = tuple((f"{theirs}.", ours) for theirs, ours in RECEIVERS.items())
#: So many names are listed by anything but a MindSpore name, whose users are all listed.
MOST = 12


@dataclass(frozen=True)
class Found:
    """What a query leads to. `names` are torch names; `near` has the nearest where nothing fits."""

    query: str
    how: Literal["name", "mindspore name", "another framework's name", "part of a name", "words", "nothing"]
    names: tuple[str, ...] = ()
    near: tuple[str, ...] = field(default=())


def lookup(catalog: Catalog, query: str) -> Found:
    """The torch names that `query` means, by the first way that leads anywhere."""
    query = query.strip().removesuffix("()")
    official = canonical(query)
    if catalog.find(official):
        return Found(query, "name", (official,))
    if query.split(".")[0] in ("mindspore", "ms", "ops", "mint"):
        backwards = _by_mindspore(catalog, query)
        if backwards:
            return Found(query, "mindspore name", backwards)
    foreign = aliases(query, frozenset(catalog.names()))
    if foreign:
        return Found(query, "another framework's name", foreign)
    if " " in query:
        worded = by_words(catalog, query, MOST)
        if worded:
            return Found(query, "words", worded)
    tail = query.rpartition(".")[2]
    ends = [name for name in catalog.names() if name.endswith("." + query)]
    if not ends and "." in query:  # F.relu, nn.Conv2d: the user's own alias before the first dot
        ends = [name for name in catalog.names() if name.endswith("." + query.partition(".")[2])]
    if ends:
        return Found(query, "part of a name", tuple(sorted(ends, key=lambda n: (n.count("."), n))[:MOST]))
    backwards = _by_mindspore(catalog, query)
    if backwards:
        return Found(query, "mindspore name", backwards)
    lasts: dict[str, list[str]] = {}
    for name in catalog.names():
        lasts.setdefault(name.rpartition(".")[2].lower(), []).append(name)
    if "." not in query:  # a typo in a single word leads to the nearest names below
        worded = by_words(catalog, query, MOST, typos=False)
        if worded:
            return Found(query, "words", worded)
    near = get_close_matches(query, catalog.names(), 5, 0.75)
    for last in get_close_matches(tail.lower(), lasts, 5, 0.7):
        near += [name for name in lasts[last] if name not in near]
    return Found(query, "nothing", (), tuple(near[:5]))


def mindspore_name(query: str) -> str:
    """A MindSpore name in full: ``ops.relu`` is ``mindspore.ops.relu``."""
    wanted = {"ms": "mindspore", "ops": "mindspore.ops", "mint": "mindspore.mint", "nn": "mindspore.nn"}
    first, dot, rest = query.partition(".")
    return f"{wanted.get(first, first)}{dot}{rest}"


def _by_mindspore(catalog: Catalog, query: str) -> tuple[str, ...]:
    names = _users(catalog).get(mindspore_name(query), ())
    return tuple(sorted(set(names), key=lambda n: (n.count("."), n)))


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
