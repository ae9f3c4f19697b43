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
from mindport.analysis.dynamic_shape.abstract import UNKNOWN, Abstract, Level, Origin, container
from mindport.analysis.dynamic_shape.object_words import (
    OF_MAKING,
    OF_SERVICES,
    OF_SETTINGS,
    SELDOM,
    SERVICE_WORDS,
)
from mindport.analysis.dynamic_shape.questions import is_required
from mindport.analysis.dynamic_shape.supposed_tensors import no_tensors, of_records
from mindport.inference import torchfacts
from mindport.source.defaults import required
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.engine import Routine
    from mindport.analysis.dynamic_shape.statements import Frame


_FLAGS = Abstract(mask=True)


def objects_of(routine: Routine) -> frozenset[str]:
    """The required parameters of a routine that it uses as objects are used: gone through, asked for attributes, taken apart by names."""
    if routine.objects is None:
        node = routine.node
        routine.objects = frozenset() if isinstance(node, (ast.Module, ast.Lambda)) or routine.runs_once or routine.name in SELDOM else _objects(routine, node.args)
    return routine.objects


def _objects(routine: Routine, arguments: ast.arguments) -> frozenset[str]:
    shown = no_tensors(routine) if routine.region == "network" else frozenset()  # of a forward pass's parameters the use alone says it
    shown |= _of_samples(routine)
    names = {name for name in required(arguments) if not (apis.SETTING_WORDS | (SERVICE_WORDS if name not in shown else set())) & set(name.lower().split("_"))}
    asked: set[str] = set()
    for inner in routine.nodes:
        match inner:
            case ast.Call(func=ast.Name("list" | "sorted" | "iter" | "reversed"), args=[ast.Name(name), *_]):
                asked.add(name)
            case ast.Call(func=ast.Name(name)):
                names.discard(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(name), attr=attr)) if attr in OF_SERVICES:
                names.discard(name)
            case ast.BinOp(left=left, right=right):
                names -= {part.id for part in (left, right) if isinstance(part, ast.Name)}
            case ast.Attribute(value=ast.Name(name)) | ast.Subscript(value=ast.Name(name)):
                asked.add(name)
            case ast.Assign(targets=[ast.Tuple()], value=ast.Name(name)):
                asked.add(name)
            case ast.For(iter=over) | ast.comprehension(iter=over):
                asked |= _gone_through(over)
    return frozenset(names & asked)


def _of_samples(routine: Routine) -> frozenset[str]:
    """Names that are asked by the number of a sample: ``sizes[i]`` beside ``x[i]`` in ``for i in range(x.size(0))``."""
    found: set[str] = set()
    for loop in routine.nodes:
        match loop:
            case ast.For(
                target=ast.Name(counter),
                iter=ast.Call(func=ast.Name("range"), args=[ast.Call(func=ast.Attribute(value=ast.Name(batch), attr="size"), args=[ast.Constant(0)]) | ast.Subscript(value=ast.Attribute(value=ast.Name(batch), attr="shape"), slice=ast.Constant(0))]),
            ):
                asked = [n for n in walk(loop) if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and any(isinstance(part, ast.Name) and part.id == counter for part in _first(n.slice))]
                names = {n.value.id for n in asked if isinstance(n.value, ast.Name)}
                found |= names - {batch} if batch in names else set()
    return frozenset(found)


def _first(index: ast.expr) -> list[ast.expr]:
    return index.elts[:1] if isinstance(index, ast.Tuple) else [index]


def _gone_through(over: ast.expr) -> set[str]:
    """``x``, and `x` of ``enumerate(x)``, ``zip(x, y)``, ``range(len(x))``."""
    if isinstance(over, ast.Name):
        return {over.id}
    if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id in ("enumerate", "zip", "reversed", "sorted", "range", "len", "list"):
        return set().union(*map(_gone_through, over.args))
    return set()


def is_object(frame: Frame, node: ast.expr, value: Abstract) -> bool:
    """Whether an expression is such a parameter, of which nothing else is known."""
    return value in (UNKNOWN, _FLAGS) and isinstance(node, ast.Name) and not frame.routine.prepares_data and node.id in objects_of(frame.routine) and node.id not in frame.bound and frame.untyped(node)


def _part(frame: Frame, node: ast.expr) -> Abstract:
    """Something of which nothing is known but that the data of a step made it."""
    return Abstract(Level.DATA, origin=Origin(frame.routine.file, node), opaque=True)


def part_of_given(frame: Frame, node: ast.Attribute | ast.Subscript, base: Abstract) -> Abstract | None:
    """``scene.agents``, ``doc["turns"]``, ``records[i]`` of an object that a step is given; None for anything else."""
    if isinstance(node, ast.Subscript) and _of_a_table(frame, node, base):
        return _part(frame, node)
    if not is_object(frame, node.value, base) or not frame.untyped(node):
        return None
    name = node.attr if isinstance(node, ast.Attribute) else node.slice.value if isinstance(node.slice, ast.Constant) else ""
    if isinstance(name, str) and tells_a_setting(name) or isinstance(node, ast.Attribute) and name in torchfacts.members(torch_names.TENSOR):
        return None
    return _part(frame, node)


def _of_a_table(frame: Frame, node: ast.Subscript, base: Abstract) -> bool:
    """``self.history[user]`` of what the object was given, under a key that the call must give: what stands there is another thing in every step."""
    held, key = node.value, node.slice
    if base != UNKNOWN or not isinstance(held, ast.Attribute) or not isinstance(held.value, ast.Name) or held.value.id != "self" or not isinstance(key, ast.Name):
        return False
    if not frame.untyped(held) or not frame.untyped(node) or SERVICE_WORDS & set(held.attr.lower().split("_")):
        return False
    return is_required(frame, key, frame.name(key))


def tells_a_setting(name: str) -> bool:
    """Whether an attribute is called as settings are: ``num_classes``, ``hidden_size``, ``pad_id``."""
    words = name.lower().strip("_").split("_")
    return words[-1] in apis.NUMBER_WORDS | OF_SETTINGS or words[0] in apis.COUNTING_WORDS


def taken_apart(frame: Frame, target: ast.expr, node: ast.expr, value: Abstract) -> Abstract:
    """``name, children = node`` of such an object: its parts."""
    return _part(frame, node) if isinstance(target, ast.Tuple) and is_object(frame, node, value) else value


def is_a_list(frame: Frame, node: ast.Call, given: Abstract) -> bool:
    """Whether ``torch.tensor(x)`` makes one of a list that data made: `x` is asked for its length or whether it holds anything, or the tensor's first axis is reduced."""
    if not given.opaque or given.tensor or given.array or not node.args or frame.routine.prepares_data:
        return False
    text = ast.unparse(node.args[0])
    for inner in frame.routine.nodes:
        match inner:
            case ast.If(test=test) | ast.IfExp(test=test) if ast.unparse(test.operand if isinstance(test, ast.UnaryOp) else test) == text:
                return True
            case ast.Call(func=ast.Name("len"), args=[held]) | ast.For(iter=held) | ast.comprehension(iter=held) if ast.unparse(held) == text:
                return True
            case ast.Call(func=ast.Attribute(value=held, attr=attr), args=[ast.Constant(0)]) if apis.FUNCTION + attr in apis.REDUCING and any(part is node for part in walk(held)):
                return True
    return False


def gone_through(frame: Frame, node: ast.expr, value: Abstract) -> Abstract:
    """What a loop over such an object gets: things of which nothing is known, other ones in every step."""
    if not is_object(frame, node, value):
        return value
    records = frame.routine.region == "network" and of_records(frame.routine, node.id)  # type: ignore[attr-defined]
    return Abstract(element=Abstract(Level.DATA, mask=value.mask, origin=Origin(frame.routine.file, node), opaque=True), added=None, length=Level.DATA if records else Level.CONSTANT)


def of_unknown_call(frame: Frame, node: ast.Call, receiver: Abstract | None, given: list[Abstract]) -> Abstract | None:
    """What a call of no type gives where data decide: a method of an object that a step is given, or of anything that is given such a thing; what an attribute answers is a value of data, of no other number of parts."""
    if frame.routine.prepares_data or frame.routine.runs_once or not isinstance(node.func, ast.Attribute):
        return None
    name = node.func.attr
    if name in torchfacts.members(torch_names.TENSOR) or tells_a_setting(name) or apis.BATCHING_WORDS & set(name.lower().split("_")):
        return None
    if receiver is not None and is_object(frame, node.func.value, receiver):
        part = _part(frame, node)
        by_names = {"items": container((Abstract(), part)), "values": part, "keys": Abstract()}.get(name)  # as many as there are names
        return Abstract(element=by_names, added=None) if by_names is not None else part
    if receiver != UNKNOWN or _serves(node.func.value):
        return None
    if any(value.opaque for value in given):
        return _part(frame, node)
    asked = bool(node.args) and not any(value.tensor or value.array for value in given) and _asks_an_object(frame, node.func)
    return Abstract(Level.DATA, origin=Origin(frame.routine.file, node)) if asked else None


def _serves(node: ast.expr) -> bool:
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return bool((SERVICE_WORDS | apis.SETTING_WORDS - {"self"}) & set(name.lower().split("_")))


def _asks_an_object(frame: Frame, func: ast.Attribute) -> bool:
    """``self.env.step(action)``, ``client.train(model)`` of what the object was given: what it answers is another thing each time."""
    held = func.value
    own = isinstance(held, ast.Attribute) and isinstance(held.value, ast.Name) and held.value.id == "self" or isinstance(held, ast.Name) and held.id in frame.bound
    return own and frame.untyped(held) and func.attr.split("_")[0] not in OF_MAKING and not func.attr.startswith("_")
