"""Augmented assignments: tensors that are added to, containers that are filled, numbers that count."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape.abstract import (
    Abstract,
    Level,
    Origin,
    all_fixed,
    count_of,
    join,
    number,
)
from mindport.analysis.dynamic_shape.api_calls import written_into
from mindport.analysis.dynamic_shape.container_lengths import total
from mindport.analysis.dynamic_shape.expressions import evaluate, padded_to
from mindport.analysis.dynamic_shape.lasting import grows_by_calls
from mindport.analysis.dynamic_shape.places import ONCE, keep
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame


def augmented(frame: Frame, node: ast.AugAssign) -> None:
    """``x += y``: of tensors, of containers, and of numbers, which count the turns or the calls where they last."""
    from mindport.analysis.dynamic_shape.statements import bind

    value = evaluate(frame, node.value)
    load = evaluate(frame, node.target)
    for part in (value, load):
        if not is_count(part):
            frame.use(part)
    if isinstance(node.target, ast.Subscript) and (load.tensor or load.array or load.sample or value.tensor or not _is_entry(frame, node.target)):
        written_into(frame, node.target.value, max(value.level, frame.active))
        return
    if load.tensor or value.tensor:
        result = join(load, value) if load.tensor else replace(value, form=None)
        result = replace(result, form=load.form, fixed=all_fixed(load, value))
    elif load.items is not None or load.element is not None:
        to = padded_to(frame, ast.copy_location(ast.BinOp(node.target, node.op, node.value), node))
        length = evaluate(frame, to).level if to is not None else max(load.length, value.length)
        result = replace(join(load, value), items=None, length=length, added=total(count_of(load), count_of(value)))
        if grows_by_calls(frame, node.target, replace(value, level=Level.CONSTANT)):
            result = replace(result, length=Level.DATA, extent=frozenset(), added=None, origin=Origin(frame.routine.file, node))
    else:
        result = number(load, value)
        lasts = isinstance(node.target, (ast.Attribute, ast.Subscript)) or isinstance(node.target, ast.Name) and node.target.id in frame.outer
        counts = lasts and frame.routine.name not in ONCE and (isinstance(node.value, ast.Constant) or value.level == Level.SHAPE and not value.shape)  # self.step += 1, self.filled += len(x)
        if (frame.loops or counts) and result.level < Level.TURN:
            result = replace(result, level=Level.TURN)
    if isinstance(node.target, ast.Subscript):
        keep(frame, node.target, result)
    else:
        bind(frame, node.target, result)


def counted(frame: Frame, target: ast.expr, written: ast.expr, value: Abstract) -> Abstract:
    """``self.length = min(self.length + 1, self.most)``: an attribute that follows from what it was before is another number in every call."""
    if isinstance(target, ast.Attribute) and _sifted(frame, target, written):
        return replace(value, items=None, length=Level.DATA, added=None, origin=value.origin or Origin(frame.routine.file, written))
    lasts = isinstance(target, ast.Attribute) and frame.routine.name not in ONCE and value.level < Level.TURN and not frame.routine.prepares_data
    if not lasts or value.tensor or value.array or value.text or value.element is not None or value.items is not None or value.keyed is not None:
        return value
    before = ast.unparse(target)
    sums = [n for n in walk(written) if isinstance(n, ast.BinOp) and any(isinstance(part, ast.Attribute) and ast.unparse(part) == before for part in walk(n))]
    return replace(value, level=Level.TURN) if sums and not any(isinstance(n.left, ast.Constant) and isinstance(n.left.value, str) for n in sums) else value


def _sifted(frame: Frame, target: ast.Attribute, written: ast.expr) -> bool:
    """``self.tracks = [t for t in self.tracks if t.age < n]``: again and again those of an object's list that pass a test."""
    part = written.generators[0] if isinstance(written, ast.ListComp) and len(written.generators) == 1 else None
    tests = {n.id for test in part.ifs for n in walk(test) if isinstance(n, ast.Name)} if part is not None else set()
    own = part is not None and ast.unparse(part.iter) == ast.unparse(target) and bool(tests & {n.id for n in walk(part.target) if isinstance(n, ast.Name)})
    return own and frame.routine.name not in ONCE and not frame.routine.prepares_data


def _is_entry(frame: Frame, node: ast.Subscript) -> bool:
    """``self.state["steps"]``: a number that a dictionary holds under a name."""
    held = evaluate(frame, node.value)
    return isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str) and held.keyed is not None and not held.loader


def is_count(value: Abstract) -> bool:
    """A number that was read from a shape: adding it up uses no shape, whatever is sized by it does."""
    inner = [*(value.items or ()), *([value.element] if value.element is not None else [])]
    return not value.tensor and not value.array and all(is_count(part) for part in inner)
