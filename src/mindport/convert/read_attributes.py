"""Attributes of layers that a project reads: where MindSpore's own class does not have torch's value, the vendored class must stand.

What each attribute needs is data of a run (`evidence.layer_attributes`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from pathlib import PurePosixPath

from mindport.catalog import Catalog
from mindport.convert.context import MODULE
from mindport.evidence import layer_attributes
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Facts, Use
from mindport.source.file import SourceFile

#: Layer → attribute → what gives it (`layer_attributes`).
Wanted = dict[str, dict[str, str]]
#: What torch's layers' names begin with.
LAYERS = "torch.nn."
#: Where networks of other libraries are written with our layers.
NETWORKS = "mindport.layers.vision_models."
#: Constructor arguments without which torch's layers have no parameters, bias or running statistics.
SWITCHES = frozenset(("affine", "track_running_stats", "elementwise_affine", "bias"))
#: So many attributes of one layer, read off one name, say that it may be such a layer.
TELLING = 3


def needs_vendored(outcome: str) -> bool:
    """Whether only the vendored class has torch's value."""
    return outcome == "vendored" or layer_attributes.is_kept(outcome)


def computes_itself(facts: Facts, use: Use) -> bool:
    """Whether an attribute is set on a class of the project with a `forward` of its own, which reads it back."""
    receiver = facts.value(use.node.value) if use.kind == "store" and isinstance(use.node, ast.Attribute) else v.Unknown()
    return all(
        isinstance(option, v.ProjectInstance) and any("forward" in scope.names for scope in option.cls.scope.mro) for option in v.options(receiver)
    )  # fmt: skip


def unanswered(layer: str, attribute: str, kind: str) -> str:
    """Why reading or setting an attribute is not converted."""
    if kind == "store":
        return f"nothing shows that the layer follows a {attribute} that is set after it was made: give it to {layer.rpartition('.')[2]}(…)"
    return f"what stands for {layer} has no {attribute}, or in another form"


def wanted(catalog: Catalog, files: Sequence[SourceFile], facts: Mapping[PurePosixPath, Facts]) -> Wanted:
    """The layers that must be vendored because of what the project reads off them or sets later, or reads off modules that may be one of them."""
    found: Wanted = {}
    made = layers_made(catalog, facts.values())
    held = cache(lambda: names_held(files))  # few projects ask for it
    for file in files:
        known = facts[file.relative]
        for use in known.uses:
            outcome = layer_attributes.outcome(use.name, set_later=use.kind == "store") if use.kind in ("attribute", "store") else ""
            if needs_vendored(outcome):
                owner, _, attribute = use.name.rpartition(".")
                found.setdefault(owner, {})[attribute if use.kind == "attribute" else layer_attributes.stored(attribute)] = outcome
        for owner, attribute in matched(file, known):
            outcome = layer_attributes.outcome(f"{owner}.{attribute}", set_later=False)
            if needs_vendored(outcome):
                found.setdefault(owner, {})[attribute] = outcome
        for attribute in _named_of_modules(file, known, held):
            for layer in _layers_with().get(attribute, frozenset()) & made:
                found.setdefault(layer, {})[attribute] = layer_attributes.load()[layer][attribute]
        for layer, attributes in _read_as_of_layers(file, known, made):
            found.setdefault(layer, {}).update((name, layer_attributes.load()[layer][name]) for name in attributes)
    return found


def matched(file: SourceFile, facts: Facts) -> Iterator[tuple[str, str]]:
    """Classes and attributes that patterns ask for: ``case nn.Linear(in_features=n):``."""
    asked = {id(node.cls): node.kwd_attrs for node in file.nodes if isinstance(node, ast.MatchClass)}
    for use in facts.uses:
        for attribute in asked.get(id(use.node), ()):
            yield use.name, attribute


def layers_made(catalog: Catalog, facts: Iterable[Facts]) -> frozenset[str]:
    """The layers that a project makes: those that it names, and those of networks that stand in the vendored module (torchvision's)."""
    named = {use.name for known in facts for use in known.uses if use.kind in ("call", "base", "value")}
    modules = {entry.module.name for name in named for entry in catalog.find(name)}
    reached: set[str] = set()
    while modules - reached:
        module = (modules - reached).pop()
        reached.add(module)
        modules |= {source for source, _ in catalog.modules[module].imports.values() if source.startswith(NETWORKS) and source in catalog.modules}
    within = {origin for module in reached if module.startswith(NETWORKS) for origin in catalog.modules[module].imports.values()}
    if not within:
        return frozenset(named)
    return frozenset(named.union(*(entry.names for entry in catalog.entries if entry.node is not None and (entry.module.name, entry.node.name) in within)))


def without_parameters(catalog: Catalog, facts: Iterable[Facts]) -> frozenset[str]:
    """The layers that the project makes, or may make, without some of their parameters or statistics."""
    found = set()
    for known in facts:
        for use in known.uses:
            entry = next((e for e in catalog.find(use.name) if e.kind == "layer"), None)
            if entry is None or entry.arguments is None or use.kind != "call" or not isinstance(use.node, ast.Call):
                continue
            given = {k.arg: k.value for k in use.node.keywords} | dict(zip((a.arg for a in entry.arguments.args), use.node.args, strict=False))
            if any(name is None or name in SWITCHES and not (isinstance(node, ast.Constant) and node.value is True) for name, node in given.items()):
                found.add(use.name)
    return frozenset(found)


def asked_attribute(call: ast.Call) -> str:
    """``weight`` of ``getattr(m, "weight", None)``, ``hasattr(m, "weight")``, ``setattr(m, "weight", w)``; "" elsewhere."""
    if isinstance(call.func, ast.Name) and call.func.id in ("getattr", "hasattr", "setattr") and len(call.args) > 1:
        name = call.args[1]
        return name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ""
    return ""


def set_by_computed_name(node: ast.AST, facts: Facts) -> bool:
    """``setattr(m, name, value)``: an attribute whose name is decided when the program runs, of what is some module; modules and parameters are set otherwise."""
    match node:
        case ast.Call(func=ast.Name(id="setattr"), args=[owner, name, value], keywords=[]) if not isinstance(name, ast.Constant):
            modules = any(isinstance(option, v.Instance) and (option.cls == MODULE or option.cls.startswith(LAYERS)) for option in v.options(facts.value(owner)))
            return modules and not any(isinstance(option, v.TensorValue | v.ProjectInstance) for option in v.options(facts.value(value)))
    return False


def names_held(files: Iterable[SourceFile]) -> frozenset[str]:
    """What a name that is computed may be: the files' texts and the names of their keyword arguments."""
    found = set()
    for file in files:
        for node in file.nodes:
            match node:
                case ast.Constant(value=str(name)) | ast.keyword(arg=str(name)):
                    found.add(name)
    return frozenset(found)


def _named_of_modules(file: SourceFile, facts: Facts, held: Callable[[], Set[str]]) -> Iterator[str]:
    """The attributes that are read off modules that may be any, and, as `layer_attributes.stored` names them, those that are set on such or on something unknown."""
    for node in file.nodes:
        if set_by_computed_name(node, facts):
            yield from ({layer_attributes.stored(name) for name in held()} | held()) & _layers_with().keys()  # read, too: ``if hasattr(m, name):`` stands before it
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load | ast.Store):
            name, receiver, sets = node.attr, node.value, isinstance(node.ctx, ast.Store)
        elif isinstance(node, ast.Call) and (name := asked_attribute(node)):
            receiver, sets = node.args[0], isinstance(node.func, ast.Name) and node.func.id == "setattr"
        else:
            continue
        name = layer_attributes.stored(name) if sets else name
        if name not in _layers_with():
            continue
        options = v.options(facts.value(receiver))
        classes = {option.cls for option in options if isinstance(option, v.Instance)}
        asked_of_layer = isinstance(node, ast.Call) and any(cls.startswith(LAYERS) for cls in classes)
        own = isinstance(receiver, ast.Name) and receiver.id in ("self", "cls")
        if MODULE in classes or asked_of_layer or sets and not own and any(isinstance(option, v.Unknown) for option in options):
            yield name


def _read_as_of_layers(file: SourceFile, facts: Facts, made: Set[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Layers, and what only their vendored class has of what is read off names of which nothing is known but that so many of a layer's attributes are asked of them."""
    read: dict[tuple[int, str], set[str]] = {}

    def visit(node: ast.AST, around: tuple[int, ...]) -> None:
        match node:
            case ast.Attribute(value=ast.Name() | ast.Attribute() as owner, attr=name, ctx=ast.Load()) if not name.startswith("__") and all(isinstance(option, v.Unknown) for option in v.options(facts.value(owner))):
                for place in around:
                    read.setdefault((place, ast.unparse(owner)), set()).add(name)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.If):  # the name may stand for another layer in each function, and in each case
            around = (*around, id(node))
        for child in ast.iter_child_nodes(node):
            visit(child, around)

    visit(file.tree, (0,))
    for names in read.values():
        for layer in layer_attributes.load().keys() & made:
            attributes = layer_attributes.load()[layer]
            if len(names & attributes.keys()) >= TELLING and all(name in attributes or torchfacts.member(layer, name) is not None for name in names):
                yield layer, frozenset(name for name in names & attributes.keys() if needs_vendored(attributes[name]))


@cache
def _layers_with() -> dict[str, frozenset[str]]:
    """Attribute → the layers whose vendored class alone has it."""
    found: dict[str, set[str]] = {}
    for layer, outcomes in layer_attributes.load().items():
        for attribute, outcome in outcomes.items():
            if needs_vendored(outcome):
                found.setdefault(attribute, set()).add(layer)
    return {attribute: frozenset(layers) for attribute, layers in found.items()}
