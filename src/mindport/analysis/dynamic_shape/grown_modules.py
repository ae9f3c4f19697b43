"""Lists of modules that get more of them while the project trains: ``self.columns.append(nn.Linear(d, d))`` in a method that a loop with training calls."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape.abstract import Abstract, Level, Origin
from mindport.analysis.dynamic_shape.places import ONCE
from mindport.inference import values as v
from mindport.inference.scopes import ClassScope
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame
    from mindport.analysis.subject import Subject

_LISTS = tuple(torch_names.LAYERS + name for name in ("ModuleList", "ModuleDict", "ParameterList", "ParameterDict"))
_FILLING = frozenset(("append", "extend", "insert", "add_module", "update"))


def grown(frame: Frame, node: ast.Attribute, cls: ClassScope) -> Abstract | None:
    """What an attribute of a class holds that is such a list; None for any other."""
    if not any(isinstance(o, v.Instance) and o.cls in _LISTS for o in v.options(frame.fact(node))):
        return None
    for owner in cls.mro:
        for name, method in owner.methods.items():
            if name not in ONCE and (filling := _fills(method.node, node.attr)) is not None and name in frame.engine.called_in_training:
                return Abstract(element=Abstract(), length=Level.RANDOM, added=None, origin=Origin(frame.routine.file, filling))
    return None


def _fills(method: ast.AST, name: str) -> ast.AST | None:
    for inner in walk(method):
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr in _FILLING and _is(inner.func.value, name):
            return inner
        if isinstance(inner, ast.Subscript) and isinstance(inner.ctx, ast.Store) and _is(inner.value, name):
            return inner
    return None


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.value, ast.Name) and node.value.id == "self"


def called_in_training(subject: Subject) -> frozenset[str]:
    """Names of the methods that loops call in which, or in functions of the project that they call, something is trained."""
    training: set[str] = set()
    loops: list[list[ast.Call]] = []
    for file in subject.facts:
        for node in file.nodes:
            if isinstance(node, ast.FunctionDef) and _trains(node):
                training.add(node.name)
            elif isinstance(node, (ast.For, ast.While)):
                loops.append([n for n in walk(node) if isinstance(n, ast.Call) and isinstance(n.func, (ast.Name, ast.Attribute))])
    called = [{n.func.id if isinstance(n.func, ast.Name) else n.func.attr for n in loop} for loop in loops]  # type: ignore[attr-defined]
    return frozenset(name for names in called if names & (training | {"backward"}) for name in names)


def _trains(node: ast.AST) -> bool:
    return any(isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == "backward" for n in walk(node))
