"""``x[:, 0::2]`` becomes ``every(x, 1, 2, 0)``: MindSpore's CPU cannot differentiate a slice with a step between other axes.

A step on the first or the last axis alone is differentiated, and stays; so do tensors of whole numbers, slices whose bounds are calls,
and what is changed in place, under its name and through other views, too: `every` gathers, and the tensor would not see the change.
Where nothing says that the object may be a tensor nothing is done; `every` slices what turns out to be none.
"""

from __future__ import annotations

import ast

from mindport.convert.aliasing.flow import follow
from mindport.convert.aliasing.knowledge import Knowledge
from mindport.convert.aliasing.objects import links
from mindport.convert.context import Context
from mindport.convert.scopes import scope_of
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.source.literals import whole_number

KNOWLEDGE = "mindport.equivalents.stepped_slices"
EVERY = "every"
_FLOATING = frozenset(f"torch.{name}" for name in ("float16", "bfloat16", "float32", "float64", "float", "double", "half"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the vendored function for every such slice of a tensor that may carry a gradient."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    found = [(node, steps) for node in context.file.nodes if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and _may_carry(context, node) and (steps := _steps(context, node.slice))]
    changed = _changed(context, [node for node, _ in found])
    for node, steps in found:
        if id(node) not in changed:
            context.plan(node, lambda n=node, s=steps: _write(context, n, s), last=True)  # type: ignore[misc]


def _changed(context: Context, slices: list[ast.Subscript]) -> set[int]:
    """The ids of what somebody changes in place, it or a view of it."""
    found = [scope_of(context, node) for node in slices]
    scopes = {id(scope): scope for scope in found if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module))}
    knowledge = Knowledge.of(context.file, context.facts, context.shared.summaries) if scopes else None
    mutations = [m for scope in scopes.values() for m in follow(scope, knowledge).mutations.values()] if knowledge else []
    return {link.key for mutation in mutations for one in mutation.objects for link in links(one) if isinstance(link.key, int)}


def _may_carry(context: Context, node: ast.Subscript) -> bool:
    kinds = v.options(context.facts.value(node.value))
    tensors = [k for k in kinds if isinstance(k, v.TensorValue)]
    if not tensors or not all(isinstance(k, (v.TensorValue, v.Unknown)) for k in kinds) or not any(k.dtype is None or k.dtype in _FLOATING for k in tensors):
        return False
    above = context.parents.get(id(node))
    return not (isinstance(above, ast.Attribute) and above.attr.endswith("_"))


def _steps(context: Context, index: ast.expr) -> list[tuple[int, ast.Slice]]:
    """The axis (from the left, or after ``...`` from the right) of each slice with a step; empty where nothing is to be done."""
    items = index.elts if isinstance(index, ast.Tuple) else [index]
    if not all(isinstance(i, ast.Slice) or (isinstance(i, ast.Constant) and i.value in (None, ...)) or _integer(context, i) for i in items):
        return []
    axes = [i for i in items if not (isinstance(i, ast.Constant) and i.value is None)]
    dots = next((n for n, i in enumerate(axes) if isinstance(i, ast.Constant) and i.value is ...), len(axes))
    found = []
    for number, item in enumerate(axes):
        if isinstance(item, ast.Slice) and item.step is not None and whole_number(item.step) != 1:
            if not all(b is None or _simple(b) for b in (item.lower, item.upper, item.step)):
                return []
            found.append((number if number < dots else number - len(axes), item))
    # Alone on the first axis, or on the last, the slice has a gradient.
    if len(found) == 1 and found[0][0] in (0, -1):
        return []
    return found


def _integer(context: Context, node: ast.expr) -> bool:
    """Whether an index is one integer, which takes one axis away."""
    kinds = v.options(context.facts.value(node))
    return all((isinstance(k, v.Const) and k.kind is int) or (isinstance(k, v.Builtin) and k.type == "int") for k in kinds)


def _simple(node: ast.expr) -> bool:
    """Whether a bound can be evaluated a little earlier than it stands: names, attributes and arithmetic, no calls."""
    return all(isinstance(n, (ast.Name, ast.Attribute, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context)) for n in ast.walk(node))


def _write(context: Context, node: ast.Subscript, steps: list[tuple[int, ast.Slice]]) -> None:
    name = context.definition(KNOWLEDGE, EVERY)
    editing = context.editing
    start, inner = editing.span(node.value)
    text = editing.current(start, inner)
    for axis, item in steps:
        arguments = [str(axis), _text(context, item.step)]
        if item.upper is not None or (item.lower is not None and whole_number(item.lower) != 0):
            arguments.append(_text(context, item.lower) if item.lower is not None else "0")
        if item.upper is not None:
            arguments.append(_text(context, item.upper))
        text = f"{name}({text}, {', '.join(arguments)})"
    stepped = {id(item) for _, item in steps}
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    rest = [":" if id(i) in stepped else context.file.segment(i) for i in items]
    if any(item not in (":", "...", "::") for item in rest):
        text += f"[{', '.join(rest)}]"
    editing.replace(*editing.span(node), text)


def _text(context: Context, bound: ast.expr | None) -> str:
    return "None" if bound is None else context.editing.current(*context.editing.span(bound))
