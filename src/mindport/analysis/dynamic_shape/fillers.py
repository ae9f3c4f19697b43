"""Tensors that are joined with as much as they lack: ``cat((x, zeros(b, n - x.size(1))), 1)`` is as long as `n` says, whatever `x` was."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape.abstract import Abstract, Source
from mindport.analysis.dynamic_shape.polynomials import definitions, earlier
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame

#: Names are followed so far.
_DEEP = 3


def filled_up(frame: Frame, node: ast.Call) -> frozenset[Source]:
    """The sources of what a call joins that it ends: those of a part that another fills up."""
    from mindport.analysis.dynamic_shape.expressions import evaluate

    parts = node.args[0].elts if node.args and isinstance(node.args[0], (ast.Tuple, ast.List)) else []
    ended: frozenset[Source] = frozenset()
    if tail_and_head(frame, node):
        return frozenset(s for part in parts for s in evaluate(frame, part).shape if s.cause in ("size", "turn"))
    for part in parts:
        for other in parts:
            total = _lacking(frame, other, ast.unparse(part), _DEEP) if other is not part else None
            if total is not None:
                ended |= evaluate(frame, part).shape - evaluate(frame, total).shape
    return ended


def tail_and_head(frame: Frame, node: ast.Call) -> bool:
    """``cat((x[at:], x[:rest]))``: the end of one and the beginning of what follows, as a rule one as long as the other is short."""
    parts = node.args[0].elts if node.args and isinstance(node.args[0], (ast.Tuple, ast.List)) else []
    known = definitions(frame.routine.node)
    cuts = [made.slice.elts[-1] if isinstance(made.slice, ast.Tuple) else made.slice for part in parts if isinstance(made := known.get(part.id, part) if isinstance(part, ast.Name) else part, ast.Subscript)]
    if len(cuts) != 2 or len(parts) != 2:
        return False
    tail, head = cuts
    return isinstance(tail, ast.Slice) and isinstance(head, ast.Slice) and tail.lower is not None and tail.upper is None and head.upper is not None and (head.lower is None or isinstance(head.lower, ast.Constant))


def _lacking(frame: Frame, node: ast.expr, what: str, deep: int) -> ast.expr | None:
    """`n` where an expression is made with ``n - x.size(1)`` of `what` x."""
    for inner in walk(node):
        if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Sub) and _measures(inner.right, what, frame):
            return inner.left
        if isinstance(inner, ast.Name) and deep and inner.id != what:
            made = definitions(frame.routine.node).get(inner.id) or earlier(frame.routine.node, inner)
            found = _lacking(frame, made, what, deep - 1) if made is not None else None
            if found is not None:
                return found
    return None


def _measures(node: ast.expr, what: str, frame: Frame) -> bool:
    """``x.size(1)``, ``x.shape[1]`` or ``len(x)`` of `what` x, also under a name."""
    if isinstance(node, ast.Name):
        node = definitions(frame.routine.node).get(node.id, node)
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Attribute) and node.value.attr == "shape" and ast.unparse(node.value.value) == what
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "size" and ast.unparse(node.func.value) == what
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "len" and bool(node.args) and ast.unparse(node.args[0]) == what


def as_long(merged: Abstract, one: Abstract, other: Abstract) -> Abstract:
    """Behind ``if n != longest: x = cat((x, zeros(longest - n)))``: both ways are as long as the longer."""
    return replace(merged, shape=one.shape & other.shape) if one.tensor and other.tensor else merged
