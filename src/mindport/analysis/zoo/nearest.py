"""The nearest existing MindSpore models: by names of projects and classes, and by what they are built from."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mindport.analysis.recipe.settings import normal

_DATA = Path(__file__).parent / "data" / "models.json"
#: A name that more models than this have says nothing about which it is.
_MOST_COMMON = 12
_EMPTY = frozenset(("py", "pytorch", "torch", "model", "models", "net", "network", "base", "main", "master", "src", "project", "a", "of", "the", "and", "is", "all", "you", "need", "block", "blocks", "layer", "layers", "module", "modules", "utils", "conv", "norm", "act", "generator", "discriminator", "critic", "encoder", "decoder", "head", "neck", "backbone", "attention", "transformer"))


@dataclass(frozen=True)
class Near:
    """A model of a zoo: `shared`: its classes that the project has too; `of`: classes of the project compared."""

    zoo: str
    path: str
    name: str
    task: str
    score: float
    shared: tuple[str, ...]
    of: int
    reasons: tuple[str, ...]

    @property
    def share(self) -> float:
        """The project's classes that have one of the same name there, in per cent."""
        return 100.0 * len(self.shared) / self.of if self.of else 0.0


@cache
def index() -> dict[str, Any]:
    """The index: `zoos` with their commits, `models`."""
    loaded: dict[str, Any] = json.loads(_DATA.read_text(encoding="utf-8"))
    return loaded


@cache
def _frequency() -> dict[str, int]:
    counted: dict[str, int] = {}
    for model in index()["models"]:
        for name in {_plain(each) for each in model["classes"]}:
            counted[name] = counted.get(name, 0) + 1
    return counted


def nearest(names: Collection[str], classes: Collection[str], layers: Mapping[str, int], most: int = 3) -> list[Near]:
    """The models most like a network, best first; none where neither a name nor a telling class agrees.

    `names` are what the project and its networks are called, `classes` its module classes, `layers` the
    layers it constructs by kind. Layers alone are no reason: many networks are built from the same ones.
    """
    wanted = {_plain(name): name for name in names}
    words = {word for name in names for word in _words(name)}
    own = {_plain(name): name for name in classes}
    found = []
    for model in index()["models"]:
        theirs = {_plain(name) for name in model["classes"]}
        shared = sorted(own[name] for name in own.keys() & theirs)
        telling = [name for name in shared if _frequency().get(_plain(name), 0) <= _MOST_COMMON and len(name) > 3]
        score, reasons = 0.0, []
        plain = _plain(model["name"])
        if plain in wanted:
            score += 3.0
            reasons.append(f"the model is called like {wanted[plain]}")
        elif words & set(_words(model["name"])):
            score += 1.2
            reasons.append("names share " + ", ".join(sorted(words & set(_words(model["name"])))))
        if named := sorted(wanted[name] for name in wanted.keys() & theirs):
            score += 1.5
            reasons.append("it has a class " + ", ".join(named))
        if telling:
            score += sum(1 / math.log2(1 + _frequency()[_plain(name)]) if _frequency()[_plain(name)] > 1 else 1.0 for name in telling) / max(len(own), 1) * 4
            reasons.append("classes of the same name: " + ", ".join(telling[:6]))
        if not reasons:
            continue
        alike = _cosine(layers, model["layers"])
        if model["layers"] and layers:
            score += alike
            reasons.append(f"layers by kind agree to {alike:.2f} (cosine)")
        found.append(Near(model["zoo"], model["path"], model["name"], model["task"], score, tuple(shared), len(own), tuple(reasons)))
    return sorted(found, key=lambda near: (-near.score, near.path))[:most]


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _words(name: str) -> list[str]:
    parts = {_plain(name), *re.split(r"[^a-z0-9]+", normal(name)), *re.split(r"[^a-z0-9]+", normal(re.sub(r"(?<=[A-Z])(?=[A-Z][a-z])", "_", name)))}
    parts |= {re.sub(r"\d+d?$", "", part) for part in parts}
    return sorted(part for part in parts if len(part) > 2 and part not in _EMPTY)


def _cosine(a: Mapping[str, int], b: Mapping[str, int]) -> float:
    dot = sum(count * b.get(kind, 0) for kind, count in a.items())
    size = math.sqrt(sum(c * c for c in a.values())) * math.sqrt(sum(c * c for c in b.values()))
    return dot / size if size else 0.0
