"""Calls of outside APIs: the tables of `apis` applied to the arguments."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis, sized_apis
from mindport.analysis.dynamic_shape.abstract import (
    CONSTANT,
    TENSOR,
    UNKNOWN,
    Abstract,
    Cause,
    Level,
    Origin,
    Source,
    all_fixed,
    container,
    of_unknown_parts,
    stepped,
)
from mindport.analysis.dynamic_shape.calls import Given
from mindport.analysis.dynamic_shape.constant_attributes import of_settings
from mindport.analysis.dynamic_shape.engine import from_facts
from mindport.analysis.dynamic_shape.expressions import shape_of
from mindport.analysis.dynamic_shape.fillers import filled_up
from mindport.analysis.dynamic_shape.given_objects import is_a_list
from mindport.analysis.dynamic_shape.growth import grows, kept, root_of
from mindport.analysis.dynamic_shape.handed_in import of_unknown, truths_of_images
from mindport.analysis.dynamic_shape.handed_in import result as handed_in_result
from mindport.analysis.dynamic_shape.masks import computed
from mindport.analysis.dynamic_shape.opaque import of_data
from mindport.analysis.dynamic_shape.places import ONCE, keep
from mindport.analysis.dynamic_shape.python_calls import python_call
from mindport.analysis.dynamic_shape.sized_calls import from_sizes, short, sized
from mindport.analysis.dynamic_shape.texts import encoded, table_method, text_method
from mindport.inference import values as v
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame


#: They give tensors.
_TENSORS = apis.REDUCING | apis.PRESERVING | apis.OWN_SHAPE | apis.JOINING | apis.RESHAPING


def api_call(frame: Frame, node: ast.Call, name: str, given: Given, receiver: Abstract | None) -> Abstract:
    """An outside API by its canonical name; a method's receiver is its function's first argument."""
    found = python_call(frame, node, name, given, receiver)
    if found is not None:
        return found
    if name.startswith(torch_names.MODULE) and (named := apis.OF_WEIGHTS.get(name.rpartition(".")[2])) is not None:
        return Abstract(element=container((CONSTANT, TENSOR)) if named else TENSOR, added=None)
    method = name.startswith(apis.METHOD)
    if method and receiver is not None:
        if not receiver.tensor and (receiver.level == Level.CONFIGURATION or receiver.opaque) and receiver.items is None:
            receiver = replace(receiver, level=Level.DATA, tensor=True)  # something unknown made this tensor
        given = Given([receiver, *given.positional], given.keywords, given.starred)
    if name.endswith("_") and not name.endswith("__") and receiver is not None and receiver.fixed and isinstance(node.func, ast.Attribute) and not all_fixed(*given.all):
        written_into(frame, node.func.value, max((value.level for value in given.all), default=Level.CONSTANT))
    if name in apis.COLLECTIVES and node.args:
        keep(frame, node.args[0], _of_others(given.positional[0]))
    plain = apis.plain(name)
    first = given.positional[0] if given.positional else UNKNOWN
    if plain in apis.SHAPE_READS:
        if first.sample and not first.picked and not first.tensor:
            return replace(first, level=Level.DATA, items=None, element=None, origin=Origin(frame.routine.file, node))
        return shape_of(frame, node, first)
    if plain in apis.METADATA and not name.endswith("_") and (plain not in apis.PRESERVING or len(given.all) < 2):
        return CONSTANT  # x.type() says the kind, x.type(kind) casts
    if plain in apis.VALUE_READS:
        frame.use(first)
        if name.endswith(".numpy"):
            return replace(first, tensor=False, array=True, form=None, length=Level.DATA if first.shape else Level.SHAPE, extent=first.shape)
        one = Abstract(first.level, origin=first.origin or Origin(frame.routine.file, node))
        if not name.endswith(".tolist"):
            return one
        return replace(one, element=one, shape=first.shape, length=Level.DATA if first.shape else Level.SHAPE, extent=first.shape, added=None)
    if not name.startswith(torch_names.TENSOR_LIBRARIES) and name not in apis.DYNAMIC and name not in sized_apis.SIZED:
        of_an_object = name.rpartition(".")[0].rpartition(".")[2][:1].isupper()  # an environment's step gives no tensors
        if first.tensor and receiver is not None and not receiver.tensor and not of_an_object and frame.untyped(node) and not frame.routine.prepares_data and name.partition(".")[0] not in apis.HOST_PACKAGES:
            return handed_in_result(frame, node, given)  # compiled_ops.nms(boxes, scores)
        return method_call(frame, node, given, receiver)
    for value in given.all:
        frame.use(value)
    sources = [*_dynamic(frame, node, name, plain, given), *sized(frame, node, name, plain, given), *_from_list(frame, node, plain, given)]
    return _result(frame, node, plain, given, frozenset(sources))


def method_call(frame: Frame, node: ast.Call, given: Given, receiver: Abstract | None) -> Abstract:
    """A call of something that is not known: a tokenizer, a list's method, another library."""
    for value in given.all:
        frame.use(value)
    from mindport.analysis.dynamic_shape.containers import container_method
    if receiver is not None and receiver.sample and isinstance(node.func, ast.Attribute) and apis.FUNCTION + node.func.attr in apis.SHAPE_READS:
        if receiver.picked:
            return Abstract(Level.SHAPE, element=Abstract(Level.SHAPE))
        return replace(receiver, level=Level.DATA, items=None, element=None, origin=Origin(frame.routine.file, node))
    if receiver is not None and isinstance(node.func, ast.Attribute):
        if node.func.attr in apis.OF_TABLES and receiver == Abstract() and frame.untyped(node.func.value):
            receiver = Abstract(array=True)
        found = text_method(frame, node, node.func, receiver) or table_method(frame, node, node.func, receiver, Origin(frame.routine.file, node)) or container_method(frame, node, node.func, given, receiver)
        if found is not None:
            return found
        if node.func.attr in apis.WITHIN_A_DISTANCE and not receiver.tensor:
            one = Abstract(Level.DATA, array=True, length=Level.DATA, origin=Origin(frame.routine.file, node))
            return replace(one, length=given.positional[0].length if given.positional else Level.DATA, element=one)
        if node.func.attr == "nonzero" and not node.args and not node.keywords and not receiver.tensor and frame.routine.name not in ONCE:
            places = Abstract(Level.DATA, array=True, length=Level.DATA, origin=Origin(frame.routine.file, node))  # of an array or a sparse matrix: for each axis one
            return Abstract(element=places, added=None)
        if node.func.attr == "numpy" and not node.args and receiver in (UNKNOWN, Abstract(Level.DATA)):
            return Abstract(Level.DATA, array=True, origin=Origin(frame.routine.file, node))  # a tensor's, as a rule
        if node.func.attr in ("tolist", "item") and not frame.routine.prepares_data and frame.untyped(node.func.value) and receiver.items is None and receiver.element is None:
            one = Abstract(Level.DATA, origin=Origin(frame.routine.file, node))  # of an array or a tensor, whichever
            return replace(one, element=one) if node.func.attr == "tolist" else one
    ids = encoded(frame, node, given)
    if ids is not None:
        return ids
    through = next((value for value in given.positional if value.loader), None)
    if through is not None:
        return through  # tqdm(loader), logger.log_every(loader, 10)
    known = from_facts(frame.fact(node))
    if known.tensor and receiver is not None and receiver.level == Level.SHAPE:  # a shape as a tensor
        known = replace(known, level=max(receiver.level, *(value.level for value in given.all), Level.SHAPE))
    shape = frozenset(s for value in [*given.all, *((receiver,) if receiver is not None else ())] for s in value.shape)
    if shape or known.tensor or receiver is not None and receiver.sample:
        own = receiver is not None and receiver.sample
        if own and isinstance(node.func, ast.Attribute) and node.func.attr in ("ljust", "rjust", "zfill", "center"):
            return Abstract(Level.DATA, element=Abstract(Level.DATA), added=None)  # a text of a told length
        return replace(known, shape=shape, sample=own, level=max(known.level, Level.DATA) if own and not receiver.picked else known.level)  # type: ignore[union-attr]
    return of_data(frame, node, given, receiver) or known


def _dynamic(frame: Frame, node: ast.Call, name: str, plain: str, given: Given) -> list[Source]:
    entry = apis.DYNAMIC.get(name) or apis.DYNAMIC.get(plain)
    if all_fixed(*given.all):
        return []
    if entry is None or any(word in given.keywords for word in entry.unless):
        return []
    if entry.why == apis.PACK.why and (lengths := given.get(1, "lengths")) is not None and (each := lengths.element) is not None and each.level == Level.SHAPE and not each.shape and not lengths.tensor:
        return []  # [len(row) for row in rows] of one tensor: all alike
    argument = given.get(entry.position, entry.parameter) if entry.parameter else None
    if entry.condition == "not given" and (argument is not None or given.starred):
        return []
    if entry.condition == "tensor" and not (argument is not None and argument.tensor) and len(given.all) > 1:
        return []
    cause: Cause = "input" if entry.code == "MP201" else "values"
    message = f"{short(name)}: {entry.why}"
    return [frame.engine.source(entry.code, cause, frame.routine, node, message, entry.row)]


def _from_list(frame: Frame, node: ast.Call, plain: str, given: Given) -> list[Source]:
    if plain not in apis.FROM_LISTS or not given.positional:
        return []
    first = given.positional[0]
    if plain == apis.OF_KIND and len(given.positional) > 1:
        first = given.positional[1]
    if given.starred and first.length >= Level.RANDOM and not first.extent and plain in apis.SPREAD:
        return [frame.engine.source("MP204", "list", frame.routine, node, f"{short(plain)} joins as many tensors as a list has, whose length changes", "Gather", first.origin)]
    if plain in apis.JOINING | apis.STACKING | apis.OF_LISTS and (grows(frame, node) or kept(frame, node)):
        return [frame.engine.source("MP204", "growth", frame.routine, node, f"{short(plain)} makes the tensor longer at every {'turn of the loop' if grows(frame, node) else 'call'}", "Slice")]
    if plain in apis.JOINING and node.args and truths_of_images(frame, node.args[0]):
        return [frame.engine.source("MP204", "list", frame.routine, node, f"{short(plain)} joins what each image has, and images have different numbers", "Gather")]
    inner = first.element
    if plain in apis.FACTORIES and inner is not None and not (inner.tensor or inner.extent) and inner.length >= Level.RANDOM and (inner.element is not None or inner.items is not None or inner.array):
        return [frame.engine.source("MP204", "list", frame.routine, node, f"{short(plain)} is given lists whose length changes", "Gather", inner.origin)]
    if plain in apis.JOINING | apis.STACKING and inner is not None and inner.length >= Level.RANDOM and not (inner.tensor or inner.extent or inner.text or inner.array) and inner.element is None and inner.items is None:
        return [frame.engine.source("MP204", "list", frame.routine, node, f"{short(plain)} joins slices whose length changes", "Slice", inner.origin)]
    if plain in apis.JOINING | apis.STACKING and of_unknown_parts(first) and not frame.routine.prepares_data:
        return [frame.engine.source("MP204", "list", frame.routine, node, f"{short(plain)} joins as many tensors as an object of this step has", "Gather", first.origin)]
    if plain in apis.FACTORIES and of_unknown_parts(first) and is_a_list(frame, node, first):
        return [frame.engine.source("MP204", "list", frame.routine, node, f"{short(plain)} is given a list of an object of this step", "Gather", first.origin)]
    selected = first.added is None and first.element is not None and first.element.sample  # some of the samples
    own = frame.engine.sources.get((id(node), ""))  # what a loop brings back to where it began is not carried from elsewhere
    if first.length >= Level.RANDOM and not first.tensor and not first.extent - {own} and (not first.sample or selected):
        return [
            frame.engine.source("MP204", "list", frame.routine, node, f"{short(plain)} joins a list whose length changes", "Gather", first.origin)
        ]
    return []


def written_into(frame: Frame, target: ast.expr, level: Level, by_constants: bool = False) -> None:
    """``a[i] = x``, ``a.copy_(x)``: what `a` holds differs as much as what is written."""
    name = root_of(target)
    held = frame.env.get(name)
    if held is not None and not (held.tensor or held.array or held.fixed) and any(isinstance(part, ast.Attribute) for part in walk(target)):
        return  # self.cells[i] = x says nothing of self
    if held is not None and (held.fixed or held.level < level):
        frame.env[name] = replace(held, level=max(level, held.level), fixed=held.fixed and level <= Level.TURN and (by_constants or _of_settings(frame)))


def _of_settings(frame: Frame) -> bool:
    """Whether a function is given nothing but settings and sizes: what it computes is the same in every step."""
    if frame.routine.name in ONCE:
        return True
    arguments = getattr(frame.routine.node, "args", None)
    names = [a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs] if not (frame.routine.in_class and a.arg == "self")] if arguments is not None else []
    given = [frame.routine.given.get(name) for name in names]
    once = bool(frame.routine.callers) and all(caller.name in ONCE for caller in frame.routine.callers)
    return bool(names) and all(value is not None and (once or value != UNKNOWN) and value.level <= Level.SHAPE and not value.tensor and not value.array and not value.sample for value in given)


def _of_others(value: Abstract) -> Abstract:
    """What a tensor, or each of a list, holds after other processes have written into it."""
    if value.tensor:
        return replace(value, level=Level.DATA, fixed=False)
    items = tuple(map(_of_others, value.items)) if value.items is not None else None
    return replace(value, items=items, element=_of_others(value.element) if value.element is not None else None)


def _result(frame: Frame, node: ast.Call, plain: str, given: Given, own: frozenset[Source]) -> Abstract:
    known = from_facts(frame.fact(node))
    first = given.positional[0] if given.positional else UNKNOWN
    inherited = frozenset(s for value in given.all for s in value.shape)
    place = (str(frame.routine.file.relative), node.lineno)
    dimensioned = any(word in given.keywords for word in ("dim", "axis")) or len(given.positional) > 1
    fixed = (
        plain in apis.REDUCING and not dimensioned
        or plain in apis.LOSSES and "reduction" not in given.keywords
        or plain in apis.SIZED_BY_ARGUMENT and not from_sizes(plain, given)
        or "adaptive_" in plain
    )  # fmt: skip
    if fixed:
        for source in inherited - from_sizes(plain, given):
            source.fixed_by.setdefault(place, plain)
        inherited = from_sizes(plain, given)
    elif plain in apis.OWN_SHAPE:
        inherited = first.shape
    elif plain in apis.JOINING and inherited:
        inherited -= filled_up(frame, node)
    elif plain in apis.REDUCING and _along_rows(node, first, given):
        inherited -= first.rows
    for source in inherited:
        if source.node is not node:
            source.downstream.setdefault(place, plain)
    top = max(given.all, key=lambda value: value.level, default=CONSTANT)
    level, origin = top.level, top.origin
    if plain in apis.REDUCING and not dimensioned and level >= Level.DATA:
        origin = origin or Origin(frame.routine.file, node)
    if plain in apis.RANDOM_VALUES:
        level, origin = max(Level.RANDOM, level), Origin(frame.routine.file, node)
    elif of_unknown(frame, node, plain, given) or plain in apis.STACKING and level == Level.CONFIGURATION and not all_fixed(*given.all) and not frame.routine.runs_once or own and level == Level.CONFIGURATION and _by_values(own):
        level, origin = max(Level.DATA, level), origin or Origin(frame.routine.file, node)
    elif plain not in apis.FACTORIES and not given.all:
        level = Level.DATA if known.tensor else Level.CONFIGURATION
    fact = frame.fact(node)
    computes = frame.untyped(node) and (plain in _TENSORS or first.tensor)  # where torch's stubs do not say what it returns
    if not (known.tensor or own or inherited or computes or isinstance(fact, v.Sequence)):
        return known
    tensor = known.tensor or bool(own) or plain.startswith(torch_names.TORCH) or first.tensor and plain in apis.RESHAPING
    fixed = plain in apis.CONSTANT_VALUES or plain not in apis.RANDOM_VALUES and all_fixed(*given.all) or plain in apis.FACTORIES and _of_shapes(first) or of_settings(frame, plain, given.all)
    one = Abstract(level, tensor, known.mask or computed(node, plain, given, dimensioned), inherited | own, _form(node, plain, given, dimensioned), fixed=fixed, origin=origin, rows=_rows(node, plain, given, own))
    if isinstance(fact, v.Sequence):
        part = replace(one, form=None)
        if fact.items is not None:
            return container(tuple(replace(part, tensor=True, mask=from_facts(i).mask) for i in fact.items))
        parts = next((value for value in given.all[1:] if value.element is not None), None)  # as many as there are sizes
        length = parts.length if parts is not None else Level.DATA if any(s.cause == "size" for s in own) else Level.CONSTANT
        return Abstract(level, shape=part.shape, element=part, length=length, extent=frozenset(s for s in own if s.cause == "size"), origin=origin)
    return one


def _by_values(own: frozenset[Source]) -> bool:
    """Whether values decide a shape: what is selected by them is data, too."""
    return any(source.cause == "values" for source in own)


def _rows(node: ast.Call, plain: str, given: Given, own: frozenset[Source]) -> frozenset[Source]:
    """The sources that change the first axis of a result, and no other."""
    first = given.positional[0] if given.positional else UNKNOWN
    if plain in apis.IN_ROWS | apis.FACTORIES and not (first.element is not None and first.element.element is not None):
        return frozenset(s for s in own if plain in apis.IN_ROWS or s.cause == "list")
    if plain in apis.PRESERVING:
        return first.rows
    if plain in apis.EXPANDED_AS and len(given.positional) > 1:
        return given.positional[1].rows
    if plain not in apis.JOINING_FIRST | apis.STACKING:
        return frozenset()
    dim = next((k.value for k in node.keywords if k.arg in ("dim", "axis")), node.args[1] if len(node.args) > 1 else None)
    parts = first.items or ((first.element,) if first.element is not None else ())
    within = frozenset(s for part in parts for s in part.shape)
    of_rows = within - frozenset(s for part in parts for s in part.shape - part.rows)
    stacked = plain in apis.STACKING  # the parts' first axis is the result's second one
    if dim is None or isinstance(dim, ast.Constant) and dim.value == 0:
        lengths = own | (first.extent - within)
        return lengths - within if stacked else lengths | of_rows
    return of_rows if isinstance(dim, (ast.Constant, ast.UnaryOp)) and not stacked else frozenset()


def _along_rows(node: ast.Call, first: Abstract, given: Given) -> bool:
    """``x[keep].mean(0)``: over the axis that a selection has changed, which is gone behind it."""
    written = next((k.value for k in node.keywords if k.arg in ("dim", "axis")), None)
    if written is None and len(given.positional) > 1:
        written = node.args[len(node.args) - len(given.positional) + 1] if len(node.args) >= len(given.positional) - 1 else None
    kept = next((k.value for k in node.keywords if k.arg == "keepdim"), None)
    return bool(first.rows) and isinstance(written, ast.Constant) and written.value == 0 and written.value is not False and (kept is None or isinstance(kept, ast.Constant))


def _of_shapes(value: Abstract) -> bool:
    """``[x.shape[-1] for x in crops]``: what was read from shapes that do not change."""
    inner = value.element
    return inner is not None and inner.level == Level.SHAPE and inner.origin is not None and not inner.shape and not inner.tensor and value.length < Level.RANDOM


def _form(node: ast.Call, plain: str, given: Given, dimensioned: bool) -> tuple[object, ...] | None:
    first = given.positional[0] if given.positional else None
    if first is None:
        return None
    if plain in apis.PRESERVING:
        return first.form
    text = ", ".join([*(ast.unparse(a) for a in node.args), *(ast.unparse(k.value) for k in node.keywords)])
    if plain in apis.REDUCING:
        return stepped("reduce", first.form, text if dimensioned else "all")
    if plain in apis.TO_ONE_AXIS and text in ("", "-1"):
        return stepped("flat", first.form, "")
    if plain in apis.RESHAPING and not (plain in apis.POOLING and (len(node.args) > 2 or "stride" in given.keywords)):
        return stepped(plain, first.form, text)
    if plain in apis.JOINING and first.items:
        known = [item.form for item in first.items if item.form is not None]
        return stepped("join", known[0], text) if known else None
    return None
