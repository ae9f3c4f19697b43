"""Definitions: what ``def`` and ``class`` statements bind."""

from __future__ import annotations

import ast

from mindport.inference.frame import Frame, run
from mindport.inference.scopes import ClassScope, FunctionScope
from mindport.inference.values import Api, ProjectClass, ProjectFunction, Unknown, Value, options
from mindport.source.defaults import defaults_of

_PROPERTIES = frozenset(("builtins.property", "functools.cached_property", "torch.jit.unused_property", "abc.abstractproperty"))
#: Decorators after which a call gives what the function returns.
_KEEPING = frozenset(
    ["builtins.staticmethod", "builtins.classmethod", "functools.wraps", "functools.lru_cache", "functools.cache", "abc.abstractmethod", "typing.overload", "typing.no_type_check", "typing.final", "typing_extensions.override", "typing.override", "typing_extensions.deprecated", "warnings.deprecated", "dataclasses.dataclass", "functools.total_ordering"]
)


def function_defaults(frame: Frame, scope: FunctionScope) -> None:
    """Evaluate the defaults of a definition, in the scope around it."""
    for name, default in defaults_of(scope.node.args).items():
        scope.defaults[name] = frame.evaluate(default)


def define_function(frame: Frame, node: ast.FunctionDef) -> bool:
    """``def``: binds a function, whose body is analysed later."""
    scope = frame.module.scopes[id(node)]
    assert isinstance(scope, FunctionScope)
    function_defaults(frame, scope)
    if frame.function is not None or frame.outer is not None:
        scope.closure = frame.outer if frame.cls is not None else frame.closure()
        frame.project.again(scope)
    scope.keeps = True
    for decorator in node.decorator_list:
        _decorate(frame, scope, decorator)
    if scope.name == "__init_subclass__" or scope.name == "__class_getitem__":
        scope.kind = "class"
    if scope.name == "__new__":
        scope.kind = "static"
    frame.bind(node.name, scope.value)
    return True


def _decorate(frame: Frame, scope: FunctionScope, decorator: ast.expr) -> None:
    value = frame.evaluate(decorator.func if isinstance(decorator, ast.Call) else decorator)
    if isinstance(decorator, ast.Call):
        frame.evaluate(decorator)
    for option in options(value):
        if isinstance(option, Api):
            name = option.name
            if name in _PROPERTIES:
                scope.kind = "property"
            elif name == "builtins.staticmethod":
                scope.kind = "static"
            elif name == "builtins.classmethod":
                scope.kind = "class"
            elif name in ("contextlib.contextmanager", "contextlib.asynccontextmanager") or name not in _KEEPING and not name.startswith("torch."):
                scope.keeps = False
        elif isinstance(option, ProjectFunction):
            scope.keeps = scope.keeps and False
            if not isinstance(decorator, ast.Call):
                frame.project.argument(option.scope, 0, scope.value, id(decorator))
        elif isinstance(decorator, ast.Attribute) and decorator.attr in ("setter", "deleter", "getter"):
            scope.kind = "setter"
        else:
            scope.keeps = False


def define_class(frame: Frame, node: ast.ClassDef) -> bool:
    """``class``: evaluates bases and body, and binds the class."""
    scope = frame.module.scopes[id(node)]
    assert isinstance(scope, ClassScope)
    bases: list[Value] = []
    for base in node.bases:
        if isinstance(base, ast.Starred):
            frame.evaluate(base.value)
            bases.append(Unknown("the bases are not written out"))
        else:
            bases.append(frame.evaluate(base))
    scope.bases = tuple(bases)
    scope._mro = scope._ancestors = None
    for value in bases:
        for option in options(value):
            if isinstance(option, ProjectClass) and scope not in option.scope.subclasses:
                option.scope.subclasses.append(scope)
    for keyword in node.keywords:
        frame.evaluate(keyword.value)
    inner = Frame(frame.project, frame.module, frame.function, scope, frame.closure() if frame.function is not None else frame.outer)
    scope.names = inner.env
    frame.bind(node.name, scope.value)  # methods and decorators may name it
    run(inner, node.body)
    scope.names = inner.env
    for decorator in node.decorator_list:
        frame.evaluate(decorator.func if isinstance(decorator, ast.Call) else decorator)
        if isinstance(decorator, ast.Call):
            frame.evaluate(decorator)
    return True
