"""Objects that are handed in without a type: of the one class of the project that has all that is asked of them.

``self.callback.length`` and ``self.callback.on_epoch_end()`` of a constructor's parameter: where one class of the project alone has both, and one
of them is no name that tensors or containers have, that class's methods are called and its attributes read.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import Abstract, of_unknown_parts
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.scopes import ClassScope
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.engine import Engine
    from mindport.analysis.dynamic_shape.statements import Frame

#: What anything may have: it says nothing about a class.
_COMMON = frozenset(name for kind in (dict, list, str, set) for name in dir(kind))


class Ducks:
    """The classes of a project by what they have, and what is asked of each receiver."""

    def __init__(self, engine: Engine) -> None:
        modules = engine.subject.inference.modules.modules.values()
        self.classes = [(cls, _members(cls)) for module in modules for cls in module.classes]
        self.named: dict[str, list[tuple[ClassScope, frozenset[str]]]] = {}
        for cls, members in self.classes:
            for name in members:
                self.named.setdefault(name, []).append((cls, members))
        #: What the methods of classes make: parts of a network, not the network.
        self.made_inside = {n.func.id for cls, _ in self.classes for n in walk(cls.node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
        self._asked: dict[int, dict[str, set[str]]] = {}
        self._found: dict[frozenset[str], ClassScope | None] = {}

    def asked(self, node: ast.AST) -> dict[str, set[str]]:
        """The attributes that a function or class asks of each receiver, by its text."""
        if id(node) not in self._asked:
            found: dict[str, set[str]] = {}
            for inner in walk(node):
                if isinstance(inner, ast.Attribute) and isinstance(inner.value, (ast.Name, ast.Attribute)):
                    found.setdefault(ast.unparse(inner.value), set()).add(inner.attr)
            self._asked[id(node)] = found
        return self._asked[id(node)]

    def of(self, wanted: frozenset[str]) -> ClassScope | None:
        """The only class, or the root of the only family, that has all the names."""
        if wanted not in self._found:
            telling = [name for name in wanted if name not in _COMMON and name not in torchfacts.members(torch_names.TENSOR)]
            rarest = min(wanted, key=lambda name: len(self.named.get(name, ())), default="")
            able = [cls for cls, members in self.named.get(rarest, ()) if wanted <= members] if telling else []
            roots = [cls for cls in able if all(cls in other.mro for other in able)]
            self._found[wanted] = roots[0] if roots else None
        return self._found[wanted]


def _members(cls: ClassScope) -> frozenset[str]:
    return frozenset(name for owner in cls.mro for table in (owner.methods, owner.attributes, owner.names, owner.annotations) for name in table)


def handed_object(frame: Frame, node: ast.expr, value: Abstract) -> ClassScope | None:
    """The class of something of no type, by what is asked of it; None where it has one, or none or several would do."""
    if value != Abstract() and not of_unknown_parts(value) or not isinstance(node, (ast.Name, ast.Attribute)) or not frame.untyped(node):
        return None
    name = node.id if isinstance(node, ast.Name) else node.attr
    if apis.SETTING_WORDS & set(name.lower().split("_")):
        return None
    engine = frame.engine
    if engine.ducks is None:
        engine.ducks = Ducks(engine)
    text = ast.unparse(node)
    wanted: set[str] = set()
    if isinstance(node, ast.Name):
        wanted |= engine.ducks.asked(frame.routine.node).get(text, set())
    else:
        for option in v.options(frame.fact(node.value)):
            for owner in option.cls.scope.mro if isinstance(option, v.ProjectInstance) else ():
                wanted |= engine.ducks.asked(owner.node).get(text, set())
    return engine.ducks.of(frozenset(wanted)) if wanted else None


def handed_method(frame: Frame, node: ast.expr, value: Abstract | None) -> v.ProjectFunction | None:
    """The method that a call of something of no type calls."""
    cls = handed_object(frame, node.value, value) if isinstance(node, ast.Attribute) and value is not None else None
    owner = next((c for c in cls.mro if node.attr in c.methods), None) if cls is not None else None  # type: ignore[attr-defined]
    return owner.methods[node.attr].value if owner is not None else None  # type: ignore[attr-defined]


def handed_callable(frame: Frame, node: ast.expr, value: Abstract | None) -> v.ProjectFunction | None:
    """What a call of a parameter of no type runs, ``vad(wave)``: the one class of the project that is called so and can be called."""
    if not isinstance(node, ast.Name) or value != Abstract() or not frame.untyped(node):
        return None
    engine = frame.engine
    if engine.ducks is None:
        engine.ducks = Ducks(engine)
    able = [cls for cls, members in engine.ducks.classes if members & {"__call__", "forward"}]
    found = [cls for cls in able if cls.name.lower() == node.id.replace("_", "").lower()]
    if not found and node.id in ("model", "net", "network"):
        found = [cls for cls in able if cls.module.file is frame.routine.file and torch_names.MODULE in cls.ancestors and cls.name not in engine.ducks.made_inside]
    names = ("forward", "__call__") if len(found) == 1 else ()
    return next((owner.methods[name].value for name in names for owner in found[0].mro if name in owner.methods), None)


def holders(frame: Frame, node: ast.expr, value: Abstract) -> tuple[v.Value, ...]:
    """What an expression may be, with the class that is meant where it has no type."""
    cls = handed_object(frame, node, value)
    return (v.ProjectInstance(cls.value),) if cls is not None else tuple(v.options(frame.fact(node)))
