"""Files that are read in their own sizes: the reading is a source, and values carry it as they carry any other.

What ends it is every call that is not known to keep a size (`file_apis`): a transform that is not known may make one size of all files.
So does a cut of a fixed width, padding by what is missing, and a setting under which a size is fixed. It counts where a data set gives on
what still has it.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis, file_apis, sized_apis
from mindport.analysis.dynamic_shape.abstract import (
    NOTHING,
    Abstract,
    Level,
    Origin,
    Source,
    container,
)
from mindport.analysis.dynamic_shape.polynomials import definitions, expanded, width
from mindport.inference import values as v
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.calls import Given
    from mindport.analysis.dynamic_shape.statements import Frame


def carried(frame: Frame, node: ast.Call, given: Given, receiver: Abstract | None, result: Abstract) -> Abstract:
    """A call's result with the files' sizes that it keeps, and no others."""
    names = [name for option in v.options(frame.fact(node.func)) if (name := _named(option))]
    why = next((file_apis.READERS[name] for name in names if name in file_apis.READERS), None)
    if why is not None and not any(k.arg in file_apis.PARTS and frame.fact(k.value) not in (v.NONE, v.Const.of(-1)) for k in node.keywords):
        return _read(frame, node, why, next(name for name in names if name in file_apis.READERS))
    if not any(_files(value) for value in [*given.all, *((receiver,) if receiver is not None else ()), result]):
        return result
    if _is_of_python(names, receiver) or isinstance(node.func, ast.Attribute) and apis.FUNCTION + node.func.attr in apis.SHAPE_READS:
        return result
    kept = _kept(frame, node, names, given, receiver, result)
    if not kept:
        return without_files(result)
    tensor = result.tensor or not frame.routine.prepares_data and any(name.startswith(apis.TRANSFORMS) for name in names)
    array = replace(result, shape=frozenset(s for s in result.shape if not s.of_file) | kept, tensor=tensor, array=not tensor, level=max(result.level, Level.DATA))
    tupled = next((file_apis.IN_TUPLES[name] for name in names if name in file_apis.IN_TUPLES), None)
    return _in_a_tuple(replace(array, items=None, element=None), *tupled) if tupled is not None else array


def _named(option: v.Value) -> str:
    if isinstance(option, v.Bound):
        return option.function.name if isinstance(option.function, v.Api) else ""
    if isinstance(option, v.Unknown):
        return option.origin if option.origin.rpartition(".")[2][:1].isupper() else ""  # what a class of another library made
    return option.name if isinstance(option, v.Api) else option.cls if isinstance(option, v.Instance) else ""


def _read(frame: Frame, node: ast.Call, why: str, name: str) -> Abstract:
    source = frame.engine.source("MP201", "input", frame.routine, node, why, "Slice")
    source.of_file = source.in_data = True
    found = Abstract(Level.DATA, array=True, shape=frozenset({source}), origin=Origin(frame.routine.file, node))
    if v.is_tensor(frame.fact(node)) or name in file_apis.IN_TUPLES and name.startswith(torch_names.TENSOR_LIBRARIES):
        found = replace(found, tensor=True, array=False)
    return _in_a_tuple(found, *file_apis.IN_TUPLES[name]) if name in file_apis.IN_TUPLES else found


def _in_a_tuple(value: Abstract, place: int, count: int) -> Abstract:
    return container(tuple(value if i == place else Abstract() for i in range(count)))


def _is_of_python(names: list[str], receiver: Abstract | None) -> bool:
    """What only counts, draws or puts things into containers."""
    if receiver is not None and not receiver.array and not receiver.tensor and (receiver.element is not None or receiver.keyed is not None or receiver.items is not None):
        return True
    return bool(names) and all(name.startswith(("builtins.", "collections.", "types.", "math.", "random.")) for name in names)


def _kept(frame: Frame, node: ast.Call, names: list[str], given: Given, receiver: Abstract | None, result: Abstract) -> frozenset[Source]:
    """The files whose sizes the result of a call has."""
    first = given.positional[0] if given.positional else next((given.keywords[k] for k in file_apis.FIRST_KEYWORDS if k in given.keywords), None)
    method = isinstance(node.func, ast.Attribute) and receiver is not None and bool(_files(receiver)) and (receiver.array or receiver.tensor)
    for name in names:
        if name in file_apis.JOINING:
            parts = given.positional[0].items if given.positional else None
            joined = [_files(part) for part in parts or ()]
            together = frozenset(s for each in joined for s in each)
            return together if sum(map(len, joined)) == len(together) else frozenset()  # beside a part that is as long as the other is short
        if name in file_apis.RESIZED or name in file_apis.BY_SHORT_SIDE:
            place, word = (file_apis.RESIZED | file_apis.BY_SHORT_SIDE)[name]
            size = given.get(place, word)
            written = next((k.value for k in node.keywords if k.arg == word), node.args[place] if len(node.args) > place else None)
            nothing = size is None or written is not None and frame.fact(written) == v.NONE
            short = name in file_apis.BY_SHORT_SIDE and written is not None and not _several(frame, written, size)
            return _files(first) if nothing or short else _sizes(size) | _drawn_size(frame, node, name, size)
        if name in file_apis.CROPS:
            return frozenset(s for value in given.all[1:] for s in _sizes(value))
        if name in file_apis.SCALED and (size := given.get(1, "size")) is not None and "scale_factor" not in given.keywords:
            return _sizes(size)
        if name in file_apis.PADDED and _to_a_multiple(frame, node):
            return _files(first)
        if name in file_apis.PADDED:
            amounts = [*given.positional[file_apis.PADDED[name] :], *given.keywords.values()]
            return frozenset() if any(_sizes(amount) for amount in amounts) else _files(first)
        if name in file_apis.SIZED_ARRAYS:
            return frozenset(s for value in given.all for s in _sizes(value))
        if name in file_apis.KEEPERS or not method and _of_a_keeping_library(name):
            return _files(first)
        if name.startswith(apis.TRANSFORMS) and name.rpartition(".")[2] in file_apis.KEEPING_TRANSFORMS:
            return _files(first)
        if name.startswith(apis.TRANSFORMS) and name.endswith("." + file_apis.COMPOSE) and _keeping_pipeline(frame, node.func):
            return _files(first)
    if method:
        assert isinstance(node.func, ast.Attribute)
        if node.func.attr == file_apis.RESIZING_METHOD:
            return frozenset(s for value in given.all for s in _sizes(value)) | _drawn_size(frame, node, node.func.attr, given.positional[0] if given.positional else None)
        if node.func.attr == file_apis.CROPPING_METHOD and node.args and _of_a_box(frame, node.args[0]):
            return _files(receiver)
        if node.func.attr in file_apis.KEEPING_METHODS or node.func.attr in file_apis.ALONG_AN_AXIS and _along_one_axis(node):
            return _files(receiver)
    if any(name.startswith(torch_names.TORCH) for name in names) or method and result.tensor:
        operands = [*given.all, *((receiver,) if receiver is not None else ())]
        sized = any(apis.plain(name) in sized_apis.SIZED for name in names)
        return result.shape & frozenset(s for value in operands for s in (_files(value) | _sizes(value) if sized else _files(value)))  # an operator of PyTorch: as the engine has it
    return frozenset()


def _to_a_multiple(frame: Frame, node: ast.Call) -> bool:
    """``F.pad(x, (0, -w % 32))``: to the next multiple of a number, which is the image's own again."""
    known = definitions(frame.routine.node)
    inner = [n for argument in [*node.args[1:], *(k.value for k in node.keywords)] for n in walk(argument)]
    inner += [n for name in inner if isinstance(name, ast.Name) and name.id in known for n in walk(known[name.id])]
    return any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mod) for n in inner)


def _of_a_box(frame: Frame, box: ast.expr) -> bool:
    """``image.crop((x, y, x + w, y + h))`` of a box that each file has: a size of its own again."""
    from mindport.analysis.dynamic_shape.expressions import evaluate

    if not isinstance(box, (ast.Tuple, ast.List)) or len(box.elts) != 4:
        return evaluate(frame, box).level >= Level.RANDOM
    known = definitions(frame.routine.node)
    ends = [(expanded(box.elts[i], known), expanded(box.elts[i + 2], known)) for i in (0, 1)]
    return any((names := width(*pair)) is None or any(_changes(frame, end, names) for end in pair) for pair in ends)


def _along_one_axis(node: ast.Call) -> bool:
    """``wave.mean(0)``: of one axis alone."""
    written = [*node.args, *(k.value for k in node.keywords if k.arg not in ("keepdim", "keepdims"))]
    return len(written) == 1 and isinstance(written[0], (ast.Constant, ast.UnaryOp))


def _drawn_size(frame: Frame, node: ast.Call, name: str, size: Abstract | None) -> frozenset[Source]:
    """``cv2.resize(image, (side, side))`` of a side that is drawn: a size of its own again, until something ends it."""
    if size is None or size.level < Level.RANDOM or not frame.routine.prepares_data:
        return frozenset()
    how = "at random" if size.level == Level.RANDOM else "with the data"
    source = frame.engine.source("MP201", "input", frame.routine, node, f"the size of {name.rpartition('.')[2]} changes {how}", "Slice", size.origin)
    source.of_file = source.in_data = True
    return frozenset({source})


def drawn_crop(frame: Frame, node: ast.Subscript, base: Abstract) -> Abstract | None:
    """``image[top : top + side, left : left + side]`` of a side that is drawn, in a data set: what can be cut along two axes is an array, of a size of its own until something ends it."""
    from mindport.analysis.dynamic_shape.subscripts import cut_level

    if not isinstance(node.slice, ast.Tuple) or not isinstance(node.ctx, ast.Load) or not frame.routine.prepares_data or frame.routine.collates:
        return None
    if _files(base) or base.sample or base.items is not None or base.keyed is not None or not (base.array or base.element is None):
        return None
    cuts = [part for part in node.slice.elts if isinstance(part, ast.Slice) and cut_level(frame, part) >= Level.RANDOM]
    if not cuts:
        return None
    source = frame.engine.source("MP201", "input", frame.routine, node, "a part of another size is cut out of each sample", "Slice", Origin(frame.routine.file, cuts[0]))
    source.of_file = source.in_data = True
    return Abstract(Level.DATA, array=True, shape=base.shape | {source}, origin=source.origin)


def _of_a_keeping_library(name: str) -> bool:
    return name.startswith(file_apis.KEEPING_LIBRARIES) and not any(word in name.rpartition(".")[2].lower() for word in file_apis.NOT_KEEPING)


def _several(frame: Frame, node: ast.expr, value: Abstract | None) -> bool:
    """Whether a size is written as height and width, or may be."""
    if value is not None and value.items is not None:
        return len(value.items) > 1
    known = v.options(frame.fact(node))
    return not all(isinstance(o, v.Builtin) and o.type == "int" or isinstance(o, v.Const) and isinstance(o.value, int) for o in known)


def _keeping_pipeline(frame: Frame, node: ast.expr) -> bool:
    """``self.transform(img)`` where the file sets it once, to a sequence of transforms all of which keep the size."""
    text = ast.unparse(node)
    made = [s.value for s in frame.routine.file.nodes if isinstance(s, ast.Assign) and any(ast.unparse(t) == text for t in s.targets)]
    if len(made) != 1 or not isinstance(made[0], ast.Call) or not made[0].args or not isinstance(made[0].args[0], (ast.List, ast.Tuple)):
        return False
    called = [frame.fact(step.func) if isinstance(step, ast.Call) else v.Unknown() for step in made[0].args[0].elts]
    return all(isinstance(c, v.Api) and c.name.startswith(apis.TRANSFORMS) and c.name.rpartition(".")[2] in file_apis.KEEPING_TRANSFORMS for c in called)


def _files(value: Abstract | None) -> frozenset[Source]:
    """The files whose sizes an image, an array or a tensor has, or one that a container holds; those by which a container has as many elements."""
    if value is None:
        return frozenset()
    if value.tensor or value.array:
        return frozenset(s for s in value.shape if s.of_file)
    parts = value.items if value.items is not None else [each for _, each in value.keyed] if value.keyed else [value.element] if value.element is not None else []
    return frozenset(s for s in value.extent if s.of_file) | frozenset(s for part in parts if part is not value for s in _files(part))


def _sizes(value: Abstract | None) -> frozenset[Source]:
    """The files that a number, or a number in a container, was measured at."""
    if value is None or value.tensor or value.array:
        return frozenset()
    return frozenset(s for s in value.shape if s.of_file) - _files(value)


def given_on(returned: Abstract) -> frozenset[Source]:
    """What makes the shapes of a sample or batch change: of files what still has their sizes, not what was measured at them."""
    return frozenset(s for s in returned.shape if not s.of_file) | _files(returned)


def without_files(value: Abstract) -> Abstract:
    """The value without the sizes of files."""
    if not any(s.of_file for s in value.shape):
        return value
    items = tuple(map(without_files, value.items)) if value.items is not None else None
    element = without_files(value.element) if value.element is not None else None
    keyed = tuple((k, without_files(each)) for k, each in value.keyed) if value.keyed is not None else None
    kept = frozenset(s for s in value.shape if not s.of_file)
    return replace(value, shape=kept, extent=frozenset(s for s in value.extent if not s.of_file), items=items, element=element, keyed=keyed)


def cut_to_size(frame: Frame, index: ast.expr, base: Abstract) -> bool:
    """``y[:n]``, ``y[at : at + n]``, ``image[top : top + h, left : left + w]``: a part whose width does not follow from the file."""
    if not any(s.of_file for s in base.shape):
        return False
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    fixed = [part for part in parts if isinstance(part, ast.Slice) and _of_one_width(frame, part)]
    return len(fixed) > 1 or len(fixed) == 1 and len(parts) < 3  # image[:, :, :3] are channels


def _of_one_width(frame: Frame, part: ast.Slice) -> bool:
    from mindport.analysis.dynamic_shape.expressions import evaluate

    if part.upper is None:
        return False
    upper = evaluate(frame, part.upper)
    if part.lower is None or isinstance(part.lower, ast.Constant):
        negative = isinstance(part.upper, ast.UnaryOp) and isinstance(part.upper.op, ast.USub)
        return not negative and not upper.shape and upper.level <= Level.CONFIGURATION
    lower = evaluate(frame, part.lower)
    if not (upper.shape or lower.shape) and max(upper.level, lower.level) <= Level.CONFIGURATION:
        return True
    known = definitions(frame.routine.node)
    for ends in ((part.lower, part.upper), (expanded(part.lower, known), expanded(part.upper, known))):
        names = width(*ends)
        if names is not None and not any(_changes(frame, end, names) for end in ends):
            return True
    return False


def _changes(frame: Frame, end: ast.expr, names: list[str]) -> bool:
    from mindport.analysis.dynamic_shape.expressions import evaluate

    inner = [n for n in walk(end) if isinstance(n, ast.expr) and ast.unparse(n) in names]
    return any(value.level >= Level.TURN or value.shape for value in (evaluate(frame, n) for n in inner))


def by_settings(merged: Abstract, one: Abstract, other: Abstract) -> Abstract:
    """Behind a setting: a size that one way fixes is not said to be the file's."""
    if not any(s.of_file for s in merged.shape) or _files(one) == _files(other):
        return merged
    both = _files(one) & _files(other)
    return replace(merged, shape=frozenset(s for s in merged.shape if not s.of_file or s in both)) if merged.array or merged.tensor else without_files(merged)


def of_alternatives(merged: Abstract, ways: list[Abstract]) -> Abstract:
    """What one of several transforms gives: a step of a pipeline that may make one size of all is taken to do so."""
    known = [way for way in ways if way is not NOTHING]
    for way in known[1:]:
        merged = by_settings(merged, known[0], way)
    return merged


def ended_in_a_loop(frame: Frame, held: dict[str, Abstract]) -> None:
    """Behind ``for transform in transforms: image = transform(image)``: what the turns make one size of is no longer of the file's."""
    for name, before in held.items():
        after = frame.env.get(name)
        if after is not None and after is not before and (gone := _files(before) - _files(after)):
            held[name] = replace(before, shape=before.shape - gone) if before.array or before.tensor else before


def settled_by_settings(merged: dict[str, Abstract], one: dict[str, Abstract], other: dict[str, Abstract]) -> None:
    """As `by_settings`, of every name that the ways of an ``if`` hold."""
    for name in one.keys() & other.keys() & merged.keys():
        if one[name] is not other[name]:
            merged[name] = by_settings(merged[name], one[name], other[name])
