"""``torch.log2(x).floor()`` becomes ``exact_log2(x).floor()``: where the whole part of a logarithm counts, its last digit decides.

T5's buckets of relative positions and the levels of feature pyramids are made so. MindSpore's kernels on CPU are some units in the last place below
torch's at powers of the base, so that the floor of log2 differs for 18 of 25 powers of two (2.10, docs/differences/functions.md).
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.dtypes import WHOLE_CASTS
from mindport.convert.scopes import scope_of
from mindport.convert.training.cast_gradients import casts_to_whole
from mindport.convert.training.names import own_nodes
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.whole_logarithms"
_EXACT = {f"{owner}.{name}": f"exact_{name}" for owner in ("torch", "torch.Tensor") for name in ("log", "log2", "log10")}
#: Methods and functions that leave the whole part, and those that hand a number on.
_CUTTING = frozenset(("floor", "ceil", "trunc", "fix", "round", "floor_", "ceil_", "trunc_", "round_", "int")) | WHOLE_CASTS
_PASSING = frozenset(("item", "clamp", "clamp_min", "clamp_max", "clip", "unsqueeze", "squeeze", "view", "reshape", "float", "cpu", "detach", "add", "sub", "mul", "div", "max", "min", "maximum", "minimum"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan it for the calls whose results become whole numbers in the same function."""
    for same_place in uses.values():
        use = same_place[0]
        call = use.node
        if len(same_place) > 1 or use.name not in _EXACT or not isinstance(call, ast.Call) or (operand := _operand(use, call)) is None:
            continue
        if _becomes_whole(context, call, frozenset()):
            context.plan(call, lambda c=call, o=operand, n=_EXACT[use.name]: _write(context, c, o, n), last=2)  # type: ignore[misc]


def _operand(use: Use, call: ast.Call) -> ast.expr | None:
    """What the logarithm is taken of, where nothing else is given."""
    match call:
        case ast.Call(func=ast.Attribute(value=receiver), args=[], keywords=[]) if use.name.startswith("torch.Tensor."):
            return receiver
        case ast.Call(args=[ast.expr() as given], keywords=[]) | ast.Call(args=[], keywords=[ast.keyword(arg="input", value=given)]) if not use.name.startswith("torch.Tensor."):
            return None if isinstance(given, ast.Starred) else given
    return None


def _becomes_whole(context: Context, node: ast.expr, seen: frozenset[str]) -> bool:
    """Whether the function goes on with the whole part of a value."""
    parent = context.parents.get(id(node))
    match parent:
        case ast.BinOp(op=ast.FloorDiv(), left=left):
            return left is node
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div()) | ast.UnaryOp(op=ast.USub() | ast.UAdd()):
            return _becomes_whole(context, parent, seen)
        case ast.Attribute(attr=name):
            call = context.parents.get(id(parent))
            if not isinstance(call, ast.Call) or call.func is not parent:
                return False
            return name in _CUTTING or casts_to_whole(context, call) is node or name in _PASSING and _becomes_whole(context, call, seen)
        case ast.Call(func=ast.Name(id="int" | "round")):
            return True
        case ast.Call(func=ast.Attribute(attr=name)) if node in parent.args:
            return name in _CUTTING or name in _PASSING and _becomes_whole(context, parent, seen)
        case ast.Assign(targets=[ast.Name(id=name)]) if name not in seen:
            reads = (part for part in own_nodes(scope_of(context, node)) if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load))
            return any(_becomes_whole(context, part, seen | {name}) for part in reads)
    return False


def _write(context: Context, call: ast.Call, operand: ast.expr, name: str) -> None:
    editing = context.editing
    editing.replace(*editing.span(call), f"{context.definition(KNOWLEDGE, name)}({editing.current(*editing.span(operand))})")
