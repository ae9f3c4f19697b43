"""What inference supposes to be a tensor, because a forward pass is given it, and the function uses as no tensor is: records, lists, trees."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.loaders import is_batch
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.engine import Routine

#: It makes a tensor of numbers and lists; a tensor is copied in another way.
_OF_LISTS = v.Api("torch.tensor")
_MOST_DEEP = 4
#: What a loader gives as a dictionary, by its name: ``sample["image"]`` as ``batch["image"]``.
_SAMPLE = re.compile(r"(.*_)?sample(_batched)?")


def no_tensors(routine: Routine) -> frozenset[str]:
    """Parameters that are used as no tensor is: ``scene["agents"]``, ``formula.clauses``, ``torch.tensor(ids)``, ``for b in blocks: b["box"]``."""
    if routine.no_tensors is None:
        over = {name: whole for inner in routine.nodes if isinstance(inner, (ast.For, ast.comprehension)) for name, whole in items_of(inner.target, inner.iter)}
        found: set[str] = set()
        taken = {n.value.id for n in routine.nodes if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and isinstance(n.slice, ast.Constant) and isinstance(n.slice.value, str)}
        for inner in routine.nodes:
            shown: ast.expr | None = None
            match inner:
                case ast.Subscript(value=held, slice=ast.Constant(str())):
                    shown = held
                case ast.Attribute(value=held, attr=attr) if attr not in torchfacts.members(torch_names.TENSOR):
                    shown = held
                case ast.Call(args=[held, *_], func=func) if routine.facts.value(func) == _OF_LISTS:
                    shown = held
                case ast.Compare(left=held, ops=[ast.Is() | ast.IsNot()]) if isinstance(held, ast.Name) and held.id in over:
                    shown = held
            for _ in range(_MOST_DEEP):
                if isinstance(shown, ast.Subscript) and not isinstance(shown.slice, (ast.Slice, ast.Tuple)):
                    shown = shown.value
                elif isinstance(shown, ast.Name) and shown.id in over and not isinstance(inner, ast.For):
                    shown = over[shown.id]
                elif isinstance(shown, ast.Name):
                    found.add(shown.id)
                    break
                else:
                    break
        arguments = routine.node.args  # type: ignore[union-attr]
        found &= {a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs] if not is_batch(a.arg) and not (a.arg in taken and _SAMPLE.fullmatch(a.arg))}
        routine.no_tensors = frozenset(_with_parts(routine, found)) if found else frozenset()
    return routine.no_tensors


def _with_parts(routine: Routine, found: set[str]) -> set[str]:
    """Names with those that loops and assignments give their parts to."""
    bound = [(inner.target, inner.iter) for inner in routine.nodes if isinstance(inner, (ast.For, ast.comprehension))]
    bound += [(target, inner.value) for inner in routine.nodes if isinstance(inner, ast.Assign) and isinstance(inner.value, (ast.Subscript, ast.Attribute, ast.Name)) for target in inner.targets]
    for _ in range(_MOST_DEEP):
        found = found | {n.id for target, whole in bound if whole_of(whole) in found for n in walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return found


def whole_of(node: ast.expr) -> str:
    """The name that ``x``, ``x.a``, ``x["a"][i]``, ``enumerate(x)`` and ``sorted(x.a)`` are of."""
    while True:
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("enumerate", "sorted", "reversed", "list", "zip") and node.args:
            node = node.args[0]
        else:
            return node.id if isinstance(node, ast.Name) else ""


def supposed_wrongly(routine: Routine, node: ast.expr) -> bool:
    """Whether what inference supposes to be a tensor is, or is a part of, a parameter that is used as none is."""
    return not isinstance(routine.node, (ast.Module, ast.Lambda)) and isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and whole_of(node) in no_tensors(routine)


def items_of(target: ast.expr, over: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Names of a loop that hold an item of something, with that: of ``for i, x in enumerate(xs)``, ``for x, y in zip(xs, ys)``, ``for x in sorted(xs)``."""
    called = over.func.id if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.args else ""
    if isinstance(target, ast.Name):
        yield target.id, over.args[0] if called in ("sorted", "reversed", "list") else over  # type: ignore[attr-defined]
    elif isinstance(target, ast.Tuple):
        wholes = [over, *over.args] if called == "enumerate" else over.args if called == "zip" else []  # type: ignore[attr-defined]
        yield from ((part.id, whole) for part, whole in zip(target.elts, wholes, strict=False) if isinstance(part, ast.Name))


def of_records(routine: Routine, name: str) -> bool:
    """``for block in blocks: block["box"]`` of what is not called as what is known of each image of a batch."""
    if apis.TRUTHS & set(name.lower().split("_")):
        return False
    items = {item for inner in routine.nodes if isinstance(inner, (ast.For, ast.comprehension)) for item, whole in items_of(inner.target, inner.iter) if isinstance(whole, ast.Name) and whole.id == name}
    return any(isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and n.value.id in items and isinstance(n.slice, ast.Constant) and isinstance(n.slice.value, str) for n in routine.nodes)
