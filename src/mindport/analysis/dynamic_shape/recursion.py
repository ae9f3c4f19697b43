"""Structures that a function goes down into: ``[self.node(child) for child in tree.children]``; no two nodes of one have as many children."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape.abstract import Abstract, Level
from mindport.analysis.dynamic_shape.handed_in import is_parameter
from mindport.inference import values as v
from mindport.source.walking import walk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mindport.analysis.dynamic_shape.statements import Frame


def children(frame: Frame, over: ast.expr, target: ast.expr, body: Iterable[ast.AST], value: Abstract) -> Level:
    """How the number of turns differs of a loop over something unknown that an argument holds, each item of which the same function is called with."""
    root = over
    while isinstance(root, (ast.Attribute, ast.Subscript)):
        root = root.value
    if root is over or not isinstance(root, ast.Name) or not isinstance(target, ast.Name) or not is_parameter(frame, root) or value.items is not None or not frame.untyped(over) or root.id == "self":
        return Level.CONSTANT
    return Level.DATA if any(_calls_itself(frame, inner, target.id) for part in body for inner in walk(part)) else Level.CONSTANT


def _calls_itself(frame: Frame, node: ast.AST, name: str) -> bool:
    if not isinstance(node, ast.Call) or not any(isinstance(argument, ast.Name) and argument.id == name for argument in node.args):
        return False
    called = [o.function if isinstance(o, v.Bound) else o for o in v.options(frame.fact(node.func))]
    return any(isinstance(option, v.ProjectFunction) and option.scope.node is frame.routine.node for option in called)
