"""Calls of Python's own functions, of random draws and NumPy, and of containers' methods."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import (
    CONSTANT,
    Abstract,
    Level,
    Origin,
    container,
    element_of,
    join,
    number,
    turns,
)
from mindport.analysis.dynamic_shape.arrays import array_call
from mindport.analysis.dynamic_shape.by_values import applied, by_values, passes
from mindport.analysis.dynamic_shape.calls import Given, bind_early
from mindport.analysis.dynamic_shape.containers import constructed, heaped
from mindport.analysis.dynamic_shape.draws import draw
from mindport.analysis.dynamic_shape.engine import from_facts
from mindport.analysis.dynamic_shape.expressions import evaluate, shape_of
from mindport.analysis.dynamic_shape.named_places import as_attribute
from mindport.analysis.dynamic_shape.opaque import parts
from mindport.analysis.dynamic_shape.places import keep
from mindport.analysis.dynamic_shape.polynomials import definitions
from mindport.analysis.dynamic_shape.protocols import GOING_OVER, iterable, told_length
from mindport.analysis.dynamic_shape.records import changed
from mindport.analysis.dynamic_shape.texts import opened
from mindport.inference import values as v
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame

_BUILTIN = "builtins."


def python_call(frame: Frame, node: ast.Call, name: str, given: Given, receiver: Abstract | None) -> Abstract | None:
    """The result of a function of Python, `random` or NumPy; None for any other."""
    if name in apis.NUMBERS:
        return _number(frame, node, name, given)
    if name.startswith(apis.RANDOM_PREFIXES):
        return draw(frame, node, name, given)
    if name in apis.OPENING:
        return opened(frame, node)
    if name.startswith(apis.TABLES):
        return Abstract(array=True)
    if name in apis.OF_KINDS:
        return CONSTANT
    if name in apis.PLACED:
        place = Abstract(Level.RANDOM, origin=Origin(frame.routine.file, node))
        return container((place, place, CONSTANT, CONSTANT))
    if name.startswith("numpy.") or name in apis.ARRAY_DYNAMIC:
        return array_call(frame, node, name, given, receiver)
    if name in apis.REGISTERING and isinstance(node.func, ast.Attribute) and len(node.args) > 1 and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str) and given.positional[1].fixed:
        keep(frame, ast.Attribute(node.func.value, node.args[0].value, ast.Store()), given.positional[1])
    if name == apis.BINDING:
        bind_early(frame, node, given)
        return None
    made = heaped(frame, node, name, given) or changed(frame, node, name, given) or by_values(frame, node, name, given) or constructed(name, given)
    if made is not None:
        return made
    if not name.startswith(_BUILTIN):
        return None
    if name in GOING_OVER and not given.starred:
        given = Given([iterable(frame, written, value) for written, value in zip(node.args, given.positional, strict=False)], given.keywords)
    first = given.positional[0] if given.positional else CONSTANT
    match name.removeprefix(_BUILTIN):
        case "len":
            return (told_length(frame, node.args[0], first) if node.args else None) or _length(frame, node, first)
        case "range":
            extent = number(*(replace(value, shape=frozenset()) if value.tensor else value for value, written in zip(given.positional, node.args, strict=False) if not _likely(frame, written)))
            counter = Abstract(Level.TURN, origin=Origin(frame.routine.file, node))
            return Abstract(extent.level, shape=extent.shape, element=counter, length=Level.DATA if extent.shape else extent.level, extent=extent.shape, added=None, origin=extent.origin)
        case "enumerate":
            pair = container((Abstract(Level.TURN), element_of(first)))
            return Abstract(shape=first.shape, element=pair, length=turns(first), extent=first.shape if first.tensor else first.extent, added=None, origin=first.origin)
        case "zip":
            if given.starred:
                field = replace(first, items=None)
                if first.sample and first.element is None:  # a field of all samples, ``images, labels = zip(*batch)``
                    return Abstract(first.level, element=replace(field, element=first), sample=False, origin=first.origin)
                return replace(first, items=None, keyed=None, element=field, length=Level.CONSTANT)
            parts = container(tuple(element_of(value) for value in given.positional))
            rows = frozenset(s for value in given.positional for s in (value.shape if value.tensor else value.extent))
            return Abstract(element=parts, shape=rows, length=max((turns(value) for value in given.positional), default=Level.CONSTANT), extent=rows, added=None)
        case "list" | "tuple" | "set" | "sorted" | "reversed" | "frozenset" | "iter":
            if not given.positional:
                return CONSTANT
            items = first.items if name.endswith(("list", "tuple")) else None
            length = Level.DATA if name.endswith("set") and first.level >= Level.DATA else Level.CONSTANT if _by_columns(node.args[0]) and first.tensor else turns(first)
            rows = first.shape if first.tensor else first.extent
            first = replace(first, ordered=True) if first.sample and by_length(node) else first
            inner = ragged(element_of(first)) if by_length(node) and not first.tensor else element_of(first)
            return replace(first, items=items, tensor=False, element=inner, length=length, extent=rows, added=None if items is None else first.added)
        case "set.union" | "set.intersection" | "set.difference" | "set.symmetric_difference":
            if frame.routine.name.endswith("__init__"):
                return None
            return Abstract(Level.DATA, element=Abstract(Level.DATA), length=Level.DATA, added=None, origin=Origin(frame.routine.file, node))
        case "getattr":
            if (attribute := as_attribute(node)) is not None:
                held = evaluate(frame, attribute)
                return join(held, *given.positional[2:]) if held != Abstract() else None
            return None
        case "setattr":
            if len(node.args) == 3 and (attribute := as_attribute(node)) is not None:
                keep(frame, attribute, given.positional[2])
            return CONSTANT
        case "map" | "filter":
            rest = given.positional[1] if len(given.positional) > 1 else CONSTANT
            one = applied(frame, node.args[0], element_of(rest)) if name.endswith("map") and len(node.args) == 2 else None
            length = max(turns(rest), passes(frame, node.args[0], rest)) if name.endswith("filter") and node.args else turns(rest)
            return replace(rest, items=None, tensor=False, element=one if one is not None else element_of(rest), length=length, extent=rest.shape if rest.tensor else rest.extent, added=None)
        case "isinstance" | "hasattr" | "callable" | "issubclass" | "id" | "print" | "type" | "super" | "repr" | "str":
            return from_facts(frame.fact(node)) if name.endswith("super") else CONSTANT
        case "next":
            return element_of(first)
    return None


def _by_columns(node: ast.expr) -> bool:
    """``tuple(places.t())``: one for each axis, however many places there are."""
    return isinstance(node, ast.Attribute) and node.attr in ("T", "mT") or isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and (node.func.attr == "t" or node.func.attr == "unbind" and bool(node.args or node.keywords))


def ragged(one: Abstract) -> Abstract:
    """One of a list that is ordered by the lengths of what it holds: of its own length."""
    return one if one.tensor or one.sample or one.array else replace(one, length=max(one.length, Level.DATA), items=None, added=None)


def by_length(node: ast.Call) -> bool:
    """``sorted(batch, key=len)``, ``batch.sort(key=lambda row: row.size(0))``: nobody orders equal lengths."""
    key = next((k.value for k in node.keywords if k.arg == "key"), None)
    return key is not None and any(isinstance(n, ast.Name) and n.id == "len" or isinstance(n, ast.Attribute) and n.attr in ("shape", "size") for n in walk(key))


def _likely(frame: Frame, node: ast.expr) -> bool:
    """A parameter of a forward pass of which nothing is known: what ``range`` is given is a number, then."""
    fact = frame.fact(node)
    return isinstance(node, ast.Name) and isinstance(fact, v.TensorValue) and fact.likely


def _number(frame: Frame, node: ast.Call, name: str, given: Given) -> Abstract:
    parts = given.all
    short = name.rpartition(".")[2]
    if short == "sum" and parts and any(p.tensor for p in (parts[0], element_of(parts[0]))):
        inner = element_of(parts[0]) if not parts[0].tensor else parts[0]
        frame.use(inner)
        return Abstract(inner.level, True, shape=inner.shape if not parts[0].tensor else frozenset(), origin=inner.origin)
    for part in parts:
        frame.use(part) if part.tensor else None
    if short in ("max", "min") and "key" in given.keywords and len(given.positional) == 1 and not given.positional[0].sample:
        return element_of(given.positional[0])  # one of them
    if short in ("max", "min", "sum", "prod") and len(parts) == 1 and not parts[0].tensor:
        held = parts[0]
        inner = element_of(held)
        if lengths_of_given(frame, node.args[0] if node.args else None):
            return Abstract(Level.DATA, origin=Origin(frame.routine.file, node))
        return replace(number(held, inner), level=max(inner.level, held.level, held.length if held.length >= Level.RANDOM and not held.extent else Level.CONSTANT))
    if short == "sum":
        return number(*parts)
    found = number(*parts)
    if short in ("min", "max") and found.level < Level.RANDOM and any(_of_a_row(frame, argument) for argument in node.args):
        found = replace(found, level=Level.DATA)
    if found.level >= Level.DATA and found.origin is None:
        found = replace(found, origin=Origin(frame.routine.file, node))
    return replace(found, shape=found.shape if not any(p.tensor for p in parts) else frozenset())


def lengths_of_given(frame: Frame, over: ast.expr | None) -> bool:
    """``max(len(t["labels"]) for t in targets)``, or of ``lens`` that were taken so: nobody asks for the longest of equal ones."""
    if isinstance(over, ast.Name):
        over = definitions(frame.routine.node).get(over.id)
    if not isinstance(over, (ast.GeneratorExp, ast.ListComp)) or frame.routine.name.endswith("__init__") or len(over.generators) != 1:
        return False
    target = over.generators[0].target
    item = {n.id for n in walk(target) if isinstance(n, ast.Name)}
    if not _measures(frame, over.elt) or not item & {n.id for n in walk(over.elt) if isinstance(n, ast.Name)}:
        return False
    gone_through = over.generators[0].iter
    if isinstance(gone_through, ast.Name) and (gone_through.id in frame.routine.shown or _given_to_a_layer(frame, gone_through.id)):
        return False  # rows of one tensor
    fact = frame.fact(over.generators[0].iter)
    held = evaluate(frame, over.generators[0].iter) if isinstance(over.generators[0].iter, ast.Name) else None
    inner = held.element if held is not None and held.added is None and held.items is None and not held.tensor and not held.sample else None
    if inner is not None and not inner.tensor and inner.element is not None and inner.items is None and inner.level >= Level.DATA:
        return True  # lists that a loop has filled
    several = isinstance(fact, v.Sequence) and fact.items is None and isinstance(fact.element, v.Unknown)  # part of what was sorted
    return several or isinstance(fact, v.Unknown) or isinstance(fact, v.TensorValue) and fact.likely


def _given_to_a_layer(frame: Frame, name: str) -> bool:
    """``self.embedding(captions)``: what a layer of PyTorch is given whole is one tensor."""
    calls = (n for n in frame.routine.nodes if isinstance(n, ast.Call) and any(isinstance(a, ast.Name) and a.id == name for a in n.args))
    return any(isinstance(o, v.Instance) and o.cls.startswith(torch_names.LAYERS) for call in calls for o in v.options(frame.fact(call.func)))


def _of_a_row(frame: Frame, node: ast.expr) -> bool:
    """``min(k, len(near))`` where each turn has a `near` of its own: nobody compares with equal lengths."""
    known = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1 and isinstance(node.args[0], ast.Name)
    loop = frame.loops[-1] if frame.loops else None
    if not known or not isinstance(loop, ast.For) or frame.routine.prepares_data or frame.routine.name.endswith("__init__") or evaluate(frame, node).level > Level.SHAPE:
        return False
    row: ast.Name = node.args[0]  # type: ignore[attr-defined]
    turned = {n.id for n in walk(loop.target) if isinstance(n, ast.Name)}
    made = [s.value for s in walk(loop) if isinstance(s, ast.Assign) and any(isinstance(t, ast.Name) and t.id == row.id for t in s.targets)]
    entry = len(made) == 1 and isinstance(made[0], ast.Subscript) and isinstance(made[0].slice, ast.Name) and made[0].slice.id in turned
    return frame.untyped(row) and (row.id in turned and not made or entry)


def _measures(frame: Frame, node: ast.expr) -> bool:
    """``len(x)``, ``x.shape[i]`` or ``x.size(i)``."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    if not isinstance(node, ast.Call):
        return False
    counter = frame.fact(node.func)
    return isinstance(counter, v.Api) and counter.name == _BUILTIN + "len" or isinstance(node.func, ast.Attribute) and node.func.attr == "size" and bool(node.args)


def _length(frame: Frame, node: ast.Call, value: Abstract) -> Abstract:
    origin = Origin(frame.routine.file, node)
    if value.tensor and value.sample and not value.picked:  # samples, or tensors made of them
        return Abstract(Level.DATA, origin=origin, sample=frame.routine.prepares_data)
    if value.tensor or v.is_tensor(frame.fact(node.args[0]) if node.args else v.Unknown()):
        found = shape_of(frame, node, value)
        return replace(found, element=None)
    if value.sample and value.picked:
        return Abstract(Level.SHAPE, origin=origin)
    if value.sample and value.element is None and not value.items:
        return Abstract(Level.DATA, origin=origin, sample=True)
    if value.sample:
        return Abstract(Level.CONFIGURATION)
    return Abstract(max(value.length, parts(value), Level.SHAPE), shape=value.shape if value.array or value.length >= Level.RANDOM else frozenset(), origin=value.origin or origin)
