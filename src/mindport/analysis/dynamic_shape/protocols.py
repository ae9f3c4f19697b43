"""What Python's syntax calls by itself: a loop asks a class for `__iter__`, a subscript for `__getitem__`, `with` for `__enter__`, an attribute for its setter."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape.abstract import CONSTANT, UNKNOWN, Abstract, element_of, join
from mindport.analysis.dynamic_shape.ducks import holders
from mindport.analysis.dynamic_shape.given_objects import gone_through
from mindport.inference import values as v
from mindport.inference.scopes import ClassScope, FunctionScope

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame

#: The methods behind operators.
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.Div: "__truediv__", ast.FloorDiv: "__floordiv__", ast.MatMult: "__matmul__",
    ast.Mod: "__mod__", ast.Pow: "__pow__", ast.BitAnd: "__and__", ast.BitOr: "__or__",
}  # fmt: skip
#: Functions that go over their arguments.
GOING_OVER = frozenset("builtins." + name for name in ("enumerate", "zip", "list", "tuple", "iter", "next", "sorted", "reversed", "map", "set"))


def iterable(frame: Frame, node: ast.expr, value: Abstract) -> Abstract:
    """What a loop goes over: of an object of the project's, what its iterator gives."""
    if value != UNKNOWN:
        return gone_through(frame, node, value)
    found = _asked(frame, node, "__iter__", [])
    if found is None:
        one = _asked(frame, node, "__next__", []) or _asked(frame, node, "__getitem__", [CONSTANT])
        return Abstract(element=one, added=None) if one is not None else gone_through(frame, node, value)
    one = _asked(frame, node, "__next__", [])
    return found if one is None or found != UNKNOWN else Abstract(element=one, added=None)


def entry(frame: Frame, node: ast.Subscript, base: Abstract, index: Abstract) -> Abstract | None:
    """``box[i]`` of an object of the project's that is no module and no container."""
    return _asked(frame, node.value, "__getitem__", [index]) if base == UNKNOWN else None


def entered(frame: Frame, node: ast.expr, value: Abstract) -> Abstract:
    """What ``with … as x`` binds."""
    found = _asked(frame, node, "__enter__", []) if value == UNKNOWN else None
    return found if found is not None and found != UNKNOWN else value


def operated(frame: Frame, node: ast.BinOp, left: Abstract, right: Abstract) -> Abstract | None:
    """An operator of an object of the project's."""
    name = _OPERATORS.get(type(node.op))
    return _asked(frame, node.left, name, [right]) if name is not None and left == UNKNOWN else None


def told_length(frame: Frame, node: ast.expr, value: Abstract) -> Abstract | None:
    """``len(x)`` of an object of the project's."""
    return _asked(frame, node, "__len__", []) if value == UNKNOWN else None


def set_by(frame: Frame, cls: ClassScope, name: str, value: Abstract) -> None:
    """An attribute with a setter: it is called."""
    from mindport.analysis.dynamic_shape.calls import Given, project_call

    setter = next((found for owner in cls.mro if (found := _setter(owner, name)) is not None), None)
    if setter is not None:
        project_call(frame, setter.value, Given([value], {}), True)


def _setter(cls: ClassScope, name: str) -> FunctionScope | None:
    if name not in cls.methods:
        return None
    for node in cls.node.body:
        if isinstance(node, ast.FunctionDef) and node.name == name and any(isinstance(d, ast.Attribute) and d.attr == "setter" for d in node.decorator_list):
            scope = cls.module.scopes[id(node)]
            return scope if isinstance(scope, FunctionScope) else None
    return None


def _asked(frame: Frame, node: ast.expr, name: str, given: list[Abstract]) -> Abstract | None:
    """What a method gives that syntax calls; None where the object has none, or is a module, whose calls are followed elsewhere."""
    from mindport.analysis.dynamic_shape.calls import Given, project_call

    found = []
    for option in holders(frame, node, UNKNOWN):
        if isinstance(option, v.ProjectInstance) and torch_names.MODULE not in option.cls.scope.ancestors:
            owner = next((c for c in option.cls.scope.mro if name in c.methods), None)
            if owner is not None:
                found.append(project_call(frame, owner.methods[name].value, Given(given, {}), True))
    return join(*found) if found else None


def one_of(frame: Frame, node: ast.expr, value: Abstract) -> Abstract:
    """What one turn of a loop over an expression gets."""
    return element_of(iterable(frame, node, value))
