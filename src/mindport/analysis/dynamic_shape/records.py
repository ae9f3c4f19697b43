"""Records: dataclasses, named tuples and namespaces hold what they are constructed with, each under its name."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import Abstract, Level, Origin, container
from mindport.analysis.dynamic_shape.supposed_tensors import whole_of
from mindport.inference import values as v
from mindport.inference.scopes import ClassScope

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.calls import Given
    from mindport.analysis.dynamic_shape.statements import Frame

#: Makes a record of another one.
_REPLACING = "dataclasses.replace"


def fields_of(cls: ClassScope) -> list[str]:
    """The fields that a class without a constructor declares: a dataclass's or a named tuple's, inherited ones first."""
    if any("__init__" in owner.methods or "__new__" in owner.methods for owner in cls.mro):
        return []
    declared = [s.target.id for owner in reversed(cls.mro) for s in owner.node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]
    return list(dict.fromkeys(declared))


def listed(frame: Frame, node: ast.Attribute, cls: ClassScope) -> Abstract | None:
    """``report.findings`` of a field ``findings: list[int]``, of a record that comes from elsewhere: as many as this one has; None for any other attribute."""
    fact = frame.fact(node)
    if not (isinstance(fact, v.Sequence) and fact.type == "list" and fact.items is None) or node.attr not in fields_of(cls) or apis.SETTING_WORDS & set(cls.name.lower().split("_")):
        return None
    if frame.routine.prepares_data or frame.routine.runs_once or not whole_of(node.value) or id(cls.node) in frame.engine.constructed or cls.name.lower().endswith(("config", "args", "settings", "options", "params")):
        return None
    origin = Origin(frame.routine.file, node)
    return Abstract(Level.DATA, element=Abstract(Level.DATA, tensor=v.is_tensor(fact.element), origin=origin), length=Level.DATA, added=None, origin=origin)


def construct(frame: Frame, cls: ClassScope, given: Given) -> None:
    """Store what a dataclass is constructed with in its attributes."""
    frame.engine.constructed.add(id(cls.node))
    fields = fields_of(cls)
    for name, value in [*zip(fields, given.positional, strict=False), *((k, each) for k, each in given.keywords.items() if k in fields)]:
        frame.engine.store(cls, name, value)


def changed(frame: Frame, node: ast.Call, name: str, given: Given) -> Abstract | None:
    """``dataclasses.replace(state, count=n)``: a record of the same class that holds the new values, too; None for any other function."""
    if name != _REPLACING or not given.positional:
        return None
    for option in v.options(frame.fact(node.args[0])):
        for field, value in given.keywords.items() if isinstance(option, v.ProjectInstance) else ():
            frame.engine.store(option.cls.scope, field, value)  # type: ignore[union-attr]
    return replaced(given.positional[0], given)


def replaced(held: Abstract, given: Given) -> Abstract:
    """A record some of whose fields are others."""
    if held.keyed is None:
        return held
    names = [name for name, _ in held.keyed]
    items = tuple(given.keywords.get(str(name), item) for name, item in zip(names, held.items, strict=True)) if held.items is not None and len(held.items) == len(names) else None
    fields: dict[object, Abstract] = dict(held.keyed)
    return replace(held, items=items, keyed=tuple((fields | dict(given.keywords)).items()))


def record(fields: list[str], given: Given) -> Abstract:
    """A tuple whose elements have names."""
    named = dict(zip(fields, given.positional, strict=False)) | {k: each for k, each in given.keywords.items() if k in fields}
    held = container(tuple(named[name] for name in fields if name in named))
    return replace(held, items=held.items if len(named) == len(fields) and not given.starred else None, keyed=tuple(named.items()))


def fields_of_call(node: ast.Call) -> list[str]:
    """The names in ``namedtuple("Box", ["left", "top"])`` or ``namedtuple("Box", "left top")``."""
    told = node.args[1] if len(node.args) > 1 else next((k.value for k in node.keywords if k.arg == "field_names"), None)
    if isinstance(told, ast.Constant) and isinstance(told.value, str):
        return told.value.replace(",", " ").split()
    if isinstance(told, (ast.List, ast.Tuple)):
        return [part.value for part in told.elts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return []


def namespace(given: Given) -> Abstract:
    """Something that is constructed with keywords alone keeps each as an attribute."""
    held = container(tuple(given.keywords.values()))
    return replace(held, items=None, element=None, level=Abstract().level, origin=None, keyed=tuple(given.keywords.items()))
