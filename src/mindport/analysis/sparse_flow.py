"""Where sparse tensors go: through names, attributes, functions and modules, to the operators that take them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.analysis.sparse_support import KEEPING, MAKERS, OPERATORS
from mindport.analysis.subject import Function, Subject
from mindport.inference import values as v
from mindport.source.file import SourceFile

#: Rounds through the project: how many calls deep a tensor is followed.
_ROUNDS = 4
_FORWARD = "forward"
_SIGNS = {ast.MatMult: "matmul", ast.Mult: "mul", ast.Add: "add", ast.Sub: "add", ast.Div: "div"}


class SparseFlow:
    """The sparse tensors of one project, as far as its text shows them."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        #: (scope, name, line of the binding), (file, attribute), (function, place among what it returns; -1: alone).
        self._names: set[tuple[int, str, int]] = set()
        self._attributes: set[tuple[SourceFile, str]] = set()
        self._returning: set[tuple[int, int]] = set()
        self._bindings = {id(scope): _bindings(scope) for _, scope in self._scopes()}
        for _ in range(_ROUNDS):
            before = len(self._names) + len(self._attributes) + len(self._returning)
            self._spread()
            if before == len(self._names) + len(self._attributes) + len(self._returning):
                break

    def _scopes(self) -> Iterator[tuple[SourceFile, ast.AST]]:
        for file in self.subject.files:
            yield file, file.tree
            yield from ((file, node) for node in file.nodes if isinstance(node, Function))

    def _spread(self) -> None:
        for file, scope in self._scopes():
            for node in _own(scope):
                if isinstance(node, ast.Assign):
                    for target in node.targets:
                        self._bind(file, scope, target, node.value)
                elif isinstance(node, ast.Return) and node.value is not None:
                    parts = list(enumerate(node.value.elts)) if isinstance(node.value, ast.Tuple) else [(-1, node.value)]
                    self._returning |= {(id(scope), place) for place, part in parts if self.sparse(file, scope, part)}
                elif isinstance(node, ast.Call):
                    self._pass_on(file, scope, node)

    def _bind(self, file: SourceFile, scope: ast.AST, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple):
            for place, part in enumerate(target.elts):
                if isinstance(value, ast.Tuple) and place < len(value.elts):
                    self._bind(file, scope, part, value.elts[place])
                elif isinstance(value, ast.Call) and isinstance(part, ast.Name) and any((id(f), place) in self._returning for f, _ in self._called(file, value)):
                    self._names.add((id(scope), part.id, part.lineno))
        elif self.sparse(file, scope, value):
            if isinstance(target, ast.Name):
                self._names.add((id(scope), target.id, target.lineno))
            elif isinstance(target, ast.Attribute):
                self._attributes.add((file, target.attr))

    def _pass_on(self, file: SourceFile, scope: ast.AST, call: ast.Call) -> None:
        """A function of the project, or a module's forward, that a sparse tensor is given to."""
        given = [(place, a) for place, a in enumerate(call.args) if self.sparse(file, scope, a)]
        named = [k.arg for k in call.keywords if k.arg and self.sparse(file, scope, k.value)]
        if not given and not named:
            return
        for function, skipped in self._called(file, call):
            parameters = [a.arg for a in [*function.args.posonlyargs, *function.args.args]][skipped:]
            self._names |= {(id(function), parameters[place], function.lineno) for place, _ in given if place < len(parameters)}
            self._names |= {(id(function), str(name), function.lineno) for name in named}

    def _called(self, file: SourceFile, call: ast.Call) -> Iterator[tuple[Function, int]]:
        for option in v.options(self.subject.facts[file].value(call.func)):
            inner = option.function if isinstance(option, v.Bound) else option
            if isinstance(option, v.ProjectInstance):
                method = next((c.methods[_FORWARD] for c in option.cls.scope.mro if _FORWARD in c.methods), None)
                if method is not None and isinstance(method.node, Function):
                    yield method.node, 1
            elif isinstance(inner, v.ProjectFunction) and isinstance(inner.scope.node, Function):
                yield inner.scope.node, int(isinstance(option, v.Bound))

    def sparse(self, file: SourceFile, scope: ast.AST, node: ast.expr) -> bool:
        """Whether the expression is known to be a sparse tensor."""
        if isinstance(node, ast.Name):
            own = [line for line in self._bindings[id(scope)].get(node.id, ()) if line < node.lineno]
            if own:  # the last binding before it, as straight code runs
                return (id(scope), node.id, max(own)) in self._names
            outer = self._bindings[id(file.tree)].get(node.id, ())
            return scope is not file.tree and bool(outer) and node.id not in self._bindings[id(scope)] and (id(file.tree), node.id, max(outer)) in self._names
        if isinstance(node, ast.Attribute):
            return (file, node.attr) in self._attributes
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, ast.Mult) and isinstance(node.right, ast.Constant) and self.sparse(file, scope, node.left)
        if not isinstance(node, ast.Call):
            return False
        use = self.subject.use_at.get(id(node))
        if use is not None and MAKERS.get(use.name):
            return True
        if isinstance(node.func, ast.Attribute) and node.func.attr in KEEPING and self.sparse(file, scope, node.func.value):
            return True
        return any((id(function), -1) in self._returning for function, _ in self._called(file, node))

    def operations(self) -> Iterator[tuple[str, SourceFile, ast.expr]]:
        """(operator, file, place) of what is computed with a sparse tensor: "matmul" for ``adj @ x`` and ``torch.spmm(adj, x)``."""
        for file, scope in self._scopes():
            for node in _own(scope):
                if isinstance(node, ast.BinOp) and type(node.op) in _SIGNS and not isinstance(node.right, ast.Constant):
                    if self.sparse(file, scope, node.left) or self.sparse(file, scope, node.right):
                        yield _SIGNS[type(node.op)], file, node
                    continue
                if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                    continue
                use = self.subject.use_at.get(id(node))
                if use is not None and use.name in OPERATORS:
                    continue  # said by its name
                if self.sparse(file, scope, node.func.value) or any(self.sparse(file, scope, a) for a in node.args) and self._outside(file, node):
                    yield node.func.attr, file, node

    def _outside(self, file: SourceFile, node: ast.Call) -> bool:
        return any(isinstance(option, v.Api) for option in v.options(self.subject.facts[file].value(node.func)))


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """Nodes of a scope without those of the functions in it; a class's body belongs to the scope around it."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, Function):
            yield child
            yield from _own(child)


def _bindings(scope: ast.AST) -> dict[str, list[int]]:
    """The lines at which a scope's names are bound; parameters at its own."""
    found: dict[str, list[int]] = {}
    if isinstance(scope, Function):
        for argument in [*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs]:
            found.setdefault(argument.arg, []).append(scope.lineno)
    for node in _own(scope):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.id, []).append(node.lineno)
    return found
