"""``x[:, 0::2]`` becomes ``every(x, 1, 2, 0)``: MindSpore's CPU cannot differentiate a slice with a step between other axes.

A step on the first or the last axis alone is differentiated, and stays; so do tensors of whole numbers, what is changed
in place, and slices whose bounds are not constants. Where nothing says that the object is a tensor nothing is done.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.stepped_slices"
EVERY = "every"
_FLOATING = frozenset(f"torch.{name}" for name in ("float16", "bfloat16", "float32", "float64", "float", "double", "half"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the vendored function for every such slice of a tensor that may carry a gradient."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    for node in ast.walk(context.file.tree):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and _may_carry(context, node):
            steps = _steps(node.slice)
            if steps:
                context.plan(node, lambda n=node, s=steps: _write(context, n, s), last=True)  # type: ignore[misc]


def _may_carry(context: Context, node: ast.Subscript) -> bool:
    kinds = v.options(context.facts.value(node.value))
    if not kinds or not all(isinstance(k, v.TensorValue) and (k.dtype is None or k.dtype in _FLOATING) for k in kinds):
        return False
    above = context.parents.get(id(node))
    return not (isinstance(above, ast.Attribute) and above.attr.endswith("_"))


def _steps(index: ast.expr) -> list[tuple[int, ast.Slice]]:
    """The axis (from the left, or after ``...`` from the right) of each slice with a step; empty where nothing is to be done."""
    items = index.elts if isinstance(index, ast.Tuple) else [index]
    if not all(isinstance(i, ast.Slice) or (isinstance(i, ast.Constant) and (i.value in (None, ...) or type(i.value) is int)) for i in items):
        return []
    axes = [i for i in items if not (isinstance(i, ast.Constant) and i.value is None)]
    dots = next((n for n, i in enumerate(axes) if isinstance(i, ast.Constant) and i.value is ...), len(axes))
    found = []
    for number, item in enumerate(axes):
        if isinstance(item, ast.Slice) and item.step is not None and _number(item.step) != 1:
            if (_number(item.step) or 0) < 1 or any(b is not None and _number(b) is None for b in (item.lower, item.upper)):
                return []
            found.append((number if number < dots else number - len(axes), item))
    # Alone on the first axis, or on the last, the slice has a gradient.
    if len(found) == 1 and found[0][0] in (0, -1):
        return []
    return found


def _number(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
        case _:
            return None


def _write(context: Context, node: ast.Subscript, steps: list[tuple[int, ast.Slice]]) -> None:
    local = context.shared.vendored.need_definition(context.shared.catalog.modules[KNOWLEDGE], EVERY)
    name = context.imports.local(context.vendored_module, local, local)
    editing = context.editing
    start, inner = editing.span(node.value)
    text = editing.current(start, inner)
    for axis, item in steps:
        arguments = [str(axis), str(_number(item.step))] if item.step is not None else []
        if item.upper is not None or (item.lower is not None and _number(item.lower)):
            arguments.append(str(_number(item.lower)) if item.lower is not None else "0")
        if item.upper is not None:
            arguments.append(str(_number(item.upper)))
        text = f"{name}({text}, {', '.join(arguments)})"
    stepped = {id(item) for _, item in steps}
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    rest = [":" if id(i) in stepped else context.file.segment(i) for i in items]
    if any(item not in (":", "...", "::") for item in rest):
        text += f"[{', '.join(rest)}]"
    editing.replace(*editing.span(node), text)
