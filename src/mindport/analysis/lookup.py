"""Finds entries by a PyTorch name, backwards by a MindSpore name, by another framework's, by part of a name, or by words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from typing import Literal

from mindport.analysis import torch_names
from mindport.analysis.foreign import aliases
from mindport.analysis.other_names import MINDSPORE, by_spelling, direct, dotted, mirrored, primitives
from mindport.analysis.word_search import by_words
from mindport.catalog import Catalog, Entry
from mindport.inference.torchfacts import canonical

#: So many names are listed by anything but a MindSpore name, whose users are all listed.
MOST = 12


@dataclass(frozen=True)
class Found:
    """What a query leads to. `names` are torch names; `near` has the nearest where nothing fits."""

    query: str
    how: Literal["name", "name but for its case", "mindspore name", "another framework's name", "part of a name", "words", "nothing"]
    names: tuple[str, ...] = ()
    near: tuple[str, ...] = field(default=())


def lookup(catalog: Catalog, query: str) -> Found:
    """The torch names that `query` means, by the first way that leads anywhere."""
    query = re.sub(r"\(.*\)$", "", query.strip()).strip().lstrip(".")
    official = canonical(query)
    if catalog.find(official):
        return Found(query, "name", (official,))
    first = query.partition(".")[0]
    if first in MINDSPORE:
        backwards = _backwards(catalog, query)
        if backwards:
            return Found(query, "mindspore name", backwards)
    foreign = aliases(query, frozenset(catalog.names())) if "." in query else ()
    if foreign:
        return Found(query, "another framework's name", foreign)
    if " " in query:
        worded = by_words(catalog, query, MOST)
        if worded:
            return Found(query, "words", worded)
    ends = _ends(catalog, query) if query else []
    if not ends and "." in query:  # F.relu, nn.Conv2d: the user's own alias before the first dot
        ends = _ends(catalog, query.partition(".")[2])
    if ends:
        return Found(query, "part of a name", tuple(sorted(ends, key=lambda n: (n.count("."), n))[:MOST]))
    backwards = _by_mindspore(catalog, query)
    if not backwards and first not in ("torch", "torchvision"):
        backwards = primitives(catalog, query)
    if backwards:
        return Found(query, "mindspore name", backwards)
    foreign = aliases(query, frozenset(catalog.names()))
    if foreign:
        return Found(query, "another framework's name", foreign)
    alike = _alike(catalog, query)
    if alike:
        return Found(query, "name but for its case", alike)
    if "." not in query:  # a typo in a single word leads to the nearest names below
        worded = by_words(catalog, query, MOST, typos=False)
        if worded:
            return Found(query, "words", worded)
    return Found(query, "nothing", (), _near(catalog, query))


def _backwards(catalog: Catalog, query: str) -> tuple[str, ...]:
    """What a name that begins like MindSpore's leads to: its users, what it mirrors, or what people use it for."""
    found = _by_mindspore(catalog, query)
    mirror = mirrored(query)
    if mirror is not None:
        known = frozenset(catalog.names())
        own = (mirror,) if mirror in known else aliases(mirror, known)
        found = tuple(dict.fromkeys((*own, *found)))
    return found or primitives(catalog, query)


def _ends(catalog: Catalog, tail: str) -> list[str]:
    return [name for name in catalog.names() if name.endswith("." + tail)]


def _alike(catalog: Catalog, query: str) -> tuple[str, ...]:
    """Names in the namespace asked for that differ in case and underscores alone."""
    owner, _, last = query.rpartition(".")
    named = by_spelling(catalog, last)
    inside = tuple(name for name in named if not owner or name.rpartition(".")[0].lower().endswith(owner.lower()))
    return inside or (() if owner.startswith(torch_names.ANSWERED) else named)


def _near(catalog: Catalog, query: str) -> tuple[str, ...]:
    lasts: dict[str, list[str]] = {}
    for name in catalog.names():
        lasts.setdefault(name.rpartition(".")[2].lower(), []).append(name)
    near = get_close_matches(query, catalog.names(), 5, 0.75)
    for last in get_close_matches(query.rpartition(".")[2].lower(), lasts, 5, 0.7):
        near += [name for name in lasts[last] if name not in near]
    return tuple(near[:5])


def mindspore_name(query: str) -> str:
    """A MindSpore name in full: ``ops.relu`` is ``mindspore.ops.relu``."""
    wanted = {"ms": "mindspore", "ops": "mindspore.ops", "mint": "mindspore.mint", "nn": "mindspore.nn"}
    first, dot, rest = query.partition(".")
    return f"{wanted.get(first, first)}{dot}{rest}"


def _by_mindspore(catalog: Catalog, query: str) -> tuple[str, ...]:
    """Torch names by a MindSpore name: first the ones called alike and the ones that come down to it, then what else uses it."""
    wanted = mindspore_name(query)
    last = wanted.rpartition(".")[2].lower()
    ranks: dict[str, tuple[bool, bool, int, str]] = {}
    for entry in _users(catalog).get(wanted, ()):
        comes_down = wanted in direct(entry)
        for name in entry.names:
            rank = (name.rpartition(".")[2].lower() != last or not comes_down, not comes_down, name.count("."), name)
            ranks[name] = min(rank, ranks.get(name, rank))
    return tuple(sorted(ranks, key=lambda name: ranks[name]))


@lru_cache(maxsize=2)
def _users(catalog: Catalog) -> dict[str, list[Entry]]:
    """Entries by the MindSpore names that they use."""
    users: dict[str, list[Entry]] = {}
    for entry in catalog.entries:
        for used in mindspore_names(entry):
            users.setdefault(used, []).append(entry)
    return users


def mindspore_names(entry: Entry) -> tuple[str, ...]:
    """The MindSpore APIs that an entry is written in, in the order of its text."""
    found: dict[str, None] = {}
    for root in (entry.node, entry.expression):
        if root is None:
            continue
        for node in _outermost(root):
            name = dotted(entry, node)
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
