"""Subscripts: slices with changing ends, boolean masks, indices of changing length."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import (
    UNKNOWN,
    Abstract,
    Level,
    Origin,
    Source,
    container,
    element_of,
    one_of_ragged,
    stepped,
)
from mindport.analysis.dynamic_shape.engine import Routine, from_facts
from mindport.analysis.dynamic_shape.expressions import _follows, evaluate
from mindport.analysis.dynamic_shape.given_objects import part_of_given
from mindport.analysis.dynamic_shape.handed_in import is_parameter
from mindport.analysis.dynamic_shape.masks import named, unpacked_of_a_call
from mindport.analysis.dynamic_shape.opaque import part_of
from mindport.analysis.dynamic_shape.own_sizes import cut_to_size, drawn_crop, without_files
from mindport.analysis.dynamic_shape.polynomials import definitions, earlier, expanded, width
from mindport.analysis.dynamic_shape.protocols import entry
from mindport.analysis.dynamic_shape.returned_ends import width_of_returned
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame


def subscript(frame: Frame, node: ast.Subscript) -> Abstract:
    """``base[index]``: of a tensor, an array, a container, or a data set's sample."""
    base = evaluate(frame, node.value)
    if (base.array or base.tensor) and cut_to_size(frame, node.slice, base):
        base = without_files(base)
    fact = from_facts(frame.fact(node.value))
    if base.tensor or fact.tensor:
        return _of_tensor(frame, node, base)
    index = evaluate(frame, node.slice)
    if base.mask and base.items is None and base.element is None and not base.array:  # rows of a mask of unknown kind
        return _of_tensor(frame, node, replace(base, tensor=True, level=max(base.level, Level.DATA)))
    if _selects_from_unknown(frame, node, base):
        return _of_tensor(frame, node, replace(base, tensor=True, level=max(base.level, Level.DATA)))
    if frame.routine.prepares_data and index.mask and not base.array and not base.sample and base.items is None and base.element is None and base.keyed is None and isinstance(node.slice, ast.Compare):
        return Abstract(Level.DATA, array=True, length=Level.DATA, origin=Origin(frame.routine.file, node))  # rows of a table
    if (crop := drawn_crop(frame, node, base)) is not None:
        return crop
    if base.sample and base.element is None and isinstance(node.slice, ast.Tuple) and any(isinstance(p, ast.Slice) and _cut(frame, p, base) >= Level.RANDOM for p in node.slice.elts):
        return _of_tensor(frame, node, replace(base, tensor=True, level=max(base.level, Level.DATA)))  # along several axes: no list
    if index.array and index.length >= Level.RANDOM and base == UNKNOWN and frame.untyped(node.value):
        base = Abstract(Level.DATA, array=True)  # only an array can be indexed so
    if base.array or fact.array:
        mask = index.mask or index.length > Level.SHAPE
        cut = _cut(frame, node.slice, base)
        single = base.element is None and isinstance(node.slice, (ast.Constant, ast.UnaryOp)) and _is_one_row(frame, node.slice)
        whole = Level.CONSTANT if single or _fixes(frame, [node.slice]) else base.length
        return replace(base, array=True, level=max(base.level, index.level if index.level >= Level.RANDOM else Level.CONSTANT), length=max(whole, Level.DATA if mask else Level.CONSTANT, cut), items=None, origin=index.origin or base.origin)
    if base.sample and (base.element is None or not isinstance(node.slice, ast.Slice)):
        one = base.element if base.element is not None else base
        picked = not base.ordered and (base.picked or base.element is not None and isinstance(node.slice, (ast.Constant, ast.UnaryOp)))
        cut = _cut(frame, node.slice, base)
        if base.element is None and _fixes(frame, [node.slice]):  # row[:n]: as many as n, as a rule
            return Abstract(Level.DATA, element=replace(one, items=None), sample=True, added=None, origin=base.origin)
        if cut >= Level.RANDOM and base.element is None:  # row[:n] of a drawn n
            return replace(one, items=None, picked=picked, length=cut, origin=index.origin or base.origin)
        return replace(one, items=None, picked=picked, origin=Origin(frame.routine.file, node))
    if isinstance(node.slice, ast.Slice):
        cut = _cut(frame, node.slice, base)
        length = cut if _fixes(frame, [node.slice]) or _last_ones(node.slice) or node.slice.lower is not None and node.slice.upper is not None else max(base.length, cut)
        if base.items is not None and length == Level.CONSTANT:
            ends = [frame.fact(b) if b is not None else v.NONE for b in (node.slice.lower, node.slice.upper)]
            bounds = [e.value for e in ends if isinstance(e, v.Const) and isinstance(e.value, (int, type(None)))]
            if node.slice.step is None and len(bounds) == 2:
                return container(base.items[bounds[0] : bounds[1]])
        element = element_of(base) if base.element is not None or base.items is not None else None
        return replace(base, items=None, keyed=None, element=element, length=length, added=None, origin=index.origin or base.origin)
    if isinstance(node.slice, ast.Constant) or isinstance(node.slice, ast.UnaryOp) and isinstance(node.slice.operand, ast.Constant):
        key = frame.fact(node.slice)
        wanted = key.value if isinstance(key, v.Const) else None
        if base.keyed is not None:
            for name, value in base.keyed:
                if name == wanted:
                    return value
        if base.items is not None and isinstance(wanted, int) and -len(base.items) <= wanted < len(base.items):
            return base.items[wanted]
    by_class = entry(frame, node, base, index)
    if by_class is not None:
        return by_class
    found = base.element if base.element is not None else from_facts(frame.fact(node))
    if not found.tensor and index.level >= Level.RANDOM and base.length <= Level.SHAPE:
        found = _of_one(found, index)  # sizes[random index]
    if index.level == Level.TURN and found.level <= Level.CONFIGURATION and not (found.tensor or found.array or found.element is not None or found.keyed is not None or found.items is not None) and (any(trains(loop) for loop in frame.loops) or not frame.loops and (counts_training(index) or any(isinstance(n, ast.Attribute) and evaluate(frame, n).level == Level.TURN for n in walk(node.slice)))):
        found = replace(found, level=Level.TURN, origin=index.origin)  # stages[step // each]: a schedule
    if found is UNKNOWN and base.opaque:
        return part_of(base, "")
    if found is UNKNOWN and (part := part_of_given(frame, node, base)) is not None:
        return part
    if found is UNKNOWN and base.level >= Level.DATA and base.keyed is None:
        found = replace(found, level=base.level, origin=base.origin)  # one of several numbers that data give
    known = from_facts(frame.fact(node))
    return replace(found, tensor=True, level=Level.DATA, shape=found.shape | base.shape) if known.tensor and not found.tensor else found


def trains(loop: ast.AST) -> bool:
    """Whether the turns of a loop are steps of training."""
    return any(isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and "backward" in n.func.attr for n in walk(loop))


def counts_training(index: Abstract) -> bool:
    """Whether a number counts the turns of a loop that trains, in whichever function: ``scale.at_epoch(epoch)``."""
    origin = index.origin
    return origin is not None and any(isinstance(loop, ast.For) and any(n is origin.node for n in walk(loop.iter)) and trains(loop) for loop in origin.file.nodes)


def _of_one(value: Abstract, index: Abstract, deep: int = 3) -> Abstract:
    """One of several that a changing index picks: the numbers in it are other ones, too."""
    keyed, items = value.keyed, value.items
    if deep and not value.tensor:
        keyed = tuple((name, _of_one(each, index, deep - 1)) for name, each in keyed) if keyed is not None else None
        items = tuple(_of_one(each, index, deep - 1) for each in items) if items is not None else None
    level = max(value.level, index.level) if value.level > Level.CONSTANT or deep == 3 else value.level
    return replace(value, level=level, keyed=keyed, items=items, origin=index.origin) if not value.tensor else value


def _selects_from_unknown(frame: Frame, node: ast.Subscript, base: Abstract) -> bool:
    """``out[mask]`` of something unknown: what a tensor of truth values, or one of changing length, is an index of, is a tensor."""
    known = base.items is not None or base.keyed is not None or base.element is not None or base.sample or base.array
    if known or frame.routine.prepares_data or not frame.untyped(node.value):
        return False
    if isinstance(node.slice, ast.Slice) and _ends_of_tensors(frame, node) and _cut(frame, node.slice, base) >= Level.DATA and of_torch_alone(frame):
        return True
    for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
        if isinstance(part, ast.Slice) and isinstance(node.slice, ast.Tuple) and (_cut(frame, part, base) >= Level.RANDOM or any(end is not None and evaluate(frame, end).level == Level.TURN for end in (part.lower, part.upper))) and of_torch_alone(frame):
            return True  # along several axes: no list
        if not isinstance(part, (ast.Slice, ast.Constant)):
            value = evaluate(frame, part)
            if value.mask and id(node) in frame.routine.shown_at:
                return True
            if value.tensor and (value.mask or value.shape) or _named_mask(frame, part, value) and (frame.routine.region == "network" or of_torch_alone(frame)) or (value.mask and not value.array or (value.array or value.element is not None) and value.length >= Level.RANDOM) and of_torch_alone(frame):
                return True
    return False


def _ends_of_tensors(frame: Frame, node: ast.Subscript) -> bool:
    """``wave[a * hop : b * hop]`` of a parameter between ends that were read out of a tensor: a tensor, too, unless it is called as texts and lists of tokens are."""
    ends = [evaluate(frame, n) for end in (node.slice.lower, node.slice.upper) if end is not None for n in walk(end) if isinstance(n, (ast.Name, ast.Attribute))]  # type: ignore[attr-defined]
    read = any(value.level >= Level.DATA for value in ends)
    whole = [evaluate(frame, end) for end in (node.slice.lower, node.slice.upper) if end is not None]  # type: ignore[attr-defined]
    if any(value.tensor and value.level >= Level.DATA for value in whole) and isinstance(node.value, (ast.Name, ast.Attribute)):
        return True
    no_tensors = apis.TEXT_WORDS | apis.METADATA_WORDS
    named = isinstance(node.value, ast.Name) and is_parameter(frame, node.value) and not no_tensors & set(node.value.id.lower().split("_"))
    own = isinstance(node.value, ast.Attribute) and isinstance(node.value.value, ast.Name) and not no_tensors & set(node.value.attr.lower().split("_"))
    return read and (named or own)


def of_torch_alone(frame: Frame) -> bool:
    """Whether the function around uses PyTorch and no NumPy, or its file knows no NumPy: measures of NumPy arrays look the same."""
    return uses_torch_alone(frame.routine)


def uses_torch_alone(routine: Routine) -> bool:
    """As `of_torch_alone`, of a routine that is not run yet."""
    if routine.of_torch is None:
        routine.of_torch = not isinstance(routine.node, ast.Module) and _works_with_torch(routine)
    return routine.of_torch


def _works_with_torch(routine: Routine) -> bool:
    """What a function computes with, by itself, by where it runs, or by the rest of its file."""
    node = routine.node
    used = {fact.name.partition(".")[0] for inner in routine.nodes if isinstance(inner, ast.Name) and isinstance(fact := routine.facts.value(inner), v.Api)}
    if torch_names.ARRAYS.rstrip(".") in used:
        return False
    if any(use.name.startswith(torch_names.TORCH) and node.lineno <= use.node.lineno <= (node.end_lineno or 0) for use in routine.facts.uses):  # type: ignore[union-attr]
        return True
    if used & apis.ARRAY_PACKAGES:
        return False
    return routine.region == "network" or _file_of_torch(routine.file, routine.facts)


#: Whether a file imports PyTorch, and does nothing with arrays that it may import.
_FILES: WeakKeyDictionary[SourceFile, bool] = WeakKeyDictionary()


def _file_of_torch(file: SourceFile, facts: Facts) -> bool:
    if file not in _FILES:
        _FILES[file] = _no_arrays_in(file, facts)
    return _FILES[file]


def _no_arrays_in(file: SourceFile, facts: Facts) -> bool:
    nodes = list(file.nodes)
    names = [alias.name for n in nodes if isinstance(n, ast.Import) for alias in n.names] + [n.module or "" for n in nodes if isinstance(n, ast.ImportFrom)]
    if torch_names.TORCH.rstrip(".") not in {name.partition(".")[0] for name in names}:
        return False
    return not any(isinstance(n, ast.Name) and isinstance(fact := facts.value(n), v.Api) and fact.name.partition(".")[0] in apis.ARRAY_PACKAGES for n in nodes)


def _cut(frame: Frame, index: ast.expr, base: Abstract) -> Level:
    """How the length of a slice of a container differs."""
    return cut_level(frame, index) if isinstance(index, ast.Slice) else Level.CONSTANT


def cut_level(frame: Frame, index: ast.Slice) -> Level:
    """How the width of a slice differs, where its ends do not move together."""
    if index.lower is not None and index.upper is not None:
        known = definitions(frame.routine.node)
        if keeps_width(frame, index.lower, index.upper) or keeps_width(frame, expanded(index.lower, known), expanded(index.upper, known)):
            return Level.CONSTANT  # data[i : i + n]
    changing = [evaluate(frame, part) for part in (index.lower, index.upper, index.step) if part is not None]
    if frame.active >= Level.RANDOM and any(part.level == Level.TURN for part in changing):
        return frame.active  # from the turn on that data choose
    return max((part.level for part in changing if part.level >= Level.RANDOM), default=Level.CONSTANT)


def _of_tensor(frame: Frame, node: ast.Subscript, base: Abstract) -> Abstract:
    parts = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    shape: frozenset[Source] = base.shape
    if _is_one_row(frame, parts[0]):
        shape = frozenset(s for s in shape if s.cause != "values")  # one of the rows that were selected
    text, changed, by_places, index_level = [], False, False, Level.CONSTANT
    rows = base.rows if isinstance(parts[0], ast.Slice) else frozenset()  # sources of the first axis alone
    for part in parts:
        if isinstance(part, ast.Slice):
            source = _slice(frame, node, part, base)
            if source is not None:
                shape |= {source}
                rows |= {source} if part is parts[0] else frozenset()
            changed = changed or part.lower is not None or part.upper is not None or part.step is not None
            text.append(ast.unparse(part))
            for bound in (part.lower, part.upper):
                if bound is not None:
                    found = evaluate(frame, bound)
                    frame.use(found)
                    shape |= found.shape
            continue
        value = evaluate(frame, part)
        index_level = max(index_level, value.level)
        by_places = by_places or value.tensor and not value.mask or value.array or value.element is not None
        text.append(ast.unparse(part))
        changed = changed or not isinstance(part, ast.Constant) or part.value is not None
        if value.fixed:
            continue  # as many as the constants say
        if value.mask or _named_mask(frame, part, value) or not value.tensor and value.element is not None and value.element.mask and value.element.level >= Level.RANDOM:
            selected = _mask(frame, node, part, value)
            shape |= {selected}
            rows |= {selected} if part is parts[0] else frozenset()
        elif (value.length >= Level.RANDOM or one_of_ragged(value)) and not (value.tensor or value.text):  # a text is one key
            shape |= {_list_index(frame, node, part, value)}
        elif value.tensor:
            frame.use(value)
            shape |= value.shape
            rows |= value.rows if part is parts[0] else frozenset()
        elif value.element is not None or value.array:
            shape |= value.shape
    frame.use(base)
    _follows(frame, node, shape, "index")
    if isinstance(node.ctx, ast.Load) and len(parts) == 1 and isinstance(parts[0], ast.Constant) and isinstance(parts[0].value, int) and not base.mask:
        shape = base.shape if shape else shape
    # A fixed number of rows: x[:, :16000] of what was longer or shorter counts as cut to size.
    if base.shape and parts and _fixes(frame, parts):
        for source in base.shape:
            source.fixed_by[str(frame.routine.file.relative), node.lineno] = ast.unparse(node)
        shape = shape - base.shape
    form = stepped("slice", base.form, ", ".join(text)) if changed else base.form
    if by_places:
        form = None  # x[order] may have the shape of x
    return Abstract(max(base.level, index_level if index_level >= Level.RANDOM else Level.CONSTANT), True, base.mask, shape, form, origin=base.origin, rows=rows & shape)


def _fixes(frame: Frame, parts: list[ast.expr]) -> bool:
    """Whether every given bound is a constant above zero: the result has at most, and as a rule just, that many."""
    ends = [part.upper for part in parts if isinstance(part, ast.Slice) and part.upper is not None]
    if not ends or any(not isinstance(part, ast.Slice) for part in parts):
        return False
    return all(isinstance(end, ast.Constant) and isinstance(end.value, int) or isinstance(end, (ast.Name, ast.Attribute)) and evaluate(frame, end).level <= Level.CONFIGURATION and v.NONE not in v.options(frame.fact(end)) for end in ends)


def _last_ones(part: ast.Slice) -> bool:
    """``rows[-4:]``: as many as the constant says."""
    return part.upper is None and part.step is None and isinstance(part.lower, ast.UnaryOp) and isinstance(part.lower.op, ast.USub) and isinstance(part.lower.operand, ast.Constant)


def _named_mask(frame: Frame, node: ast.expr, value: Abstract) -> bool:
    """A parameter of unknown type whose name speaks of a mask; what is inverted to be an index is one."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        inner = frame.fact(node.operand)
        return isinstance(inner, v.Unknown) or isinstance(inner, v.TensorValue) and inner.dtype in (None, torch_names.BOOL)
    if value.items is not None or value.array:
        return False
    fact = frame.fact(node)
    unknown = frame.untyped(node) or isinstance(fact, v.TensorValue) and fact.dtype is None
    if isinstance(node, ast.Attribute) or isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        held = node.attr if isinstance(node, ast.Attribute) else str(node.slice.value)  # type: ignore[attr-defined]
        return unknown and held.lower().rpartition("_")[2] in apis.MASK_WORDS  # data.train_mask, batch["valid"]
    if not isinstance(node, ast.Name) or not unknown or not named(node.id):
        return False
    arguments = getattr(frame.routine.node, "args", None)
    given = arguments is not None and any(a.arg == node.id for a in [*arguments.args, *arguments.kwonlyargs])
    return given or value.tensor and not value.fixed and node.id.lower().rpartition("_")[2] == apis.MASK_WORDS[0] or value.element is None and unpacked_of_a_call(frame.routine.nodes, node.id)


def _is_one_row(frame: Frame, part: ast.expr) -> bool:
    """Whether an index is a number."""
    if isinstance(part, ast.Slice) or isinstance(part, ast.Constant) and not isinstance(part.value, int):
        return False
    known = v.options(frame.fact(part))
    return all(isinstance(o, v.Builtin) and o.type == "int" or isinstance(o, v.Const) and type(o.value) is int for o in known)


def _mask(frame: Frame, node: ast.Subscript, part: ast.expr, value: Abstract) -> Source:
    frame.use(value)
    return frame.engine.source(
        "MP202", "values", frame.routine, node,
        f"{ast.unparse(node)} keeps as many elements as the mask is true for", "MaskedSelect", likely=not value.mask,
    )  # fmt: skip


def _list_index(frame: Frame, node: ast.Subscript, part: ast.expr, value: Abstract) -> Source:
    return frame.engine.source(
        "MP204", "size", frame.routine, node, f"the number of indices in {ast.unparse(part)} changes", "Gather", value.origin
    )


def _slice(frame: Frame, node: ast.Subscript, part: ast.Slice, base: Abstract) -> Source | None:
    """A source where the extent changes: not where both ends move together."""
    bounds = [(bound, evaluate(frame, bound)) for bound in (part.lower, part.upper) if bound is not None]
    changing = [(bound, value) for bound, value in bounds if value.changes]
    steps = [] if part.step is None else [(part.step, value) for value in (evaluate(frame, part.step),) if value.changes and value.level >= Level.RANDOM]
    if not changing and not steps:
        return None
    if part.upper is not None and part.lower is not None:
        names = width(part.lower, part.upper)
        if names is not None:
            changing = [(bound, value) for bound, value in changing if moves(frame, bound, names)]
        if changing:
            known = definitions(frame.routine.node)
            if not steps and (_moved_back(frame, part.lower, part.upper) or keeps_width(frame, expanded(part.lower, known), expanded(part.upper, known), part.step)):
                return None
    changing += steps
    if not changing:
        return None
    bound, value = max(changing, key=lambda pair: pair[1].level)
    if value.level == Level.TURN and part.upper is None and part.step is not None:
        return None  # x[:, i::n], each n-th from i on: of one length where n divides it
    if value.level == Level.TURN:
        return frame.engine.source(
            "MP204", "turn", frame.routine, node, f"{ast.unparse(node)} has another length at every turn of the loop", "Slice", value.origin
        )
    cause = "at random" if value.level == Level.RANDOM else "with the data"
    return frame.engine.source(
        "MP204", "size", frame.routine, node, f"the slice ends at {ast.unparse(bound)}, which changes {cause}", "Slice", value.origin
    )


def keeps_width(frame: Frame, lower: ast.expr, upper: ast.expr, step: ast.expr | None = None) -> bool:
    """Whether two ends that may move keep their distance: ``x[i : i + n]``, ``arange(i, i + n)``."""
    names = width(lower, upper, step)
    if names is not None and not any(moves(frame, end, names) for end in (lower, upper)):
        return True
    if step is None and _moved_back(frame, lower, upper):
        return True
    together = width_of_returned(frame, lower, upper) if step is None else None
    return together is not None and not any(evaluate(frame, part).changes for part in together)


def _moved_back(frame: Frame, lower: ast.expr, upper: ast.expr) -> bool:
    """``a = max(b - n, 0)``, bound anew before ``x[a:b]``: a tile that begins n before its end, at the border, too."""
    made = earlier(frame.routine.node, lower) if isinstance(lower, ast.Name) else None
    while isinstance(made, ast.Call) and isinstance(made.func, ast.Name) and made.func.id in ("int", "max"):
        rest = [a for a in made.args if not (isinstance(a, ast.Constant) and a.value == 0)]
        made = rest[0] if len(rest) == 1 else None
    if not isinstance(made, ast.BinOp) or not isinstance(made.op, ast.Sub) or ast.unparse(made.left) != ast.unparse(upper):
        return False
    wide = evaluate(frame, made.right)
    return wide.level <= Level.SHAPE and not wide.shape


def moves(frame: Frame, bound: ast.expr, names: list[str]) -> bool:
    """Whether a name that changes remains in the difference of the ends."""
    for inner in walk(bound):
        if isinstance(inner, ast.expr) and ast.unparse(inner) in names and evaluate(frame, inner).changes:
            return True
    return False


