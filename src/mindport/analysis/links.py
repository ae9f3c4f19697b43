"""What running something reaches: from a call to the functions, module classes and APIs behind it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mindport.analysis import torch_names
from mindport.analysis.subject import Subject
from mindport.inference import values as v
from mindport.inference.facts import Facts, Use
from mindport.inference.scopes import ClassScope
from mindport.source.file import SourceFile

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
#: What a module runs when it is called, and what it is built from.
_FORWARD, _CONSTRUCTION = "forward", "__init__"


@dataclass
class Reached:
    """Everything found behind some calls.

    `uses`: APIs that run, by canonical name, with their places; `functions` and `classes`: the project's own, by
    qualified name; `unknown`: calls that could not be followed; `calls`: by the id of a function's node, where it is called;
    `bodies`: the functions and statements themselves.
    """

    uses: dict[str, list[tuple[SourceFile, ast.AST]]] = field(default_factory=dict)
    functions: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    unknown: list[tuple[SourceFile, ast.AST]] = field(default_factory=list)
    calls: dict[int, list[tuple[SourceFile, ast.Call]]] = field(default_factory=dict)
    bodies: list[tuple[SourceFile, ast.AST]] = field(default_factory=list)


class Links:
    """Follows calls through a project, whatever file they lead to."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self._files = {id(file): file for file in subject.files}
        self._uses: dict[SourceFile, dict[int, list[Use]]] = {}  # by id of the node
        self._unresolved: dict[SourceFile, set[int]] = {}
        self._calls: dict[int, list[tuple[SourceFile, ast.Call]]] | None = None

    def behind(self, file: SourceFile, nodes: Iterable[ast.AST]) -> Reached:
        """What runs when the expressions and statements `nodes` of `file` are evaluated."""
        walk = _Walk(self)
        for node in nodes:
            walk.body(file, node)
        return walk.reached

    def uses_in(self, file: SourceFile, node: ast.AST) -> Iterator[Use]:
        """The uses that stand inside a node."""
        by_node = self._by_node(file)
        found = [use for inner in ast.walk(node) for use in by_node.get(id(inner), ())]
        yield from sorted(found, key=lambda use: use.node.lineno)

    def uses_at(self, file: SourceFile, node: ast.AST) -> list[Use]:
        """The uses of exactly this node."""
        return self._by_node(file).get(id(node), [])

    def is_known(self, file: SourceFile, call: ast.Call) -> bool:
        """Whether the call is an API's, or a method that only tensors have by all that is known."""
        if id(call) in self._by_node(file):
            return True
        return bool({id(call), id(call.func)} & self._unresolved[file])

    def _by_node(self, file: SourceFile) -> dict[int, list[Use]]:
        if file not in self._uses:
            known = self.subject.facts[file]
            by_node: dict[int, list[Use]] = {}
            for use in known.uses:
                by_node.setdefault(id(use.node), []).append(use)
            self._uses[file], self._unresolved[file] = by_node, {id(place.node) for place in known.unresolved}
        return self._uses[file]

    def calls_of(self, function: ast.AST) -> list[tuple[SourceFile, ast.Call]]:
        """Every call of a function of the project."""
        if self._calls is None:
            self._calls = {}
            for file in self.subject.files:
                for node in file.nodes:
                    for option in v.options(self.callee(file, node)) if isinstance(node, ast.Call) else ():
                        if isinstance(option, v.Bound):
                            option = option.function
                        if isinstance(option, v.ProjectFunction):
                            self._calls.setdefault(id(option.scope.node), []).append((file, node))  # type: ignore[arg-type]
        return self._calls.get(id(function), [])

    def callee(self, file: SourceFile, call: ast.Call) -> v.Value:
        """What a call calls; for a parameter, what the project's calls give it."""
        facts = self.subject.facts[file]
        return self.value(file, call.func, facts)

    def value(self, file: SourceFile, node: ast.expr, facts: Facts | None = None) -> v.Value:
        """What an expression can be; for a parameter of unknown type, what the project's calls give it."""
        known = facts or self.subject.facts[file]
        value = known.value(node)
        if not isinstance(value, v.Unknown) or not isinstance(node, ast.Name):
            return value
        given: list[v.Value] = []
        for other in known.values.values():
            if isinstance(other, v.ProjectFunction) and node.id in other.scope.sites and other.scope.module.file is file:
                first, last = other.scope.node.lineno, other.scope.node.end_lineno or 0
                if first <= node.lineno <= last:
                    given += other.scope.sites[node.id].values()
        return v.join(*given) if given else value


class _Walk:
    def __init__(self, links: Links) -> None:
        self.links, self.reached = links, Reached()
        self._seen: set[int] = set()

    def body(self, file: SourceFile, node: ast.AST) -> None:
        """Note the uses inside `node` and follow its calls."""
        if id(node) in self._seen:
            return
        self._seen.add(id(node))
        self.reached.bodies.append((file, node))
        for use in self.links.uses_in(file, node):
            if use.kind in ("call", "method", "attribute"):
                self.reached.uses.setdefault(use.name, []).append((file, use.node))
        for inner in ast.walk(node):
            if isinstance(inner, ast.Call):
                self._follow(file, inner)

    def _follow(self, file: SourceFile, call: ast.Call) -> None:
        value = self.links.callee(file, call)
        for option in v.options(value):
            if isinstance(option, v.Bound):
                option = option.function
            if isinstance(option, v.ProjectFunction):
                self.reached.calls.setdefault(id(option.scope.node), []).append((file, call))
                self._function(option)
            elif isinstance(option, v.ProjectInstance):
                for owner in option.cls.scope.mro:
                    if _FORWARD in owner.methods:
                        self.reached.calls.setdefault(id(owner.methods[_FORWARD].value.scope.node), []).append((file, call))
                        break
                self._module(option.cls.scope)
            elif isinstance(option, v.Instance):
                self.reached.uses.setdefault(option.cls, []).append((file, call))
            elif isinstance(option, v.Unknown) and not self.links.is_known(file, call):
                self.reached.unknown.append((file, call))

    def _function(self, function: v.ProjectFunction) -> None:
        scope = function.scope
        if scope.qualname not in self.reached.functions:
            self.reached.functions.append(scope.qualname)
        self.body(scope.module.file, scope.node)

    def _module(self, cls: ClassScope) -> None:
        """A module that is called: its forward pass, and the layers it was built from."""
        if id(cls) in self._seen:
            return
        self._seen.add(id(cls))
        self.reached.classes.append(cls.qualname)
        for owner in cls.mro:
            if _FORWARD in owner.methods:
                self._function(owner.methods[_FORWARD].value)
                break
        for owner in cls.mro:
            if _CONSTRUCTION in owner.methods:
                self._construction(owner.module.file, owner.methods[_CONSTRUCTION].node)

    def _construction(self, file: SourceFile, node: _Function) -> None:
        facts = self.links.subject.facts[file]
        for inner in ast.walk(node):
            if not isinstance(inner, ast.Call):
                continue
            for option in v.options(facts.value(inner)):
                if isinstance(option, v.Instance) and inner is not node and _is_layer(option.cls):
                    self.reached.uses.setdefault(option.cls, []).append((file, inner))
                elif isinstance(option, v.ProjectInstance):
                    self._module(option.cls.scope)
            callee = facts.value(inner.func)
            for option in v.options(callee):
                # a function that builds layers: make_layer(…)
                if isinstance(option, v.ProjectFunction) and id(option.scope.node) not in self._seen:
                    self._seen.add(id(option.scope.node))
                    self._construction(option.scope.module.file, option.scope.node)


def _is_layer(name: str) -> bool:
    return name.startswith(torch_names.LAYERS)
