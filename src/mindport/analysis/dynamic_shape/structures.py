"""Structures that come with the data: trees that a function goes down into, lists in a sample's record, things that a test of their own parts sifts."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import Abstract, Level
from mindport.analysis.dynamic_shape.handed_in import is_parameter
from mindport.analysis.dynamic_shape.joined_samples import ragged
from mindport.inference import values as v
from mindport.source.walking import walk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mindport.analysis.dynamic_shape.statements import Frame


def children(frame: Frame, over: ast.expr, target: ast.expr, body: Iterable[ast.AST], value: Abstract) -> Level:
    """How the number of turns differs of a loop over something unknown: what an argument holds, each item of which the same function is called with, ``[self.node(child) for child in tree.children]``; what a sample has several of."""
    if _of_a_record(frame, over, value) or _of_items(frame, over, target, body, value):
        return Level.DATA
    root = over
    while isinstance(root, (ast.Attribute, ast.Subscript)):
        root = root.value
    if root is over and isinstance(over, ast.Name):
        root = _unpacked_from(frame, over)
    if root is over or not isinstance(root, ast.Name) or not isinstance(target, ast.Name) or not is_parameter(frame, root) or value.items is not None or not (frame.untyped(over) or _collected(frame.fact(over))):
        return Level.CONSTANT
    if root.id == "self":
        return Level.DATA if any(_asks_the_same(frame, inner, target.id) for part in body for inner in walk(part)) else Level.CONSTANT
    return Level.DATA if any(_calls_itself(frame, inner, target.id) for part in body for inner in walk(part)) else Level.CONSTANT


def _unpacked_from(frame: Frame, name: ast.Name) -> ast.expr:
    """`node` for the `children` of ``op, children = node``."""
    for inner in frame.routine.nodes:
        if isinstance(inner, ast.Assign) and isinstance(inner.value, ast.Name) and isinstance(inner.targets[0], ast.Tuple) and any(isinstance(n, ast.Name) and n.id == name.id for n in inner.targets[0].elts):
            return inner.value
    return name


def _collected(fact: v.Value) -> bool:
    """What ``*parts`` has collected."""
    return isinstance(fact, v.Sequence) and fact.items is None and isinstance(fact.element, v.Unknown)


def _asks_the_same(frame: Frame, node: ast.AST, name: str) -> bool:
    """``child.tokens()`` in the method `tokens`, of what is no module."""
    asked = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id == name and node.func.attr == frame.routine.name
    return asked and frame.routine.region != "network"


def _of_a_record(frame: Frame, over: ast.expr, value: Abstract) -> bool:
    """``[b["area"] for b in self.items[i]["boxes"]]`` in a data set: each sample has its own number, as the name says."""
    if not frame.routine.yields_batches or frame.routine.collates or not ragged(over):
        return False
    if value.items is not None or value.element is not None or value.keyed is not None or value.tensor or value.array or value.loader:
        return False
    name = over.slice.value if isinstance(over, ast.Subscript) and isinstance(over.slice, ast.Constant) else over.attr if isinstance(over, ast.Attribute) else ""
    return str(name).endswith("s") and str(name) not in apis.OF_ONE_SKELETON


def _of_items(frame: Frame, over: ast.expr, target: ast.expr, body: Iterable[ast.AST], value: Abstract) -> bool:
    """``[vocab[c] for c in text]``, ``for note in song: note["end"]`` where data are prepared: words that a table tells, records of a sample; each has its own number of them."""
    if not frame.routine.prepares_data or not isinstance(target, ast.Name) or value.level < Level.DATA or value.items is not None or value.keyed is not None or value.tensor or value.array or value.loader or value.picked:
        return False
    if value.element is not None or isinstance(over, ast.Call) and isinstance(over.func, ast.Name) or frame.routine.runs_once:
        return False
    return any(_is_an_item(inner, target.id) for part in body for inner in walk(part))


def _is_an_item(node: ast.AST, name: str) -> bool:
    """Whether a name is looked up in a table, ``vocab[c]``, ``vocab.get(c, 0)``, or is a record, ``note["end"]``, ``note.end``."""
    match node:
        case ast.Subscript(slice=ast.Name(found)) if found == name:
            return True
        case ast.Call(func=ast.Attribute(attr="get" | "index" | "find"), args=[ast.Name(found), *_]) | ast.Call(func=ast.Name("ord"), args=[ast.Name(found)]) if found == name:
            return True
        case ast.Subscript(value=ast.Name(found)) | ast.Attribute(value=ast.Name(found)) if found == name:
            return True
    return False


def sifted(frame: Frame, part: ast.comprehension, test: ast.expr) -> bool:
    """``[p for p in found if p["score"] > least]`` of a parameter: how many of its items are great or small enough."""
    from mindport.analysis.dynamic_shape.subscripts import of_torch_alone

    if not (isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Gt, ast.GtE, ast.Lt, ast.LtE)) and isinstance(part.target, ast.Name)):
        return False
    root = test.left
    while isinstance(root, (ast.Attribute, ast.Subscript)):
        root = root.value
    of_an_item = root is not test.left and isinstance(root, ast.Name) and root.id == part.target.id
    return of_an_item and is_parameter(frame, part.iter) and frame.untyped(part.iter) and not frame.routine.prepares_data and not frame.routine.name.endswith("__init__") and of_torch_alone(frame)


def _calls_itself(frame: Frame, node: ast.AST, name: str) -> bool:
    if not isinstance(node, ast.Call) or not any(isinstance(argument, ast.Name) and argument.id == name for argument in node.args):
        return False
    called = [o.function if isinstance(o, v.Bound) else o for o in v.options(frame.fact(node.func))]
    return any(isinstance(option, v.ProjectFunction) and option.scope.node is frame.routine.node for option in called)
