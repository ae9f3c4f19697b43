"""How a project constructs its networks, and what it feeds them: only what its text says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mindport.analysis import torch_names
from mindport.analysis.answers import Quote
from mindport.analysis.documents import readme_lines
from mindport.analysis.network_run.layer_rules import PREFIX
from mindport.analysis.network_run.statements import Run
from mindport.analysis.network_run.values import Instance, Scope, Shape, Undecided, Unknown
from mindport.analysis.network_tree import Network
from mindport.analysis.recipe.following import Follower
from mindport.analysis.recipe.settings import Settings
from mindport.analysis.subject import Subject, in_tests
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.defaults import defaults_of
from mindport.source.file import SourceFile

#: Different constructions of one class that are computed.
_MOST_PLANS = 6
#: Names of a constructor's argument for the size of the images.
_SIZES = ("img_size", "image_size", "input_size", "resolution", "input_resolution")
_CROPS = ("CenterCrop", "RandomCrop", "RandomResizedCrop")
_DATA_SETS: dict[str, Shape] = {
    **dict.fromkeys(("MNIST", "FashionMNIST", "KMNIST", "EMNIST", "QMNIST"), (28, 28)), **dict.fromkeys(("CIFAR10", "CIFAR100", "SVHN"), (32, 32)),
}  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """One way a class is constructed. `how` says whose arguments they are; `place` where it stands."""

    args: tuple[Any, ...]
    keywords: dict[str, Any]
    how: str
    place: Quote


@dataclass(frozen=True)
class Input:
    """The shapes a network is called with; `how` and `place` say where they are from."""

    shapes: tuple[Shape, ...]
    how: str
    place: Quote | None


class Sites:
    """Where the project's classes are constructed, and where their instances are called; collected in one walk."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.constructed: dict[ast.ClassDef, list[tuple[SourceFile, Facts, ast.Call]]] = {}
        self.called: dict[ast.ClassDef, list[tuple[SourceFile, Facts, ast.Call]]] = {}
        for file, known in subject.facts.items():
            for call in file.nodes:
                if not isinstance(call, ast.Call):
                    continue
                for option in v.options(known.value(call.func)):
                    if isinstance(option, v.ProjectClass):
                        self.constructed.setdefault(option.scope.node, []).append((file, known, call))
                    elif isinstance(option, v.ProjectInstance):
                        self.called.setdefault(option.cls.scope.node, []).append((file, known, call))

    @cached_property
    def follower(self) -> Follower:
        """Follows arguments to command lines and configurations."""
        return Follower(self.subject, Settings(self.subject))

    def plans(self, network: Network) -> Iterator[Plan]:
        """Constructions whose arguments are known, different ones; then, without any, the defaults."""
        seen: list[str] = []
        for file, known, call in self.constructed.get(network.node, []):
            text = ast.dump(call)
            if in_tests(file.relative) or text in seen or any(k.arg is None for k in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
                continue
            scope = Scope(known, str(file.relative))
            args = tuple(self._argument(file, node, scope) for node in call.args)
            keywords = {k.arg: self._argument(file, k.value, scope) for k in call.keywords if k.arg is not None}
            if all(map(_known, (*args, *keywords.values()))):
                seen.append(text)
                yield Plan(args, keywords, "as constructed", self.subject.quote(file, call))
            if len(seen) >= _MOST_PLANS:
                return
        if not seen and _has_defaults(network.node):
            yield Plan((), {}, "with the defaults of its constructor", network.place)

    def _argument(self, file: SourceFile, node: ast.expr, scope: Scope) -> Any:
        """An argument's value: as inference knows it, or as settings give it."""
        try:
            value = Run().evaluate(node, scope)
            if _known(value):
                return value
            followed = self.follower.follow(file, node)
            if followed.known:
                return Run().evaluate(ast.parse(followed.text, mode="eval").body, Scope(Facts(), ""))
        except (Undecided, SyntaxError, ValueError):
            pass
        return Unknown("an argument is not known")


def _known(value: Any) -> bool:
    if isinstance(value, Unknown):
        return False
    if isinstance(value, (list, tuple)):
        return all(map(_known, value))
    if isinstance(value, dict):
        return all(map(_known, value.values()))
    return not isinstance(value, Instance) or not value.unknown


def _has_defaults(node: ast.ClassDef) -> bool:
    constructor = next((s for s in node.body if isinstance(s, ast.FunctionDef) and s.name == "__init__"), None)
    if constructor is None:
        return True
    given = constructor.args
    return len(given.args) - 1 <= len(given.defaults) and None not in given.kw_defaults and given.vararg is None


def inputs(sites: Sites, network: Network, made: Instance, plan: Plan) -> Input | None:
    """What the network is called with; None where nothing says it, or two places disagree."""
    subject = sites.subject
    called = _calls(sites, network)
    if called is not None:
        return called
    first = next((layer for _, layer in made.walk() if layer.layer and "in_channels" in layer.arguments or "in_features" in layer.arguments), None)
    if first is None or first.layer != PREFIX + torch_names.IMAGE_LAYER:
        return None
    channels = first.arguments["in_channels"]
    if not isinstance(channels, int):
        return None
    found = _argument(network, plan) or _pipeline(subject) or _read(subject)
    if found is None:
        return None
    size, how, place = found
    return Input(((1, channels, *size),), how, place)


def _calls(sites: Sites, network: Network) -> Input | None:
    """A call of an instance with tensors whose shapes inference knows."""
    for file, known, call in sites.called.get(network.node, []):
        if not call.args or call.keywords:
            continue
        shapes = [value.shape if isinstance(value := known.value(a), v.TensorValue) else None for a in call.args]
        if all(shape is not None and all(isinstance(n, int) for n in shape) for shape in shapes):
            return Input(tuple(tuple(int(n) for n in shape or () if isinstance(n, int)) for shape in shapes), "as it is called", sites.subject.quote(file, call))
    return None


def _argument(network: Network, plan: Plan) -> tuple[Shape, str, Quote] | None:
    """The image size that the constructor gets."""
    constructor = next((s for s in network.node.body if isinstance(s, ast.FunctionDef) and s.name == "__init__"), None)
    if constructor is None:
        return None
    names = [a.arg for a in constructor.args.args[1:]]
    given = {**{k: d.value for k, d in defaults_of(constructor.args).items() if isinstance(d, ast.Constant)}, **dict(zip(names, plan.args, strict=False)), **plan.keywords}
    for name in _SIZES:
        size = _square(given.get(name))
        if size is not None:
            return size, f"its argument {name}", plan.place
    return None


def _square(value: Any) -> Shape | None:
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return (value, value)
    if isinstance(value, (list, tuple)) and len(value) == 2 and all(isinstance(n, int) for n in value):
        return tuple(value)
    return None


def _pipeline(subject: Subject) -> tuple[Shape, str, Quote] | None:
    """The one size that images are cut to; else that of the data set. None where places disagree."""
    cut: dict[Shape, Quote] = {}
    resized: dict[Shape, Quote] = {}
    sets: dict[Shape, Quote] = {}
    for file, use in subject.uses(torch_names.VISION):
        if use.kind != "call" or not isinstance(use.node, ast.Call) or in_tests(file.relative):
            continue
        name = use.name.rpartition(".")[2]
        quote = subject.quote(file, use.node)
        if name in _DATA_SETS:
            sets.setdefault(_DATA_SETS[name], quote)
        if name not in (*_CROPS, "Resize") or not (use.node.args or use.node.keywords):
            continue
        node = use.node.args[0] if use.node.args else use.node.keywords[0].value
        value = subject.facts[file].value(node)
        plain: Any = value.value if isinstance(value, v.Const) else None
        if isinstance(value, v.Sequence) and value.items is not None:
            plain = [item.value if isinstance(item, v.Const) else None for item in value.items]
        size = _square(plain)
        if size is None:
            return None  # a size that is not known may be the one
        if name in _CROPS:
            cut.setdefault(size, quote)
        elif name == "Resize" and isinstance(plain, list):
            resized.setdefault(size, quote)
        elif not cut and not sets:
            continue
    for found, how in ((cut, "the size that images are cut to"), (resized, "the size that images are resized to"), (sets, "the data set's images")):
        if found:
            if len(found) > 1:
                return None
            ((size, quote),) = found.items()
            return size, how, quote
    return None


def _read(subject: Subject) -> tuple[Shape, str, Quote] | None:
    """The one image size that the README names."""
    sizes: dict[Shape, Quote] = {}
    for line in readme_lines(subject):
        for one, two in re.findall(r"\b(\d{2,4})\s?[x×]\s?(\d{2,4})\b", line.text):
            sizes.setdefault((int(one), int(two)), line.quote)
    if len(sizes) != 1:
        return None
    ((size, quote),) = sizes.items()
    return size, "the size that the README names", quote

