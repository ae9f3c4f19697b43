"""Methods of modules that run after the construction: what they make is in no mode that ``Net().set_train()`` has set.

A layer that ``__init__`` makes, itself or by ``self._make_layer(…)``, gets its mode with the whole. One that a forward pass makes by a helper
(``self.apply_bn(x)``), a method that somebody calls on the finished network (``net.reset_classifier(10)``) or ``cls(…)`` of a class method
trains from the start in torch. Calls are followed by names through the whole project.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.own_modes import Files, module_classes
from mindport.source.walking import walk

#: Who makes a module, and who runs it.
_MAKING, _RUNNING = "__init__", "forward"


def made_later(files: Files) -> frozenset[int]:
    """``id(method)`` of the methods of module classes that make what they make after the construction, or for nobody's."""
    files = tuple(files)
    methods = [part for _, facts in files for cls in module_classes(facts) for part in cls.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))]
    calls: dict[str, set[str]] = {}
    for method in methods:
        calls.setdefault(method.name, set()).update(name for name, own in _called(method) if own)
    making, running = _reached(_MAKING, calls), _reached(_RUNNING, calls)
    on_others = {name for file, _ in files for name, own in _called(file.tree) if not own}
    return frozenset(
        id(method) for method in methods
        if method.name != _MAKING and (method.name not in making or method.name in running or method.name in on_others)
    )  # fmt: skip


def _reached(start: str, calls: dict[str, set[str]]) -> set[str]:
    seen, waiting = {start}, [start]
    while waiting:
        new = calls.get(waiting.pop(), set()) - seen
        seen |= new
        waiting += new
    return seen


def _called(tree: ast.AST) -> Iterator[tuple[str, bool]]:
    """Names of the methods that are called, and whether on the object itself, its class or its base."""
    for node in walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self" | "cls") | ast.Call(func=ast.Name(id="super")), attr=name)):
                yield name, True
            case ast.Call(func=ast.Attribute(attr=name)):
                yield name, False
