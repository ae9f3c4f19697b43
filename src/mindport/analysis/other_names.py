"""What an API is called elsewhere: MindSpore's primitives and older names as data, the names an equivalent is written in, other words.

A name leads to the torch names that a reader means by it; it promises no equal semantics.
"""

from __future__ import annotations

import ast
import re
from functools import cache, lru_cache
from pathlib import Path

from mindport.analysis.foreign import foreign_names
from mindport.analysis.word_search import PHRASES, synonyms
from mindport.catalog import RECEIVERS, Catalog, Entry

_DATA = Path(__file__).parent / "data" / "mindspore_names.tsv"
#: How MindSpore's class of a method entry's receiver is called.
_RECEIVERS = tuple((f"{theirs}.", ours) for theirs, ours in RECEIVERS.items())
#: The beginnings of MindSpore names that people write.
MINDSPORE = ("mindspore", "ms", "ops", "mint", "P", "msnp", "mnp")
#: MindSpore's modules that mirror torch's or NumPy's names, and what their names begin with there.
_MIRRORS = (("mindspore.mint.", "torch."), ("mint.", "torch."), ("mindspore.numpy.", "numpy."), ("msnp.", "numpy."), ("mnp.", "numpy."))


@cache
def _table() -> dict[str, tuple[str, ...]]:
    lines = _DATA.read_text("utf-8").splitlines()
    return {name: tuple(torch.split(" ")) for name, _, torch in (line.partition("\t") for line in lines)}


@cache
def _by_bare_spelling() -> dict[str, tuple[str, ...]]:
    return {_bare(name): names for name, names in _table().items()}


def mirrored(query: str) -> str | None:
    """The name in torch or NumPy that a name of ``mindspore.mint`` or ``mindspore.numpy`` mirrors; None for other names."""
    for ours, theirs in _MIRRORS:
        if query.startswith(ours):
            return theirs + query.removeprefix(ours)
    return None


def primitives(catalog: Catalog, query: str) -> tuple[str, ...]:
    """Torch names for a name of MindSpore that no equivalent is written in: a primitive (``ops.ReduceMean``), an older function."""
    last = query.rpartition(".")[2]
    listed = tuple(name for name in _table().get(last) or _by_bare_spelling().get(_bare(last), ()) if catalog.find(name))
    if listed or query.partition(".")[0] not in MINDSPORE:
        return listed
    return by_spelling(catalog, last)


def by_spelling(catalog: Catalog, last: str) -> tuple[str, ...]:
    """Names whose last part differs in case and underscores alone, the plain function first."""
    names = _by_bare(catalog).get(_bare(last), ())
    return tuple(sorted(names, key=lambda n: (n.rpartition(".")[0] not in _PLAIN, n.count("."), n)))


_PLAIN = ("torch", "torch.nn", "torch.nn.functional", "torch.Tensor", "torch.optim", "torch.linalg", "torch.special", "torch.fft", "torchvision.ops")


@lru_cache(maxsize=2)
def _by_bare(catalog: Catalog) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in catalog.names():
        if name.rpartition(".")[0] in _PLAIN:
            found.setdefault(_bare(name.rpartition(".")[2]), []).append(name)
    return found


def _bare(word: str) -> str:
    return word.replace("_", "").lower()


def direct(entry: Entry) -> tuple[str, ...]:
    """The MindSpore APIs that some path of the entry comes down to: what it returns the call of, or derives from."""
    ends: list[ast.expr] = []
    if isinstance(entry.node, ast.ClassDef):
        ends = list(entry.node.bases)
    elif entry.node is not None:
        ends = [each.value for each in ast.walk(entry.node) if isinstance(each, ast.Return) and each.value is not None]
    if entry.expression is not None:
        ends.append(entry.expression)
    found: dict[str, None] = {}
    for end in ends:
        name = dotted(entry, end.func if isinstance(end, ast.Call) else end)
        if name is not None and name.startswith("mindspore."):
            found[name] = None
    return tuple(found)


def dotted(entry: Entry, node: ast.expr) -> str | None:
    """What a dotted expression in an entry's body names in full; None where it is no name."""
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


def also_called(catalog: Catalog, name: str) -> tuple[str, ...]:
    """Under what else people look for a name: MindSpore's names, other frameworks', and words of the same meaning."""
    ours = dict.fromkeys(used for entry in catalog.find(name) for used in direct(entry))
    found = [*ours, *_listed().get(name, ()), *foreign_names().get(name, ())]
    found += [phrase for phrase, names in PHRASES.items() if name in names]
    words = [w for w in re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name.rpartition(".")[2]).lower()) if len(w) > 2]
    found += sorted({other for word in words for other in synonyms(word)} - {*words})
    return tuple(dict.fromkeys(found))


@cache
def _listed() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for ours, names in _table().items():
        for name in names:
            found.setdefault(name, []).append(ours)
    return found
