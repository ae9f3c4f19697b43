"""Objects of the project's that are containers themselves: ``class Bank(list)``. What they hold is kept under one name of the class, as an attribute is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape.abstract import UNKNOWN, Abstract
from mindport.inference import values as v
from mindport.inference.scopes import ClassScope
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.engine import Engine
    from mindport.analysis.dynamic_shape.statements import Frame

#: The name that no attribute has.
_HELD = "<held>"
_ASKED = ("__getattr__", "__getattribute__")
_MAPPINGS = frozenset(("builtins.dict", "collections.OrderedDict", "collections.defaultdict", "collections.UserDict"))
_BASES = frozenset(("builtins.list", "builtins.dict", "builtins.set", "collections.deque", "collections.OrderedDict", "collections.defaultdict", "collections.UserList", "collections.UserDict"))
#: Those that may be told how many they keep.
_BOUNDED = "collections.deque"
_TAKING_OUT = frozenset(("clear", "pop", "popleft", "popitem", "remove"))


def container_classes(engine: Engine) -> frozenset[int]:
    """The project's classes that are containers, by the id of their node; not what holds a configuration (`_of_settings`)."""
    return frozenset(id(cls.node) for module in engine.subject.inference.modules.modules.values() for cls in module.classes if _BASES & set(cls.ancestors) and not _of_settings(cls))


def _of_settings(cls: ClassScope) -> bool:
    """Whether a class is a dictionary whose entries are read as attributes, and is not called after data: ``class Box(dict)`` with ``__getattr__``."""
    asked = any(isinstance(n, ast.FunctionDef) and n.name in _ASKED or isinstance(n, ast.Assign) and any(isinstance(t, ast.Name) and t.id in _ASKED for t in n.targets) for owner in cls.mro for n in owner.node.body)
    return asked and bool(_MAPPINGS & set(cls.ancestors)) and not re.search(r"(?i)batch|sample|data|instance|episode|record", cls.name)


def _classes(frame: Frame, node: ast.expr) -> Iterator[ClassScope]:
    for option in v.options(frame.fact(node)):
        if isinstance(option, v.ProjectInstance) and id(option.cls.scope.node) in frame.engine.containers:
            yield option.cls.scope


def held_by(frame: Frame, node: ast.expr, value: Abstract) -> Abstract:
    """What an expression holds, where it is such an object of which nothing else is known."""
    if not frame.engine.containers or value != UNKNOWN:
        return value
    for cls in _classes(frame, node):
        return frame.engine.read(cls, _HELD, frame.routine) or value
    return value


def hold(frame: Frame, node: ast.expr, value: Abstract) -> None:
    """Something is put into what an expression names, or taken out of it."""
    for cls in _classes(frame, node) if frame.engine.containers and value != UNKNOWN else ():
        frame.engine.store(cls, _HELD, value)


def only_grows(frame: Frame, place: ast.expr) -> bool:
    """Whether a place names such an object that is filled alone: no method of its class takes anything out."""
    found = [*_classes(frame, place)] if isinstance(place, (ast.Name, ast.Attribute)) and frame.engine.containers else []
    return bool(found) and all(_BOUNDED not in cls.ancestors and not any(_takes_out(owner.node) for owner in [*cls.mro, *cls.all_subclasses()]) for cls in found)


def _takes_out(node: ast.AST) -> bool:
    """``self.clear()``, ``del self[0]``, ``self[:] = kept``."""
    for inner in walk(node):
        taken = isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr in _TAKING_OUT and _is_self(inner.func.value)
        if taken or isinstance(inner, ast.Subscript) and not isinstance(inner.ctx, ast.Load) and _is_self(inner.value) and (isinstance(inner.ctx, ast.Del) or isinstance(inner.slice, ast.Slice)):
            return True
    return False


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"
