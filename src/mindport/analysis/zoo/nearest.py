"""The nearest existing MindSpore models: by names of projects and classes, and by what their classes are built from."""

from __future__ import annotations

import gzip
import json
import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mindport.analysis.recipe.settings import normal

_DATA = Path(__file__).parent / "data" / "models.json.gz"
#: A name that more models than this have says nothing about which it is.
_MOST_COMMON = 12
_EMPTY = frozenset(("py", "pytorch", "torch", "model", "models", "net", "network", "base", "main", "master", "src", "project", "a", "of", "the", "and", "is", "all", "you", "need", "block", "blocks", "layer", "layers", "module", "modules", "utils", "conv", "norm", "act", "generator", "discriminator", "critic", "encoder", "decoder", "head", "neck", "backbone", "attention", "transformer", "adaptive", "det", "rec", "lib", "core", "new", "pretrained", "image", "vision", "classification", "detection", "learning", "deep", "neural", "official", "research", "mask", "dense", "simple", "multi", "single", "baseline", "baselines", "loss", "rnn", "gru", "lstm", "cnn", "mlp", "gan", "head", "heads", "unit", "cell", "agent", "feature", "features", "embedding", "resolution", "band", "lit", "mnist", "cifar", "demo", "template", "lightning", "hydra", "stft", "audio", "test", "train", "training"))

#: Classes that wrap one function: two networks that have one are no more alike than others.
_GENERIC = frozenset(("flatten", "identity", "swish", "mish", "reshape", "lambda", "lambdalayer", "residual", "view", "squeeze", "hswish", "hsigmoid", "permute", "upsample", "downsample", "concat", "noop", "normalize", "noise", "scale"))
#: One class of so many that agrees is a coincidence; a part of a name tells something where the layers agree so far.
_PART = "names share "
_MANY_CLASSES, _LEAST_ALIKE = 5, 0.5


@dataclass(frozen=True)
class Near:
    """A model of a zoo.

    `shared`: its classes that the project has under the same name; `alike`: the project's other classes that are built from the
    same layers as one there, as (class, class there); `of`: classes of the project compared.
    """

    zoo: str
    path: str
    name: str
    task: str
    score: float
    shared: tuple[str, ...]
    of: int
    reasons: tuple[str, ...]
    alike: tuple[tuple[str, str], ...] = ()

    @property
    def share(self) -> float:
        """The project's classes that have one of the same name or of the same layers there, in per cent."""
        return 100.0 * (len(self.shared) + len(self.alike)) / self.of if self.of else 0.0


#: Layers that make up a build: those with weights, under torch's names.
_WEIGHTED = re.compile(r"(Lazy)?(Conv(Transpose)?[123]d|Linear|Bilinear|Embedding(Bag)?|(Batch|Instance|Group|Layer|RMS|Sync\w*)Norm([123]d)?|LSTM|GRU|RNN|LSTMCell|GRUCell|MultiheadAttention|PReLU)")
#: Layers that are one where they are counted.
_SAME_LAYER = {"SyncBatchNorm": "BatchNorm2d"}
#: A build of fewer layers is everybody's; so many different builds, and this share of the project's, are a reason of their own.
_LEAST_LAYERS, _LEAST_BUILDS, _LEAST_SHARE = 2, 3, 0.5
#: A build that more models have than this is everybody's.
_MOST_COMMON_BUILD = 60


def build_of(layers: Mapping[str, int]) -> str:
    """What a class constructs itself, as ``BatchNorm2d 2, Conv2d 2``; "" for fewer than two layers with weights."""
    counted = {_SAME_LAYER.get(kind, kind): count for kind, count in sorted(layers.items()) if _WEIGHTED.fullmatch(kind)}
    return ", ".join(f"{kind} {count}" for kind, count in counted.items()) if sum(counted.values()) >= _LEAST_LAYERS else ""


@cache
def index() -> dict[str, Any]:
    """The index: `zoos` with their commits, `models`."""
    loaded: dict[str, Any] = json.loads(gzip.decompress(_DATA.read_bytes()))
    return loaded


@cache
def _frequency() -> dict[str, int]:
    counted: dict[str, int] = {}
    for model in index()["models"]:
        for name in {_plain(each) for each in model["classes"]}:
            counted[name] = counted.get(name, 0) + 1
    return counted


@cache
def _builds() -> dict[str, int]:
    """How many models have a class of each build."""
    counted: dict[str, int] = {}
    for model in index()["models"]:
        for build in set(model.get("builds", {}).values()):
            counted[build] = counted.get(build, 0) + 1
    return counted


def nearest(names: Collection[str], classes: Collection[str], layers: Mapping[str, int], most: int = 3, builds: Mapping[str, str] | None = None) -> list[Near]:
    """The models most like a network, best first; none where neither a name, nor a telling class, nor most of the builds agree.

    `names` are what the project and its networks are called, `classes` its module classes, `layers` the
    layers it constructs by kind, `builds` what each class constructs itself (`build_of`). Layers alone are no reason, nor is
    one build: many networks are built from the same ones; several uncommon builds are.
    """
    wanted = {_plain(name): name for name in names if _plain(name) not in _EMPTY}
    words = {word for name in names for word in _words(name)}
    own = {_plain(name): name for name in classes}
    found = []
    for model in index()["models"]:
        theirs = {_plain(name) for name in model["classes"]}
        shared = sorted(own[name] for name in own.keys() & theirs)
        telling = [name for name in shared if _frequency().get(_plain(name), 0) <= _MOST_COMMON and len(name) > 3 and _plain(name) not in _GENERIC]
        score, reasons = 0.0, []
        plain = _plain(model["name"])
        if plain in wanted:
            score += 3.0
            reasons.append(f"the model is called like {wanted[plain]}")
        elif words & set(_words(model["name"])):
            score += 1.2
            reasons.append(_PART + ", ".join(sorted(words & set(_words(model["name"])))))
        if named := sorted(wanted[name] for name in wanted.keys() & theirs):
            score += 1.5
            reasons.append("it has a class " + ", ".join(named))
        if telling and (len(telling) > 1 or reasons or len(own) < _MANY_CLASSES):
            score += sum(1 / math.log2(1 + _frequency()[_plain(name)]) if _frequency()[_plain(name)] > 1 else 1.0 for name in telling) / max(len(own), 1) * 4
            reasons.append("classes of the same name: " + ", ".join(telling[:6]))
        theirs_by_build = {build: name for name, build in sorted(model.get("builds", {}).items(), reverse=True)}
        alike_classes = tuple((name, theirs_by_build[build]) for name, build in sorted((builds or {}).items()) if build in theirs_by_build and name not in shared and _builds()[build] <= _MOST_COMMON_BUILD)
        uncommon = {build for build in (builds or {}).values() if build in theirs_by_build and _builds()[build] <= _MOST_COMMON_BUILD}
        matched = len(alike_classes) + sum(name in shared for name in builds or {})
        if len(uncommon) >= _LEAST_BUILDS and matched >= _LEAST_SHARE * len(builds or {}):
            score += sum(1 / math.log2(1 + _builds()[build]) if _builds()[build] > 1 else 1.0 for build in uncommon) / max(len(own), 1) * 3
            reasons.append(f"{len(uncommon)} uncommon builds agree: " + "; ".join(sorted(uncommon, key=lambda build: (-len(build), build))[:3]))
        if not reasons:
            continue
        alike = _cosine(layers, model["layers"])
        if len(reasons) == 1 and reasons[0].startswith(_PART) and model["layers"] and layers and alike < _LEAST_ALIKE:
            continue
        if model["layers"] and layers:
            score += alike
            reasons.append(f"layers by kind agree to {alike:.2f} (cosine)")
        found.append(Near(model["zoo"], model["path"], model["name"], model["task"], score, tuple(shared), len(own), tuple(reasons), alike_classes))
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
