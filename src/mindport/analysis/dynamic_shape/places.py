"""Places that hold values: names, attributes, entries of containers, however deep, and how writing one changes what is around it.

``out["boxes"].append(x)``, ``self.cache[key] = x``, ``record.count += 1`` and ``bins.setdefault(k, []).append(x)`` are all the same thing: the value at a
place changes, so the container around it does, and so on up to a name or an attribute. Names are set; attributes of the project's
classes and names of modules are joined, since other functions write them, too.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape.abstract import UNKNOWN, Abstract, Level, count_of, element_of, join
from mindport.analysis.dynamic_shape.contexts import keep_on_context
from mindport.analysis.dynamic_shape.ducks import holders
from mindport.analysis.dynamic_shape.inner_functions import left_around
from mindport.analysis.dynamic_shape.named_places import as_attribute
from mindport.analysis.dynamic_shape.own_containers import hold
from mindport.analysis.dynamic_shape.protocols import set_by
from mindport.analysis.dynamic_shape.texts import settled
from mindport.analysis.regions import class_region
from mindport.inference import values as v
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame

#: Methods that run once: what they select has one size from then on.
ONCE = ("__init__", "__post_init__", "reset_parameters", "init_weights", "_init_weights")
#: Methods that give what a container holds under a key.
_ENTRIES = ("setdefault", "get")


def keep(frame: Frame, node: ast.expr, value: Abstract) -> None:
    """What the place holds from here on, and with it all that it is a part of."""
    hold(frame, node, value)
    match node:
        case ast.Name():
            _named(frame, node.id, value)
        case ast.Attribute():
            keep_on_context(frame, node, value)
            for option in holders(frame, node.value, _held(frame, node.value)):
                if isinstance(option, v.ProjectInstance):
                    lasting = frame.routine.name in ONCE and class_region(option.cls.scope.ancestors) != "other"
                    frame.engine.store(option.cls.scope, node.attr, settled(value) if lasting else value)
                    set_by(frame, option.cls.scope, node.attr, value)
                elif isinstance(option, v.ProjectClass):
                    frame.engine.store(option.scope, node.attr, value)
            base = _held(frame, node.value)
            if base.keyed is not None:
                keep(frame, node.value, _with_field(base, node.attr, value))
        case ast.Subscript():
            _entry(frame, node.value, node.slice, value)
        case ast.Call(ast.Attribute(container, name), [key, *_]) if name in _ENTRIES:
            _entry(frame, container, key, value)
        case ast.Call() if (place := as_attribute(node)) is not None:
            keep(frame, place, value)


def _named(frame: Frame, name: str, value: Abstract) -> None:
    if name in frame.env:
        frame.env[name] = value
        frame.changed.add(name)
    elif name in frame.routine.around:
        frame.routine.around[name] = value
        left_around(frame, name, value)
    else:
        frame.engine.keep_global(frame.routine.file, name, value)


def _entry(frame: Frame, container: ast.expr, key: ast.expr, value: Abstract) -> None:
    known = key.value if isinstance(key, ast.Constant) else None
    held = _held(frame, container)
    after = with_entry(held, known, value)
    if after is not None:
        after = by_keys(frame, held, key, after)
        keep(frame, container, after)


def by_keys(frame: Frame, held: Abstract, key: ast.expr, after: Abstract) -> Abstract:
    """A dictionary that is written under keys that data decide has as many entries as these are different."""
    from mindport.analysis.dynamic_shape.expressions import evaluate

    if isinstance(key, (ast.Constant, ast.Slice)) or held.items or frame.routine.prepares_data or frame.routine.name in ONCE:
        return after
    index = evaluate(frame, key)
    turned = frame.active >= Level.RANDOM and frame.loops and index.level != Level.CONSTANT and not index.tensor and any(isinstance(n, ast.Name) and n.id == key.id for n in walk(getattr(frame.loops[-1], "target", key))) if isinstance(key, ast.Name) else False  # only where data say
    return replace(after, length=max(after.length, Level.DATA), added=None) if (index.level >= Level.RANDOM and not index.tensor or turned) and (held.keyed is not None or held.element is None or held.added is None) else after


def _held(frame: Frame, node: ast.expr) -> Abstract:
    from mindport.analysis.dynamic_shape.expressions import evaluate

    return evaluate(frame, node) if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)) else UNKNOWN


def with_entry(held: Abstract, key: object, value: Abstract) -> Abstract | None:
    """A dictionary or list in which `key` (None: not known) holds `value`; None for what is no container."""
    if held.tensor or held.array:
        return None
    if held.items is None and held.element is None and held.keyed is None and not isinstance(key, str):
        return None
    if held.items is not None and isinstance(key, int) and -len(held.items) <= key < len(held.items):
        items = list(held.items)
        items[key] = value
        return replace(held, items=tuple(items), element=join(*items), shape=held.shape | value.shape, sample=held.sample or value.sample)
    if held.items is None and held.element is None and held.keyed is None:
        return replace(held, keyed=((key, value),), added=None)  # what else it holds is not known
    if held.element is None and held.items is None and held.added is None and isinstance(key, str):
        return replace(held, keyed=(*((k, each) for k, each in held.keyed or () if k != key), (key, value)), shape=held.shape | value.shape)
    element = join(*(part for part in (element_of(held), value) if part is not UNKNOWN)) if held.items or held.element is not None or held.keyed else value
    keyed = None if held.keyed is None or key is None else (*((k, each) for k, each in held.keyed if k != key), (key, value))
    return replace(
        held, items=None, keyed=keyed, element=element, shape=held.shape | value.shape, sample=held.sample or value.sample,
        added=count_of(held) if held.items is not None else held.added,
    )  # fmt: skip


def _with_field(held: Abstract, name: str, value: Abstract) -> Abstract:
    """A record one of whose fields is set anew; as a tuple it is not written."""
    return replace(held, items=None, keyed=(*((k, each) for k, each in held.keyed or () if k != name), (name, value)), shape=held.shape | value.shape)
