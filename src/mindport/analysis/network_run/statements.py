"""Statements, and what calls do: functions, classes, layers, Python's own functions."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Any

from mindport.analysis import torch_names
from mindport.analysis.network_run import attributes, functions, python_calls
from mindport.analysis.network_run.construction import construct, layer_of, super_init
from mindport.analysis.network_run.forwarding import called
from mindport.analysis.network_run.interpreter import MOST_DEEP, Interpreter, truth_of
from mindport.analysis.network_run.values import (
    Bound,
    Class,
    Function,
    Instance,
    Outside,
    Partial,
    Scope,
    Tensor,
    Undecided,
    Unknown,
    shown,
)
from mindport.source.defaults import defaults_of

#: Turns of a while loop.
_MOST_TURNS = 5000
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


class Run(Interpreter):
    """Runs functions of the project. One run constructs and calls one network."""

    def body(self, statements: list[ast.stmt], scope: Scope) -> None:
        """Run statements in order."""
        for statement in statements:
            self.tick(statement, scope)
            method = getattr(self, f"_{type(statement).__name__}", None)
            if method is None:
                raise Undecided(f"`{type(statement).__name__}` is not followed", f"{scope.path}:{statement.lineno}")
            try:
                method(statement, scope)
            except Undecided as reason:
                if not reason.place:
                    reason.place = f"{scope.path}:{statement.lineno}"
                raise

    def _Expr(self, node: ast.Expr, scope: Scope) -> None:
        if not isinstance(node.value, ast.Constant):
            self.evaluate(node.value, scope)

    def _Assign(self, node: ast.Assign, scope: Scope) -> None:
        value = self.evaluate(node.value, scope)
        for target in node.targets:
            self.assign(target, value, scope)

    def _AnnAssign(self, node: ast.AnnAssign, scope: Scope) -> None:
        if node.value is not None:
            self.assign(node.target, self.evaluate(node.value, scope), scope)

    def _AugAssign(self, node: ast.AugAssign, scope: Scope) -> None:
        read: Any = ast.Name(node.target.id, ast.Load()) if isinstance(node.target, ast.Name) else node.target
        old = self._Name(read, scope) if isinstance(node.target, ast.Name) else self.evaluate(read, scope)
        value = self.evaluate(node.value, scope)
        if isinstance(old, list) and isinstance(node.op, ast.Add) and not isinstance(value, Unknown):
            old.extend(self.iterate(value))
            return
        self.assign(node.target, self.arithmetic(node.op, old, value), scope)

    def assign(self, target: ast.expr, value: Any, scope: Scope) -> None:
        if isinstance(target, ast.Name):
            scope.names[target.id] = value
        elif isinstance(target, ast.Attribute):
            attributes.put(self.evaluate(target.value, scope), target.attr, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value, scope)
        elif isinstance(target, ast.Subscript):
            base, index = self.evaluate(target.value, scope), self.index(target.slice, scope)
            if isinstance(base, dict):
                base[self.key(index)] = value
            elif isinstance(base, list) and isinstance(index, int):
                base[index] = value
            elif isinstance(base, Instance) and isinstance(index, (str, int)):
                attributes.put(base, str(index), value)
            elif not isinstance(base, Tensor) and not (isinstance(base, Unknown) and base.plain):
                raise Undecided(f"an item is set on something that is not known: {shown(base)}")
        else:
            raise Undecided("an assignment that is not followed")

    def _unpack(self, target: ast.Tuple | ast.List, value: Any, scope: Scope) -> None:
        names = target.elts
        stars = [place for place, name in enumerate(names) if isinstance(name, ast.Starred)]
        if isinstance(value, Unknown) or isinstance(value, Tensor) and value.shape is None:
            for name in names:
                inner = name.value if isinstance(name, ast.Starred) else name
                self.assign(inner, value if isinstance(value, Unknown) else Tensor(None), scope)
            return
        items = self.iterate(value)
        if stars:
            after = len(names) - stars[0] - 1
            items = [*items[: stars[0]], items[stars[0] : len(items) - after], *items[len(items) - after :]]
        if len(items) != len(names):
            raise Undecided(f"{len(items)} values for {len(names)} names")
        for name, item in zip(names, items, strict=True):
            self.assign(name.value if isinstance(name, ast.Starred) else name, item, scope)

    def _If(self, node: ast.If, scope: Scope) -> None:
        known = truth_of(self.evaluate(node.test, scope))
        if known is None:
            if _leaves(node.body):
                known = False  # a run that goes on did not take this way
            elif node.orelse and _leaves(node.orelse):
                known = True
            elif _only_tells(node.body) and _only_tells(node.orelse):
                return
            elif _only_names(node.body) and _only_names(node.orelse):
                self._both(node, scope)
                return
            else:
                raise Undecided(f"the condition `{ast.unparse(node.test)[:60]}` is not known")
        self.body(node.body if known else node.orelse, scope)

    def _both(self, node: ast.If, scope: Scope) -> None:
        """Either way only binds names: what both bind alike is known, the rest is not."""
        before = dict(scope.names)
        after = []
        for body in (node.body, node.orelse):
            scope.names = dict(before)
            self.body(body, scope)
            after.append(scope.names)
        one, two = after
        scope.names = before
        for name in {**one, **two}:
            values = [names.get(name, Unknown(f"{name} is not bound")) for names in after]
            if values[0] is values[1] or (all(isinstance(v, (int, str, float)) for v in values) and values[0] == values[1]):
                scope.names[name] = values[0]
            elif not attributes.alike(*values):
                why = f"{name} depends on the condition `{ast.unparse(node.test)[:60]}`, which is not known"
                scope.names[name] = Unknown(why, all(attributes.plain(v) for v in values))
            else:
                scope.names[name] = values[0]

    def _For(self, node: ast.For, scope: Scope) -> None:
        for item in self.iterate(self.evaluate(node.iter, scope)):
            self.assign(node.target, item, scope)
            try:
                self.body(node.body, scope)
            except _Break:
                return
            except _Continue:
                continue
        self.body(node.orelse, scope)

    def _While(self, node: ast.While, scope: Scope) -> None:
        for _ in range(_MOST_TURNS):
            if not self.truth(node.test, scope):
                return
            try:
                self.body(node.body, scope)
            except _Break:
                return
            except _Continue:
                continue
        raise Undecided("a loop that does not end")

    def _Return(self, node: ast.Return, scope: Scope) -> None:
        raise _Return(self.evaluate(node.value, scope) if node.value is not None else None)

    def _Break(self, node: ast.Break, scope: Scope) -> None:
        raise _Break

    def _Continue(self, node: ast.Continue, scope: Scope) -> None:
        raise _Continue

    def _Pass(self, node: ast.stmt, scope: Scope) -> None:
        pass

    # What an import binds is known where the name is used.
    _Assert = _Global = _Nonlocal = _Import = _ImportFrom = _Pass

    def _Delete(self, node: ast.Delete, scope: Scope) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                scope.names.pop(target.id, None)
            elif isinstance(target, ast.Attribute) and isinstance(base := self.evaluate(target.value, scope), Instance) and not base.layer:
                base.attributes.pop(target.attr, None)
            else:
                raise Undecided("something is deleted")

    def _Raise(self, node: ast.Raise, scope: Scope) -> None:
        raise Undecided(f"it would raise `{ast.unparse(node.exc)[:60] if node.exc else 'again'}`")

    def _With(self, node: ast.With, scope: Scope) -> None:
        for item in node.items:
            value = self.evaluate(item.context_expr, scope)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, Unknown("what a context gives", attributes.plain(value)), scope)
        self.body(node.body, scope)

    def _Try(self, node: ast.Try, scope: Scope) -> None:
        self.body(node.body, scope)
        self.body(node.orelse, scope)
        self.body(node.finalbody, scope)

    def _FunctionDef(self, node: ast.FunctionDef, scope: Scope) -> None:
        scope.names[node.name] = Function(node, scope.facts, scope.path, scope, scope.owner, "a decorator" if node.decorator_list else "")

    _AsyncFunctionDef = _FunctionDef

    def _ClassDef(self, node: ast.ClassDef, scope: Scope) -> None:
        scope.names[node.name] = Unknown(f"{node.name} is defined inside a function")

    # --- calls ---------------------------------------------------------------------------------------------------

    def call(self, function: Any, args: tuple[Any, ...], keywords: dict[str, Any], scope: Scope) -> Any:
        """Call a value. Raises Undecided where a network may be changed by code that is not followed."""
        if self.deep > MOST_DEEP:
            raise Undecided("calls inside calls go too deep")
        self.deep += 1
        try:
            return self._call(function, args, keywords, scope)
        finally:
            self.deep -= 1

    def _call(self, function: Any, args: tuple[Any, ...], keywords: dict[str, Any], scope: Scope) -> Any:
        match function:
            case Partial():
                return self.call(function.function, (*function.args, *args), {**function.keywords, **keywords}, scope)
            case Function():
                return self.function(function, args, keywords)
            case Class():
                return construct(self, function.scope, args, keywords)
            case Bound(function=Function() as method):
                return self.function(method, (function.receiver, *args), keywords, function.receiver)
            case Bound(receiver=Tensor()):
                return functions.call(function.name, (function.receiver, *args), keywords)
            case Bound(receiver=Instance(), name="__init__"):
                return super_init(self, function.receiver, args, keywords)
            case Bound(receiver=Instance()):
                return python_calls.of_module(self, function.receiver, function.name, args, keywords, scope)
            case Bound():
                return python_calls.of_object(self, function.receiver, function.name, args, keywords)
            case Instance():
                return called(self, function, args, keywords, scope)
            case Outside():
                return self.outside(function.name, args, keywords, scope)
        if any(isinstance(a, Instance) for a in (*args, *keywords.values())):
            raise Undecided(f"a network is given to something that is not known: {shown(function)}")
        if isinstance(function, Unknown):
            return function  # what a method of something plain gives is plain
        return Unknown(f"what {shown(function)} gives")

    def outside(self, name: str, args: tuple[Any, ...], keywords: dict[str, Any], scope: Scope) -> Any:
        """Call something outside the project, by its name."""
        if python_calls.knows(name):
            return python_calls.call(self, name, args, keywords, scope)
        layer = layer_of(self, name, args, keywords)
        if layer is not None:
            return layer
        short = functions.short(name)
        if short:
            return functions.call(short, args, keywords)
        if any(isinstance(a, Instance) for a in (*args, *keywords.values())) and not python_calls.harmless(name):
            raise Undecided(f"{name} is given a network, and what it does is not known")
        return Unknown(f"what {name} gives is not known", plain=name.startswith(torch_names.ARRAYS))

    def function(self, function: Function, args: tuple[Any, ...], keywords: dict[str, Any], own: Any = None) -> Any:
        """Call a function of the project."""
        node = function.node
        if function.changed:
            if any(isinstance(a, Instance) for a in args[1:] if a is not own):
                raise Undecided(f"a decorator may change what {getattr(node, 'name', 'a function')} does")
            if not _transparent(self, function):
                return Unknown(f"a decorator may change what {getattr(node, 'name', 'a function')} gives")
        names, generator = _local(node)
        if generator:
            raise Undecided(f"{getattr(node, 'name', 'a function')} is a generator")
        scope = Scope(function.facts, function.path, {}, names, function.around, function.owner, own)
        self._bind(function, args, keywords, scope)
        if isinstance(node, ast.Lambda):
            return self.evaluate(node.body, scope)
        try:
            self.body(node.body, scope)
        except _Return as result:
            return result.value
        return None

    def _bind(self, function: Function, args: tuple[Any, ...], keywords: dict[str, Any], scope: Scope) -> None:
        given = function.node.args
        positional = [*given.posonlyargs, *given.args]
        keywords = dict(keywords)
        outer = function.around or Scope(function.facts, function.path)
        for parameter, value in zip(positional, args, strict=False):
            scope.names[parameter.arg] = value
        if given.vararg is not None:
            scope.names[given.vararg.arg] = tuple(args[len(positional) :])
        elif len(args) > len(positional):
            raise Undecided("more arguments than the function takes")
        defaults = defaults_of(given)
        for parameter in [*positional, *given.kwonlyargs]:
            if parameter.arg in keywords:
                scope.names[parameter.arg] = keywords.pop(parameter.arg)
            elif parameter.arg not in scope.names:
                if parameter.arg not in defaults:
                    raise Undecided(f"the argument {parameter.arg} has no value")
                scope.names[parameter.arg] = self.evaluate(defaults[parameter.arg], outer)
        if given.kwarg is not None:
            scope.names[given.kwarg.arg] = keywords
        elif keywords:
            raise Undecided(f"the function takes no argument {next(iter(keywords))}")


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Raise) and all(isinstance(s, (ast.Raise, ast.Expr, ast.Assign)) for s in body)


def _only_names(body: list[ast.stmt]) -> bool:
    """Whether statements only bind names, to what nothing is called for that could change a network."""
    return all(
        isinstance(s, ast.Pass) or (isinstance(s, ast.Assign) and all(isinstance(t, ast.Name) for t in s.targets) and not any(
            isinstance(n, ast.Call) and not isinstance(n.func, (ast.Name, ast.Attribute)) for n in ast.walk(s)
        ))
        for s in body
    )  # fmt: skip


def _only_tells(body: list[ast.stmt]) -> bool:
    """Whether statements only print or log."""
    return all(
        isinstance(s, ast.Pass) or (
            isinstance(s, ast.Expr) and isinstance(s.value, ast.Call) and ast.unparse(s.value.func).rpartition(".")[2] in ("print", "warn", "warning", "info", "debug")
        )
        for s in body
    )  # fmt: skip


def _transparent(run: Run, function: Function) -> bool:
    """Whether its decorators are the library's, which call what they decorate: no_grad, jit.ignore."""
    node = function.node
    if isinstance(node, ast.Lambda):
        return True
    scope = Scope(function.facts, function.path)
    for decorator in node.decorator_list:
        value = run.evaluate(decorator.func if isinstance(decorator, ast.Call) else decorator, scope)
        if not (isinstance(value, Outside) and value.name.startswith(torch_names.TRANSPARENT)):
            return False
    return True


@lru_cache(maxsize=2000)
def _local(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> tuple[frozenset[str], bool]:
    """The names that a function binds, and whether it is a generator."""
    names: set[str] = set()
    outer: set[str] = set()
    generator = False
    waiting: list[ast.AST] = list(node.body) if not isinstance(node, ast.Lambda) else [node.body]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, (*_DEFINITIONS, ast.ClassDef)):
            names.add(inner.name)
            continue
        if isinstance(inner, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            continue
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            names.add(inner.id)
        elif isinstance(inner, (ast.Global, ast.Nonlocal)):
            outer.update(inner.names)
        elif isinstance(inner, (ast.Yield, ast.YieldFrom)):
            generator = True
        waiting += ast.iter_child_nodes(inner)
    return frozenset(names - outer), generator
