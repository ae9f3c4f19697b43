"""Which module class builds which: the tree of a project's networks, with the line that constructs each child."""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property

from mindport.analysis import torch_names
from mindport.analysis.answers import Quote
from mindport.analysis.questions.class_tree import kept, module_classes
from mindport.analysis.subject import Subject
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile

_HOLDERS = frozenset(("Module", "ModuleList", "ModuleDict", "Sequential", "Parameter", "ParameterList", "ParameterDict"))
_ADDERS = ("append", "extend", "add_module", "insert")


@dataclass(frozen=True)
class Child:
    """A module that a class keeps: under which attribute, which class, where it is constructed."""

    attribute: str
    kind: str
    cls: ast.ClassDef | None
    place: Quote


@dataclass
class Network:
    """A module class of the project. `layers`: calls in its body that make a library's layer, by kind."""

    node: ast.ClassDef
    file: SourceFile
    facts: Facts
    place: Quote
    children: list[Child] = field(default_factory=list)
    layers: list[tuple[str, ast.Call]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The class's name."""
        return self.node.name


class NetworkTree:
    """The module classes of a project and what builds what. One walk over each class's body."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.networks: dict[ast.ClassDef, Network] = {}
        for file, node, known in module_classes(subject):
            self.networks[node] = Network(node, file, known, subject.quote(file, node))
        for network in self.networks.values():
            self._read(network)

    @cached_property
    def roots(self) -> list[Network]:
        """Networks that hold others or layers, and that no other module class of the project builds or derives from."""
        built = {child.cls for network in self.networks.values() for child in network.children if child.cls is not network.node}
        based = {
            option.scope.node
            for network in self.networks.values() for base in network.node.bases
            for option in v.options(network.facts.value(base)) if isinstance(option, v.ProjectClass)
        }  # fmt: skip
        found = [n for n in self.networks.values() if n.node not in built and n.node not in based and (n.children or n.layers)]
        return _once(found) or [n for n in self.networks.values() if n.children or n.layers][:1]

    def title(self, network: Network) -> str:
        """The class's name, with its file where several networks are called so: ``get_model (pointnet_cls.py)``."""
        same = [root for root in self.roots if root.name == network.name]
        if len(same) < 2:
            return network.name
        last = network.file.relative.name
        return f"{network.name} ({last if sum(root.file.relative.name == last for root in same) < 2 else network.file.relative})"

    def counts(self, network: Network, without: Collection[ast.ClassDef] = ()) -> dict[str, int]:
        """Layers by kind, of the class and of all that it builds but `without`; a construction in a loop counts once."""
        found: dict[str, int] = {}
        self._count(network, found, tuple(without))
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))

    def _count(self, network: Network, found: dict[str, int], above: tuple[ast.ClassDef, ...]) -> None:
        if network.node in above or len(above) > 40 or sum(found.values()) > 20_000:
            return
        for kind, _ in network.layers:
            found[kind] = found.get(kind, 0) + 1
        for child in network.children:
            if child.cls in self.networks and child.cls is not None:
                self._count(self.networks[child.cls], found, (*above, network.node))

    def _read(self, network: Network) -> None:
        seen: set[tuple[str, str, int]] = set()
        attributes = dict(_attributes(network.node))
        for inner in ast.walk(network.node):
            if isinstance(inner, ast.Call) and not isinstance(inner.func, ast.Lambda):
                for option in v.options(network.facts.value(inner)):
                    if isinstance(option, v.Instance) and _makes(network.facts, inner, option.cls):
                        kind = option.cls.rpartition(".")[2]
                        if kind not in _HOLDERS:
                            network.layers.append((kind, inner))
                    elif isinstance(option, v.ProjectInstance) and option.cls.scope.node in self.networks and _constructs(network.facts, inner):
                        self._child(network, attributes.get(id(inner), ""), option, inner, seen)
            elif isinstance(inner, ast.Assign) and isinstance(inner.value, ast.Name) and id(inner.value) in attributes:
                for option in v.options(network.facts.value(inner.value)):  # given by whoever constructs this class
                    if isinstance(option, v.ProjectInstance) and option.cls.scope.node in self.networks:
                        self._child(network, attributes[id(inner.value)], option, inner, seen)
        for statement, attribute, value in kept(network.node, network.facts):
            if isinstance(statement.value, ast.Call) and _asks_elsewhere(network, statement.value):
                for option in v.options(value):
                    if isinstance(option, v.ProjectInstance) and option.cls.scope.node in self.networks:
                        self._child(network, attribute, option, statement.value, seen)

    def _child(self, network: Network, attribute: str, option: v.ProjectInstance, place: ast.AST, seen: set[tuple[str, str, int]]) -> None:
        scope = option.cls.scope
        key = (attribute, scope.name, getattr(place, "lineno", 0))
        if key not in seen:
            seen.add(key)
            network.children.append(Child(attribute, scope.name, scope.node, self.subject.quote(network.file, place)))


def _attributes(node: ast.ClassDef) -> list[tuple[int, str]]:
    """(id of an expression, attribute of self under which its value is kept), for all inside an assignment or append."""
    found: list[tuple[int, str]] = []
    for inner in ast.walk(node):
        name, value = "", None
        if isinstance(inner, (ast.Assign, ast.AnnAssign)):
            for target in inner.targets if isinstance(inner, ast.Assign) else [inner.target]:
                if _own(target):
                    name, value = target.attr, inner.value  # type: ignore[attr-defined]
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and _own(inner.func.value) and inner.func.attr in _ADDERS:
            name, value = inner.func.value.attr, inner  # type: ignore[attr-defined]
        if value is not None:
            found += [(id(part), name) for part in ast.walk(value)]
    return found


def _own(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _makes(facts: Facts, call: ast.Call, cls: str) -> bool:
    """Whether this call constructs the layer, and does not only pass a layer on."""
    return cls.startswith(torch_names.LAYERS) and any(isinstance(o, v.Api) and o.name == cls for o in v.options(facts.value(call.func)))


def _constructs(facts: Facts, call: ast.Call) -> bool:
    return any(isinstance(o, v.ProjectClass) for o in v.options(facts.value(call.func)))


def _asks_elsewhere(network: Network, call: ast.Call) -> bool:
    """Whether a function of the project outside of the class makes what it keeps: ``self.backbone = build_backbone(name)``."""
    inside = {id(node) for node in ast.walk(network.node)}
    return any(isinstance(o, v.ProjectFunction) and id(o.scope.node) not in inside for o in v.options(network.facts.value(call.func)))


def _once(found: list[Network]) -> list[Network]:
    """Each class once: copies that stand elsewhere in the project (beside logs, in notebooks) are told of by the one nearest the root."""
    kept: dict[str, Network] = {}
    for network in sorted(found, key=lambda n: (len(n.file.relative.parts), str(n.file.relative))):
        kept.setdefault(ast.dump(network.node), network)
    return [network for network in found if any(network is each for each in kept.values())]
