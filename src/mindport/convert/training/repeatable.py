"""Whether statements may be computed a second time: they draw no numbers, keep no statistics, and write nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property

from mindport.catalog import Catalog
from mindport.convert.bind import Unbound, bind
from mindport.convert.context import MODULE, Files, Reading
from mindport.convert.own_modes import module_classes
from mindport.convert.read_attributes import names_held
from mindport.convert.training.names import names
from mindport.convert.training.run_once import CHANGING
from mindport.convert.training.second_order import bodies, body_of
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.containers import CONTAINERS
from mindport.inference.facts import Facts
from mindport.inference.overlays.layers import WRAPPERS
from mindport.inference.overlays.storage import NEW
from mindport.inference.overlays.tensors import is_in_place
from mindport.source.defaults import defaults_of, parameters_and_defaults

_TENSOR = "torch.Tensor"
#: What takes this goes on from the vectors of its last call.
_ITERATED = "n_power_iterations"
#: Parameters of what draws numbers or keeps statistics: dropout's p and training, a normalisation's momentum, RReLU's bounds.
_CHANGING = frozenset(("p", "dropout", "training", "momentum", "track_running_stats", _ITERATED, "lower", "generator"))
#: What a call of these does hangs on what they hold.
_HOLDING = CONTAINERS | WRAPPERS
#: By this a normalisation's momentum means something.
_STATISTICS = "track_running_stats"
#: Python's own that only compute.
_COMPUTING = frozenset(
    ["abs", "all", "any", "bool", "dict", "divmod", "enumerate", "filter", "float", "frozenset", "getattr", "hasattr", "int", "isinstance", "issubclass", "iter", "len", "list", "map", "max", "min", "next", "pow", "range", "repr", "reversed", "round", "set", "slice", "sorted", "str", "sum", "super", "tuple", "type", "zip"]
)


def changes(context: Reading, nodes: Iterable[ast.AST]) -> str | None:
    """What a second computation would do besides computing the same, as half a sentence; None where there is nothing."""
    return _Looking(context).changes(context.facts, nodes)


class _Looking:
    """Looks through statements and the project's functions that they call, each once."""

    def __init__(self, context: Reading) -> None:
        self.context = context
        self.catalog = context.shared.catalog
        self.seen: set[int] = set()
        self.asked_all = False

    def changes(self, facts: Facts, nodes: Iterable[ast.AST]) -> str | None:
        nodes = list(nodes)
        own = _own(facts, nodes)
        for node in nodes:
            for part in ast.walk(node):
                found = (None if _is_part(part, own) else writes(part)) or (self.call(facts, part) if isinstance(part, ast.Call) else None)
                if found is not None:
                    return found
        return None

    def call(self, facts: Facts, call: ast.Call) -> str | None:
        text, options = ast.unparse(call.func), v.options(facts.value(call.func))
        if (found := self.options(text, options)) is not None:
            return found
        known = bool(options) and all(isinstance(o, (v.Api, v.Bound, v.Instance, v.ProjectFunction, v.ProjectClass, v.ProjectInstance)) for o in options)
        if known or (isinstance(call.func, ast.Name) and call.func.id in _COMPUTING):
            return None
        return None if self.is_tensors_own(call.func) else self.any_module(text)

    def is_tensors_own(self, func: ast.expr) -> bool:
        """``h.flatten(2).mean``: what only a tensor has under this name, for nothing in the project binds it."""
        if not isinstance(func, ast.Attribute) or func.attr not in torchfacts.members(_TENSOR):
            return False
        return not _is_changing(self.catalog, f"{_TENSOR}.{func.attr}") and func.attr not in self.context.once(_bound)

    def options(self, text: str, options: Iterable[v.Value]) -> str | None:
        """What a call of one of several values may do, as far as it shows what they are."""
        for option in options:
            match option:
                case v.Instance(cls=name, element=held):
                    if (found := self.layer(text, (name,), held)) is not None:
                        return found
                case v.ProjectInstance(cls=cls) if not bodies(option):
                    if (found := self.layer(text, cls.scope.ancestors, cls.scope.module.facts.held.get(cls.scope.node))) is not None:
                        return found
                case v.Api(name=name) | v.Bound(function=v.Api(name=name)):
                    if name.startswith(CHANGING):
                        return f"`{text}` gives something else each time"
                    if _is_changing(self.catalog, name):
                        return f"`{text}` draws numbers or keeps statistics"
            for scope in bodies(option):
                if id(scope.node) not in self.seen:
                    self.seen.add(id(scope.node))
                    if (found := self.changes(scope.module.facts, body_of(scope))) is not None:
                        return found
        return None

    def layer(self, text: str, classes: tuple[str, ...], held: v.Value | None) -> str | None:
        """What a call of a layer may do, whose class is the first of several and derives from the others; of a container, or something that may be any module, what its members may."""
        if any(name in self.changing_layers for name in classes):
            return f"`{text}` draws numbers or keeps statistics"
        if MODULE in {ancestor for name in classes for ancestor in torchfacts.ancestors(name)} and self.carried:
            return f"`{text}` may carry {self.carried[0]}, which keeps statistics"
        if held is not None:
            members = v.options(held)
            known = all(isinstance(member, (v.Instance, v.ProjectInstance)) or member == v.NONE for member in members)
            return self.options(text, members) if known else self.any_module(text)
        return self.any_module(text) if classes[:1] == (MODULE,) or _HOLDING.intersection(classes) else None

    def any_module(self, text: str) -> str | None:
        """What a call of a container, or of something unknown, may do: what any layer or module of the project does."""
        if self.asked_all:
            return None
        self.asked_all = True
        if self.changing_layers:
            return f"`{text}` may hold {self.changing_layers[0]}, which draws numbers or keeps statistics"
        for facts, forward in self.context.once(_modules)[1]:
            if id(forward) not in self.seen:
                self.seen.add(id(forward))
                if (found := self.changes(facts, forward.body)) is not None:
                    return f"`{text}` may be a module where {found}"
        return None

    @cached_property
    def changing_layers(self) -> list[str]:
        """The layers of the project that draw numbers or keep statistics: what some place makes with the argument that has them do so, or does not show how it makes."""
        made, given = self.context.once(_modules)[0], self.context.once(_flags)
        return [
            name for name, nodes in made.items() if MODULE in torchfacts.ancestors(name) and _is_changing(self.catalog, name) and any(_may_change(self.catalog, name, node, given) for node in nodes)
        ]

    @cached_property
    def carried(self) -> list[str]:
        """What the project hangs on layers and keeps numbers from call to call: the power method's vectors of a spectral norm."""
        used = [name for name in self.context.once(_modules)[0] if MODULE not in torchfacts.ancestors(name)]
        return [name for name in used if any(entry.arguments and _ITERATED in {p.arg for p, _ in parameters_and_defaults(entry.arguments)} for entry in self.catalog.find(name))]


def _bound(project: Files) -> frozenset[str]:
    """Names that attributes of the project's objects have, or may be given by a text."""
    found = {name for file, _ in project for node in file.nodes if isinstance(node, ast.ClassDef) for name in names(node.body).stores}
    found |= {node.attr for file, _ in project for node in file.nodes if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)}
    return frozenset(found | names_held(file for file, _ in project))


def _own(facts: Facts, nodes: Iterable[ast.AST]) -> set[str]:
    """The names that are bound here, and to new tensors alone: who computes it again writes into others."""
    parts = [part for node in nodes for part in ast.walk(node)]
    made = [p.targets[0] for p in parts if isinstance(p, ast.Assign) and len(p.targets) == 1 and isinstance(p.value, ast.Call) and _makes_new(facts, p.value.func)]
    new = {id(target) for target in made}
    bound = [p for p in parts if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Store)]
    return {p.id for p in bound if id(p) in new} - {p.id for p in bound if id(p) not in new}


def _makes_new(facts: Facts, func: ast.expr) -> bool:
    kinds = v.options(facts.value(func))
    names = [kind.function.name if isinstance(kind, v.Bound) and isinstance(kind.function, v.Api) else kind.name if isinstance(kind, v.Api) else "" for kind in kinds]
    return bool(names) and all(name.startswith("torch.") and name.rpartition(".")[2] in NEW for name in names)


def _is_part(part: ast.AST, own: set[str]) -> bool:
    """``out[:, 1:]`` of such a name."""
    return isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and part.value.id in own


def writes(part: ast.AST) -> str | None:
    """What a node writes that outlives it, as half a sentence."""
    match part:
        case ast.Attribute() | ast.Subscript() if not isinstance(part.ctx, ast.Load):
            return f"`{ast.unparse(part)}` is written"
        case ast.Global() | ast.Nonlocal() | ast.Yield() | ast.YieldFrom() | ast.Await():
            return f"`{ast.unparse(part)}` reaches beyond the statements"
        case ast.Call(func=ast.Name(id="print" | "input" | "open" | "exec" | "eval" as name)):
            return f"`{name}` is called"
        case ast.Call(func=ast.Attribute(attr=name)) if is_in_place(name):
            return f"`{name}` writes in place"
    return None


def _is_changing(catalog: Catalog, name: str) -> bool:
    entries = catalog.find(name)
    return any(entry.random or (entry.arguments and _changing(entry.arguments)) for entry in entries)


def _changing(arguments: ast.arguments) -> set[str]:
    """The parameters that have a call change with each time; not the `p` that is a norm's order, by default 2, "fro" or None."""
    found = {parameter.arg: default for parameter, default in parameters_and_defaults(arguments) if parameter.arg in _CHANGING}
    default = found.get("p")
    if isinstance(default, ast.Constant) and not (isinstance(default.value, float | int) and default.value < 1):
        del found["p"]
    return set(found)


def _may_change(catalog: Catalog, name: str, node: ast.expr, given: frozenset[str]) -> bool:
    """Whether a layer that is made here, or whose class is read here, may change with each call: not where what turns that on is off by default and stays so (dropout=0, track_running_stats=False)."""
    for entry in catalog.find(name):
        if entry.arguments is None:
            return True
        defaults = defaults_of(entry.arguments)
        kept = _STATISTICS if _STATISTICS in defaults else None
        if not isinstance(node, ast.Call):  # the class alone: what calls it is elsewhere
            if kept is None or kept in given or not _is_off(defaults[kept]):
                return True
            continue
        bound = bind(entry.arguments, node.args, node.keywords)
        if isinstance(bound, Unbound):
            return True
        values = {**defaults, **bound.given}
        changing = [kept] if kept else _changing(entry.arguments)
        if not all(_is_off(values.get(one)) for one in changing):
            return True
    return False


def _is_off(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and value.value in (0, None)


def _flags(project: Files) -> frozenset[str]:
    """What calls in the project turn on, or may turn on, by keyword."""
    calls = (node for file, _ in project for node in file.nodes if isinstance(node, ast.Call))
    return frozenset(k.arg or _STATISTICS for call in calls for k in call.keywords if k.arg in (_STATISTICS, None) and not _is_off(k.value))


def _modules(project: Files) -> tuple[dict[str, list[ast.expr]], tuple[tuple[Facts, ast.FunctionDef], ...]]:
    """Every API that the project uses but where it only asks what something is, with the places, and the forward passes of its module classes."""
    names: dict[str, list[ast.expr]] = {}
    for _, facts in project:
        for use in facts.uses:
            if use.kind not in ("check", "type"):
                names.setdefault(use.name, []).append(use.node)
    forwards = [
        (facts, method)
        for _, facts in project
        for node in module_classes(facts)
        for method in node.body
        if isinstance(method, ast.FunctionDef) and method.name in ("forward", "__call__")
    ]
    return names, tuple(forwards)
