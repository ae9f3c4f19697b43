"""Whether statements may be computed a second time: they draw no numbers, keep no statistics, and write nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.catalog import Catalog
from mindport.convert.context import MODULE, Files, Reading
from mindport.convert.own_modes import module_classes
from mindport.convert.training.second_order import bodies
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Facts

#: Parameters of what draws numbers or keeps statistics: dropout's p and training, a normalisation's momentum, RReLU's bounds.
_CHANGING = frozenset(("p", "dropout", "training", "momentum", "track_running_stats", "n_power_iterations", "lower", "generator"))
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
        for node in nodes:
            for part in ast.walk(node):
                found = writes(part) or (self.call(facts, part) if isinstance(part, ast.Call) else None)
                if found is not None:
                    return found
        return None

    def call(self, facts: Facts, call: ast.Call) -> str | None:
        text, options = ast.unparse(call.func), v.options(facts.value(call.func))
        for option in options:
            match option:
                case v.Api(name=name) | v.Instance(cls=name) | v.Bound(function=v.Api(name=name)):
                    if _is_changing(self.catalog, name):
                        return f"`{text}` draws numbers or keeps statistics"
            for scope in bodies(option):
                if id(scope.node) not in self.seen:
                    self.seen.add(id(scope.node))
                    body = scope.node.body if isinstance(scope.node.body, list) else [scope.node.body]
                    if (found := self.changes(scope.module.facts, body)) is not None:
                        return found
        known = bool(options) and all(isinstance(o, (v.Api, v.Bound, v.ProjectFunction, v.ProjectClass, v.ProjectInstance)) for o in options)
        if known or (isinstance(call.func, ast.Name) and call.func.id in _COMPUTING):
            return None
        return self.any_module(text)

    def any_module(self, text: str) -> str | None:
        """What a call of a container, or of something unknown, may do: what any layer or module of the project does."""
        if self.asked_all:
            return None
        self.asked_all = True
        names, forwards = self.context.once(_modules)
        for name in names:
            if MODULE in torchfacts.ancestors(name) and _is_changing(self.catalog, name):
                return f"`{text}` may hold {name}, which draws numbers or keeps statistics"
        for facts, forward in forwards:
            if id(forward) not in self.seen:
                self.seen.add(id(forward))
                if (found := self.changes(facts, forward.body)) is not None:
                    return f"`{text}` may be a module where {found}"
        return None


def writes(part: ast.AST) -> str | None:
    """What a node writes that outlives it, as half a sentence."""
    match part:
        case ast.Attribute() | ast.Subscript() if not isinstance(part.ctx, ast.Load):
            return f"`{ast.unparse(part)}` is written"
        case ast.Global() | ast.Nonlocal() | ast.Yield() | ast.YieldFrom() | ast.Await():
            return f"`{ast.unparse(part)}` reaches beyond the statements"
        case ast.Call(func=ast.Name(id="print" | "input" | "open" | "exec" | "eval" as name)):
            return f"`{name}` is called"
        case ast.Call(func=ast.Attribute(attr=name)) if name.endswith("_") and not name.endswith("__") and name != "requires_grad_":
            return f"`{name}` writes in place"
    return None


def _is_changing(catalog: Catalog, name: str) -> bool:
    entries = catalog.find(name)
    return any(entry.random or (entry.arguments and _CHANGING & {a.arg for a in (*entry.arguments.args, *entry.arguments.kwonlyargs)}) for entry in entries)


def _modules(project: Files) -> tuple[tuple[str, ...], tuple[tuple[Facts, ast.FunctionDef], ...]]:
    """Every API that the project uses but where it only asks what something is, and the forward passes of its module classes."""
    names = dict.fromkeys(use.name for _, facts in project for use in facts.uses if use.kind not in ("check", "type"))
    forwards = [
        (facts, method)
        for _, facts in project
        for node in module_classes(facts)
        for method in node.body
        if isinstance(method, ast.FunctionDef) and method.name in ("forward", "__call__")
    ]
    return tuple(names), tuple(forwards)
