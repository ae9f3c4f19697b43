"""Python's containers: what makes one, what its methods change, and what they give."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import (
    CONSTANT,
    Abstract,
    Level,
    Origin,
    container,
    count_of,
    element_of,
    join,
    merged_fields,
    turns,
)
from mindport.analysis.dynamic_shape.chosen_numbers import at_chosen_turns
from mindport.analysis.dynamic_shape.lasting import grows_by_calls
from mindport.analysis.dynamic_shape.places import ONCE, by_keys, keep, with_entry
from mindport.analysis.dynamic_shape.records import namespace, replaced
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.calls import Given
    from mindport.analysis.dynamic_shape.statements import Frame

_ADDING = frozenset(("append", "extend", "insert", "add", "appendleft", "extendleft", "put", "put_nowait"))
_SPREADING = frozenset(("extend", "extendleft"))
_TAKING = frozenset(("get", "get_nowait", "pop", "popleft", "popitem", "setdefault"))
_SHORTENING = frozenset(("pop", "popleft"))
_REMOVING = frozenset(("remove", "discard"))
_VIEWS = frozenset(("items", "values", "keys"))


def constructed(name: str, given: Given) -> Abstract | None:
    """What a function makes that puts values into a container, or gives one on; None for every other function."""
    first = given.positional[0] if given.positional else None
    if name in apis.DICTIONARIES:
        held = namespace(given)
        if first is not None and name not in apis.OF_DEFAULTS:
            both = (*(first.keyed or ()), *(held.keyed or ()))
            if first.keyed is not None:
                return replace(first, keyed=both)
            pair = first.element.items if first.element is not None else None
            return replace(first, items=None, element=pair[1]) if pair is not None and len(pair) == 2 else None
        return replace(held, element=join(*given.keywords.values()) if given.keywords else None)
    if name in apis.SEQUENCES:
        return replace(first, tensor=False, element=element_of(first), length=turns(first)) if first is not None else container(())
    if name in apis.NAMESPACES:
        return namespace(given)
    if name in apis.COPIES:
        return first
    if name in apis.PAIRING and given.positional:
        parts = [element_of(part) for part in given.positional]
        several = container(tuple(parts)) if name in apis.OF_EACH else Abstract(parts[0].level, element=parts[0])
        rows = frozenset(s for part in given.positional for s in (part.shape if part.tensor else part.extent))
        return Abstract(element=several, shape=rows, extent=rows, length=max(turns(part) for part in given.positional), added=None)
    if name in apis.CHAINS and given.positional:
        parts = [element_of(part) for part in given.positional] if not name.endswith("from_iterable") else [element_of(given.positional[0])]
        inner = [element_of(part) for part in parts] if name.endswith("from_iterable") else parts
        rows = frozenset(s for part in given.positional for s in (part.shape if part.tensor else part.extent))
        length = max(turns(part) for part in [*given.positional, *(parts if name.endswith("from_iterable") else [])])
        return Abstract(element=join(*inner), shape=rows, extent=rows, length=length, added=None)
    return None


def container_method(frame: Frame, node: ast.Call, func: ast.Attribute, given: Given, receiver: Abstract) -> Abstract | None:
    """``list.append`` and its kin, ``dict.get``; None for anything else."""
    if func.attr in _ADDING and not receiver.tensor:
        filled = _added(func.attr, replace(given, positional=[at_chosen_turns(value, frame.active) for value in given.positional]), receiver)
        if given.positional and grows_by_calls(frame, func.value, given.positional[-1]) or func.attr == "append" and _sorts(frame, func.value, given):
            filled = replace(filled, items=None, length=Level.DATA, added=None, origin=Origin(frame.routine.file, node))
            (frame.engine.by_calls.discard if _only_sometimes(frame, func.value) else frame.engine.by_calls.add)(id(node))
        elif _only_sometimes(frame, func.value):
            filled = replace(filled, items=None, length=max(filled.length, frame.active, frame.routine.under), added=None, origin=filled.origin or Origin(frame.routine.file, node))
        keep(frame, func.value, filled)
        return CONSTANT
    if func.attr == "sort" and not receiver.tensor and not receiver.array:
        from mindport.analysis.dynamic_shape.python_calls import by_length, ragged

        if by_length(node):
            keep(frame, func.value, replace(receiver, ordered=True) if receiver.sample else replace(receiver, items=None, element=ragged(element_of(receiver))))
        return CONSTANT
    first = given.positional[0] if given.positional else CONSTANT
    held = receiver.keyed is not None or receiver.element is not None
    if func.attr == "_replace" and receiver.keyed is not None:
        return replaced(receiver, given)
    if func.attr == "update" and not receiver.tensor and not receiver.array:
        return _updated(frame, func, given, receiver)
    if func.attr == "setdefault" and len(node.args) == 2:
        default = given.positional[1]
        known = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
        there = [value for name, value in receiver.keyed or () if known is not None and name == known]
        value = join(*there, default) if there or receiver.element is None else join(receiver.element, default)
        after = with_entry(receiver, known, value) if held else None
        if after is not None:
            keep(frame, func.value, by_keys(frame, receiver, node.args[0], after))
        return value
    if func.attr in _SHORTENING and receiver.keyed is None and not (receiver.sample or receiver.tensor or receiver.array) and (receiver.items is not None or receiver.element is not None):
        count = count_of(receiver)
        left = element_of(receiver) if receiver.items or receiver.element is not None else Abstract()
        keep(frame, func.value, replace(receiver, items=None, element=left, added=count - 1 if count is not None else None))
    if func.attr in _REMOVING and given.positional and not (receiver.sample or receiver.tensor or receiver.array or frame.routine.prepares_data) and (receiver.items is not None or receiver.element is not None):
        if max(first.level, frame.active) >= Level.RANDOM and not first.tensor:  # what data name is no longer there
            keep(frame, func.value, replace(receiver, items=None, element=element_of(receiver), length=Level.DATA, added=None, origin=Origin(frame.routine.file, node)))
        return CONSTANT
    if (func.attr in _TAKING or func.attr in _VIEWS) and held:
        if func.attr in _TAKING and node.args and isinstance(node.args[0], ast.Constant):
            for name, value in receiver.keyed or ():
                if name == node.args[0].value:
                    return value
        inner = element_of(receiver)
        if func.attr in ("items", "popitem"):
            pair = container((CONSTANT, inner))
            return pair if func.attr == "popitem" else Abstract(element=pair, length=receiver.length)
        if func.attr == "pop" and receiver.items:
            return receiver.items[-1] if not node.args else inner
        return inner if func.attr in _TAKING else Abstract(element=inner, length=receiver.length)
    if func.attr in apis.COUNTING_METHODS and held and not receiver.tensor and not receiver.array:
        inner = element_of(receiver)
        several = func.attr in apis.OF_COUNTERS
        one = Abstract(max(inner.level, Level.DATA if receiver.length >= Level.RANDOM else Level.CONSTANT), origin=inner.origin or Origin(frame.routine.file, node))
        return replace(one, element=container((one, one)), length=Level.CONSTANT if given.positional else receiver.length) if several else one
    if receiver.array:
        return replace(receiver, length=receiver.length) if func.attr not in apis.OF_ARRAYS_ONE else Abstract(Level.DATA, origin=Origin(frame.routine.file, node))
    if func.attr == "copy":
        return receiver
    if func.attr == "join" and first.length >= Level.RANDOM:
        return Abstract(first.level, length=first.length, origin=first.origin)
    return None


def _only_sometimes(frame: Frame, place: ast.expr) -> bool:
    """``self.done.append(x)`` that data or a draw decide whether it is reached, here or where the method is called: an object's list is as long as that happened."""
    decided = max(frame.active, frame.routine.under if isinstance(place, ast.Attribute) else Level.CONSTANT) >= Level.RANDOM
    return decided and isinstance(place, ast.Attribute) and not frame.routine.prepares_data and frame.routine.name not in ONCE


def heaped(frame: Frame, node: ast.Call, name: str, given: Given) -> Abstract | None:
    """``heapq.heappush(heap, item)`` and its kin; None for any other function."""
    if name not in apis.HEAPS or not given.positional:
        return None
    heap, *more = given.positional
    if more:
        from mindport.analysis.dynamic_shape.calls import Given

        keep(frame, node.args[0], _added("append", Given(more, {}), heap))
    return element_of(heap) if name in apis.TAKING_OF_HEAPS else CONSTANT


def _sorts(frame: Frame, place: ast.expr, given: Given) -> bool:
    """``groups[x.shape[-1]].append(x)``: as many under each key as have it; nobody groups by what all have alike."""
    from mindport.analysis.dynamic_shape.expressions import evaluate

    under = place.slice if isinstance(place, ast.Subscript) else place.args[0] if isinstance(place, ast.Call) and isinstance(place.func, ast.Attribute) and place.func.attr == "setdefault" and place.args else None
    if under is None or isinstance(under, (ast.Constant, ast.Slice)) or not frame.loops:
        return False
    key, loop = evaluate(frame, under), frame.loops[-1]
    turned = {n.id for n in walk(loop.target) if isinstance(n, ast.Name)} if isinstance(loop, ast.For) else set()
    own = any(isinstance(n, ast.Name) and n.id in turned for n in walk(under))
    if frame.routine.runs_once:
        return own and key.level != Level.TURN  # whose list a step asks for is another one each time
    if frame.routine.prepares_data:
        return False
    if isinstance(place, ast.Call):
        return own and key.level >= Level.RANDOM
    return own and not key.tensor and (key.level >= Level.RANDOM or key.level == Level.SHAPE and key.origin is not None)


def _added(name: str, given: Given, receiver: Abstract) -> Abstract:
    """A container with what `append`, `extend`, `insert` or `add` put in."""
    first = given.positional[0] if given.positional else CONSTANT
    spread = name in _SPREADING
    value = element_of(first) if spread else given.positional[-1] if given.positional else CONSTANT
    more = count_of(first) if spread else 1
    count = count_of(receiver)
    added = count + more if count is not None and more is not None and name != "add" else None
    grown, extent = (turns(first), first.shape if first.tensor else first.extent) if spread else (Level.CONSTANT, frozenset())
    if name == "add" and value.level >= Level.RANDOM:
        grown = value.level  # a set: equal ones count once
    parts = [value] if receiver.element is None else [receiver.element, value]
    parts += receiver.items or ()
    items = (*(receiver.items or ()), value) if name == "append" and receiver.items is not None and len(receiver.items) < apis.FEW else None
    return replace(
        receiver, items=items, keyed=None, element=join(*parts), length=max(receiver.length, grown), level=max(receiver.level, value.level),
        shape=receiver.shape | value.shape | extent, sample=receiver.sample or value.sample, extent=receiver.extent | extent,
        added=0 if items is not None else added,
    )  # fmt: skip


def _updated(frame: Frame, func: ast.Attribute, given: Given, receiver: Abstract) -> Abstract:
    """``d.update(other, key=value)``: entries of either; of a set, elements of both."""
    held = namespace(given)
    other = given.positional[0] if given.positional else held
    element = join(*(part.element if part.element is not None else element_of(part) for part in (receiver, other, held) if part.keyed or part.items or part.element is not None))
    keyed = None
    if receiver.keyed is not None and (other.keyed is not None or other.element is None and other.items is None):
        keyed = tuple({**dict(receiver.keyed), **dict(other.keyed or ()), **dict(held.keyed or ())}.items())
    if keyed is None and receiver.keyed is not None:
        keyed = merged_fields(receiver, other)
    keep(frame, func.value, replace(
        receiver, items=None, keyed=keyed, element=element, level=max(receiver.level, other.level), shape=receiver.shape | other.shape | held.shape,
        sample=receiver.sample or other.sample, length=max(receiver.length, other.length),
    ))  # fmt: skip
    return CONSTANT
