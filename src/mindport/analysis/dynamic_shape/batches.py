"""Batches that hold lists: what a collation does not stack is of each sample's own shape."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import Abstract, Level
from mindport.analysis.dynamic_shape.expressions import evaluate
from mindport.analysis.dynamic_shape.handed_in import as_long, is_parameter
from mindport.analysis.dynamic_shape.joined_samples import of_each, of_zip, ragged, stacks
from mindport.analysis.dynamic_shape.polynomials import definitions
from mindport.analysis.dynamic_shape.subscripts import cut_level
from mindport.analysis.subject import Function
from mindport.inference import values as v

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame

_LISTS = ("list", "tuple")


def lists_of_samples(frame: Frame, returned: Abstract) -> None:
    """A collation that hands the network lists of samples: because it makes nothing of them, or because it stacks others and these not."""
    if not frame.routine.collates:
        return
    nothing_made = (returned.sample or returned.element is not None and returned.element.sample) and not returned.tensor and not any(isinstance(inner, ast.Call) and _makes_something(frame, inner) for inner in frame.routine.nodes)
    for statement in _returns(frame.routine.node):
        if nothing_made or statement.value is not None and any(_apart(frame, part) for part in _parts(statement.value)):
            source = frame.engine.source("MP201", "input", frame.routine, statement, "a batch holds a list of samples, each of its own shape", "input", likely=True)
            source.used = True


def parts_of_drawn_width(frame: Frame) -> None:
    """A data set that gives on a part whose ends are drawn or looked up, as it is: ``return self.rows[i : i + n]``."""
    if frame.routine.collates or not frame.routine.in_class:
        return
    known = definitions(frame.routine.node)
    for statement in _returns(frame.routine.node):
        for part in [*_parts(statement.value), statement.value] if statement.value is not None else []:
            cut = _whole_of(part, known, frame)
            if isinstance(cut, ast.Subscript) and isinstance(cut.slice, ast.Slice) and (isinstance(cut.value, ast.Attribute) or isinstance(cut.value, ast.Subscript) and isinstance(cut.value.value, ast.Attribute) or isinstance(cut.value, ast.Name) and isinstance(known.get(cut.value.id), (ast.Call, ast.Subscript))) and frame.untyped(cut.value) and not evaluate(frame, cut.value).shape and (cut_level(frame, cut.slice) >= Level.RANDOM or _looked_up(frame, cut.slice.lower) and _looked_up(frame, cut.slice.upper)):
                source = frame.engine.source("MP201", "list", frame.routine, cut, "a sample is a part whose ends change", "Slice")
                source.used = True


def _looked_up(frame: Frame, node: ast.expr | None) -> bool:
    """``_, first, last = self.bounds[i]``: what each sample has for itself."""
    for statement in frame.routine.nodes:
        record = statement.value if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Tuple) and isinstance(node, ast.Name) else None
        if isinstance(record, ast.Subscript) and is_parameter(frame, record.slice) and any(isinstance(part, ast.Name) and part.id == node.id for part in statement.targets[0].elts):  # type: ignore[attr-defined, union-attr]
            return True
    return False


def _whole_of(node: ast.expr, known: dict[str, ast.expr], frame: Frame) -> ast.expr:
    """What a sample's part is made of, one as long as the other: ``x`` for ``torch.tensor(x).float()``, also under a name."""
    while True:
        if isinstance(node, ast.Name) and node.id in known:
            node = known[node.id]
        elif (inner := as_long(frame, node)) is not None:
            node = inner
        else:
            return node


def _returns(node: ast.AST) -> Iterator[ast.Return]:
    """The function's own return statements, and the only expression of a lambda."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Return):
            yield child
        elif not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield from _returns(child)


def _parts(value: ast.expr) -> list[ast.expr]:
    if isinstance(value, (ast.Tuple, ast.List)):
        return value.elts
    if isinstance(value, ast.Dict):
        return value.values
    return []


def _apart(frame: Frame, part: ast.expr) -> bool:
    """Whether one of the things that a collation returns is a list of samples as they are, by what it holds and by its name."""
    if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in _LISTS and len(part.args) == 1:
        part = part.args[0]
    if isinstance(part, ast.ListComp) and isinstance(frame.routine.node, Function):
        return of_each(frame.routine.node, part) and ragged(part.elt)
    held = frame.env.get(part.id) if isinstance(part, ast.Name) else None
    zipped = isinstance(part, ast.Name) and isinstance(frame.routine.node, Function) and part.id in of_zip(frame.routine.node)
    if held is not None and held.sample and not held.tensor and (held.element is None or zipped) and isinstance(part, ast.Name) and isinstance(frame.routine.node, Function):
        return zipped and bool(apis.RAGGED_WORDS & set(part.id.lower().split("_"))) and stacks(frame.routine.node, frame.routine.facts)
    if held is None or held.tensor or held.array or held.element is None or not isinstance(part, ast.Name):
        return False
    if isinstance(definitions(frame.routine.node).get(part.id), ast.DictComp):
        return False
    inner = held.element
    counted = inner.origin is not None and isinstance(inner.origin.node, ast.Call) and not inner.tensor
    named = bool(apis.METADATA_WORDS & set(part.id.lower().split("_")))
    made = inner.tensor and held.added is None and held.items is None  # one by one in a loop
    return (inner.sample or made) and inner.level >= Level.DATA and not inner.text and not counted and not named


def _makes_something(frame: Frame, node: ast.Call) -> bool:
    """Whether a collation's call makes arrays or tensors, or may: anything but Python's own functions and the methods of containers."""
    known = v.options(frame.fact(node.func))
    if all(isinstance(o, v.Api) and o.name.startswith("builtins.") for o in known):
        return False
    return not (isinstance(node.func, ast.Attribute) and node.func.attr in apis.CONTAINER_METHODS)
