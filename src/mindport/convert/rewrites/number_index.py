"""``x[0, :, rows]`` becomes ``x[0][:, rows]``: torch takes numbers away first, MindSpore counts them among the index tensors, as NumPy does.

Where slices, ``None`` or ``...`` stand between a number and an index tensor, NumPy's rule moves the indexed axis to the
front, silently. What may be a number or a tensor is told apart when the program runs. ``scores[0, label]`` becomes
``scores[0][label]`` where the label may be a tensor without axes: MindSpore has no gradient of the element. Nor has it one
of ``scores[tags[i], tags[j]]``: what several elements of tensors pick is told apart when the program runs, too.
A mask of several axes behind ``...`` raises in MindSpore, and one between slices is silently wrong: the same function.
A tensor without axes counts as a number in torch: seen where its shape is known, and in that function. ``x[mask]`` with a mask
without axes, which MindSpore raises for, is ``x.unsqueeze(0)[mask.reshape(1)]``.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.masks import mask_between
from mindport.convert.operands import may_be_tensor
from mindport.convert.printing import is_atom
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.number_indices"
INDEXED = "indexed"
_BOOLEAN = "torch.bool"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan two steps, or the vendored function, for every such index of what may be a tensor."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    for node in context.file.nodes:
        if not isinstance(node, ast.Subscript) or not may_be_tensor(context, node.value):
            continue
        if not isinstance(node.slice, ast.Tuple):
            if isinstance(node.ctx, ast.Load) and _is_truth(context, node.slice) and _tensors(context, node.value):
                context.plan(node, lambda n=node: _write_truth(context, n), last=True)  # type: ignore[misc]
            continue
        if isinstance(node.ctx, ast.Load) and mask_between(context, node.slice.elts):
            context.plan(node, lambda n=node: write_decision(context, n), last=True)  # type: ignore[misc]
            continue
        kinds = [_kind(context, item) for item in node.slice.elts]
        moving = [place for place, kind in enumerate(kinds) if kind in ("number", "tensor", "unknown")]
        if "other" in kinds or not moving:
            continue
        if moving == list(range(moving[0], moving[-1] + 1)):
            kinds = ["tensor" if _tensors(context, item) else kind for item, kind in zip(node.slice.elts, kinds, strict=True)]
            if _has_no_gradient(context, node, kinds) and (before := _numbers_alone(context, node.slice.elts, kinds)) is not None:
                context.plan(node, lambda n=node, k=kinds, b=before: _write(context, n, k, b), last=True)  # type: ignore[misc]
            elif _picks_one(context, node, kinds):
                context.plan(node, lambda n=node: write_decision(context, n), last=True)  # type: ignore[misc]
            continue
        if "tensor" not in kinds:
            continue
        if "number" in kinds and "unknown" not in kinds and (before := _numbers_alone(context, node.slice.elts, kinds)) is not None:
            context.plan(node, lambda n=node, k=kinds, b=before: _write(context, n, k, b), last=True)  # type: ignore[misc]
        elif {"number", "unknown"} & set(kinds) and isinstance(node.ctx, ast.Load):
            context.plan(node, lambda n=node: write_decision(context, n), last=True)  # type: ignore[misc]


def _is_truth(context: Context, item: ast.expr) -> bool:
    """Whether an index is a mask without axes, of which MindSpore knows no places: it keeps all of a new first axis, or nothing."""
    return all(isinstance(k, v.TensorValue) and k.shape == () and k.dtype == _BOOLEAN and not k.likely for k in v.options(context.facts.value(item)))


def _has_no_gradient(context: Context, node: ast.Subscript, kinds: list[str]) -> bool:
    """``scores[0, label]``: MindSpore has no gradient of one element that numbers and tensors without axes pick together."""
    assert isinstance(node.slice, ast.Tuple)
    if not isinstance(node.ctx, ast.Load) or set(kinds) - {"number", "tensor", "unknown"} or "number" not in kinds:
        return False
    floating = [k for k in _tensors(context, node.value) if k.dtype is None or "float" in k.dtype]
    picked = [k for item in node.slice.elts for k in _tensors(context, item)]
    return bool(floating) and any(not k.shape and k.dtype != _BOOLEAN for k in picked)


def _picks_one(context: Context, node: ast.Subscript, kinds: list[str]) -> bool:
    """``scores[tags[i], tags[j]]``: the same, where no number stands beside the tensors."""
    assert isinstance(node.slice, ast.Tuple)
    if not isinstance(node.ctx, ast.Load) or len(kinds) < 2 or set(kinds) - {"tensor", "unknown"}:
        return False
    floating = [k for k in _tensors(context, node.value) if k.dtype is None or "float" in k.dtype]
    return bool(floating) and all(_is_element(context, item) for item in node.slice.elts)


def _is_element(context: Context, item: ast.expr) -> bool:
    """Whether an item may be a tensor without axes: it is known to be, or numbers pick it of what may be a tensor (``tags[i]``, ``tags[k, i + 1]``)."""
    if any(k.shape == () for k in _tensors(context, item)):
        return True
    if not isinstance(item, ast.Subscript):
        return False
    places = item.slice.elts if isinstance(item.slice, ast.Tuple) else [item.slice]
    return all(_may_be_number(context, place) for place in places) and may_be_tensor(context, item.value)


def _may_be_number(context: Context, place: ast.expr) -> bool:
    match place:
        case ast.Constant(value=int()) | ast.UnaryOp() | ast.BinOp() | ast.Name():
            return all(isinstance(k, (v.Const, v.Builtin, v.Unknown)) for k in v.options(context.facts.value(place)))
    return False


def _tensors(context: Context, node: ast.expr) -> list[v.TensorValue]:
    return [k for k in v.options(context.facts.value(node)) if isinstance(k, v.TensorValue)]


def _kind(context: Context, item: ast.expr) -> str:
    """"number", "tensor" (with axes), "slice", "none", "dots", "unknown" (one of the first two); "other": truth values and the like."""
    match item:
        case ast.Slice():
            return "slice"
        case ast.Constant(value=None):
            return "none"
        case ast.Constant(value=value) if value is ...:
            return "dots"
        case ast.List() | ast.Call(func=ast.Name(id="range")):
            return "tensor"
    found = {_kind_of(kind) for kind in v.options(context.facts.value(item))}
    return found.pop() if len(found) == 1 else "other" if "other" in found else "unknown"


def _kind_of(kind: v.Value) -> str:
    match kind:
        case v.Const(kind=one) if one is int:
            return "number"
        case v.Builtin(type="int"):
            return "number"
        case v.TensorValue(shape=(), dtype=dtype) if dtype is not None and dtype != _BOOLEAN:
            return "number"
        case v.TensorValue(shape=shape):
            return "unknown" if shape == () else "tensor"
        case v.Sequence(type="list"):
            return "tensor"
        case v.Unknown():
            return "unknown"
    return "other"


def _numbers_alone(context: Context, items: list[ast.expr], kinds: list[str]) -> list[str] | None:
    """The items of the first step, in which only the numbers are kept; None where the axis of a number is not known."""
    before = []
    for place, (item, kind) in enumerate(zip(items, kinds, strict=True)):
        if kind == "number":
            before.append(context.editing.current(*context.editing.span(item)))
        elif kind == "dots":
            before.append("...")
        elif kind != "none":
            if "number" in kinds[place:] and "dots" not in kinds[place:] and (kind == "unknown" or (kind == "tensor" and _axes(context, item) != 1)):
                return None
            before.append(":")
    if "dots" in kinds and "number" in kinds[kinds.index("dots") :]:
        return before  # what stands behind counts from the right
    while before[-1] in (":", "..."):
        before.pop()
    return before


def _axes(context: Context, item: ast.expr) -> int | None:
    """How many axes an index tensor takes away: a mask as many as it has, whole numbers one."""
    tensors = _tensors(context, item)
    if any(t.dtype is None for t in tensors):
        return None
    if any(t.dtype == _BOOLEAN for t in tensors):
        return len(tensors[0].shape) if len(tensors) == 1 and tensors[0].shape is not None else None
    return 1


def _write(context: Context, node: ast.Subscript, kinds: list[str], before: list[str]) -> None:
    assert isinstance(node.slice, ast.Tuple)
    editing = context.editing
    rest = [editing.current(*editing.span(item)) for item, kind in zip(node.slice.elts, kinds, strict=True) if kind != "number"]
    while rest[-1] == ":" and "..." not in rest:
        rest.pop()
    editing.replace(editing.bracket(node), editing.span(node)[1], f"[{', '.join(before)}][{', '.join(rest)}]")


def _write_truth(context: Context, node: ast.Subscript) -> None:
    editing = context.editing
    mask = editing.current(*editing.span(node.slice))
    mask = mask if is_atom(node.slice) else f"({mask})"
    editing.replace(editing.bracket(node), editing.span(node)[1], f".unsqueeze(0)[{mask}.reshape(1)]")


def write_decision(context: Context, node: ast.Subscript) -> None:
    """The vendored function, which takes the index apart when the program runs."""
    assert isinstance(node.slice, ast.Tuple)
    editing = context.editing
    name = context.definition(KNOWLEDGE, INDEXED)
    items = [_as_value(context, item) for item in node.slice.elts]
    value = editing.current(*editing.span(node.value))
    editing.replace(*editing.span(node), f"{name}({', '.join([value, *items])})")


def _as_value(context: Context, item: ast.expr) -> str:
    editing = context.editing
    if not isinstance(item, ast.Slice):
        return editing.current(*editing.span(item))
    bounds = ["None" if b is None else editing.current(*editing.span(b)) for b in (item.lower, item.upper, item.step)]
    if bounds[2] == "None":
        bounds.pop()
    return f"slice({bounds[1] if bounds[0] == 'None' and len(bounds) == 2 else ', '.join(bounds)})"
