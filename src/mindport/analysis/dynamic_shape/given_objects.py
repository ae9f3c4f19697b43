"""Objects that a step is given without a type: what is read out of them is another thing in every step, and of another number.

A setting has a default, is a number, or comes by a configuration. What a call must give, and what the function goes through, asks for its parts or takes
apart by names, is none: a scene, a document, a tree, a list of records. Its parts are as `opaque` as what another library makes of data. Networks and
services (what is called, trained, stepped, or called so) stay what they are, and what they tell about themselves is a setting.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.object_words import OF_SERVICES, OF_SETTINGS, OF_SWITCHES, SERVICE_WORDS
from mindport.analysis.dynamic_shape.abstract import UNKNOWN, Abstract, Level, Origin
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.source.defaults import defaults_of

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.engine import Routine
    from mindport.analysis.dynamic_shape.statements import Frame


def objects_of(routine: Routine) -> frozenset[str]:
    """The required parameters of a routine that it uses as objects are used: gone through, asked for attributes, taken apart by names."""
    if routine.objects is None:
        node = routine.node
        routine.objects = frozenset() if isinstance(node, (ast.Module, ast.Lambda)) or routine.runs_once else _objects(routine, node.args)
    return routine.objects


def _objects(routine: Routine, arguments: ast.arguments) -> frozenset[str]:
    names = {a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]} - set(defaults_of(arguments))
    names = {name for name in names if not (apis.SETTING_WORDS | SERVICE_WORDS) & set(name.lower().split("_"))}
    asked: set[str] = set()
    for inner in routine.nodes:
        match inner:
            case ast.Call(func=ast.Name(name)):
                names.discard(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(name), attr=attr)) if attr in OF_SERVICES:
                names.discard(name)
            case ast.BinOp(left=left, right=right):
                names -= {part.id for part in (left, right) if isinstance(part, ast.Name)}
            case ast.Attribute(value=ast.Name(name)) | ast.Subscript(value=ast.Name(name)):
                asked.add(name)
            case ast.For(iter=over) | ast.comprehension(iter=over):
                asked |= _gone_through(over)
    return frozenset(names & asked)


def _gone_through(over: ast.expr) -> set[str]:
    """``x``, and `x` of ``enumerate(x)``, ``zip(x, y)``, ``range(len(x))``."""
    if isinstance(over, ast.Name):
        return {over.id}
    if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id in ("enumerate", "zip", "reversed", "sorted", "range", "len", "list"):
        return set().union(*map(_gone_through, over.args))
    return set()


def is_object(frame: Frame, node: ast.expr, value: Abstract) -> bool:
    """Whether an expression is such a parameter, of which nothing else is known."""
    return value == UNKNOWN and isinstance(node, ast.Name) and not frame.routine.prepares_data and node.id in objects_of(frame.routine) and frame.untyped(node)


def part_of_given(frame: Frame, node: ast.Attribute | ast.Subscript, base: Abstract) -> Abstract | None:
    """``scene.agents``, ``doc["turns"]``, ``records[i]`` of an object that a step is given; None for anything else."""
    if isinstance(node, ast.Subscript) and _of_a_table(frame, node, base):
        return Abstract(Level.DATA, origin=Origin(frame.routine.file, node), opaque=True)
    if not is_object(frame, node.value, base) or not frame.untyped(node):
        return None
    name = node.attr if isinstance(node, ast.Attribute) else node.slice.value if isinstance(node.slice, ast.Constant) else ""
    if isinstance(name, str) and tells_a_setting(name) or isinstance(node, ast.Attribute) and name in torchfacts.members(torch_names.TENSOR):
        return None
    return Abstract(Level.DATA, origin=Origin(frame.routine.file, node), opaque=True)


def _of_a_table(frame: Frame, node: ast.Subscript, base: Abstract) -> bool:
    """``self.history[user]`` of what the object was given, under a key that the call must give: what stands there is another thing in every step."""
    held, key, routine = node.value, node.slice, frame.routine
    if base != UNKNOWN or not isinstance(held, ast.Attribute) or not isinstance(held.value, ast.Name) or held.value.id != "self" or not isinstance(key, ast.Name) or isinstance(routine.node, (ast.Module, ast.Lambda)):
        return False
    if routine.prepares_data or routine.runs_once or not frame.untyped(held) or not frame.untyped(node) or SERVICE_WORDS & set(held.attr.lower().split("_")):
        return False
    arguments = routine.node.args
    required = {a.arg for a in [*arguments.posonlyargs, *arguments.args]} - set(defaults_of(arguments))
    return key.id in required and frame.untyped(key) and frame.name(key) == UNKNOWN


def tells_a_setting(name: str) -> bool:
    """Whether an attribute is called as settings are: ``num_classes``, ``hidden_size``, ``pad_id``."""
    words = name.lower().strip("_").split("_")
    return words[-1] in apis.NUMBER_WORDS | OF_SETTINGS or words[0] in apis.COUNTING_WORDS


def is_an_event(frame: Frame, node: ast.expr) -> bool:
    """``if done:``, ``if boundary or full:`` of a required parameter of no type that is called as no switch is: another answer in every call."""
    if isinstance(node, ast.BoolOp):
        return any(is_an_event(frame, part) for part in node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return is_an_event(frame, node.operand)
    routine = frame.routine
    if not isinstance(node, ast.Name) or isinstance(routine.node, (ast.Module, ast.Lambda)) or routine.prepares_data or routine.runs_once:
        return False
    arguments = routine.node.args
    required = {a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]} - set(defaults_of(arguments)) - routine.left_out
    return node.id in required and frame.untyped(node) and frame.name(node) == UNKNOWN and not OF_SWITCHES & set(node.id.lower().split("_"))


def gone_through(frame: Frame, node: ast.expr, value: Abstract) -> Abstract:
    """What a loop over such an object gets: things of which nothing is known, other ones in every step."""
    if not is_object(frame, node, value):
        return value
    return Abstract(element=Abstract(Level.DATA, origin=Origin(frame.routine.file, node), opaque=True), added=None)


def of_unknown_call(frame: Frame, node: ast.Call, receiver: Abstract | None, given: list[Abstract]) -> bool:
    """Whether a call of no type gives what data decide: a method of an object that a step is given, or of anything that is given data."""
    if frame.routine.prepares_data or frame.routine.runs_once or not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr in torchfacts.members(torch_names.TENSOR) or tells_a_setting(node.func.attr) or apis.BATCHING_WORDS & set(node.func.attr.lower().split("_")):
        return False
    if receiver is not None and is_object(frame, node.func.value, receiver):
        return True
    return receiver == UNKNOWN and any(value.opaque for value in given)
