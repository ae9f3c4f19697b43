"""Ways through a function whose results have different shapes, where values decide which is taken."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape.abstract import Abstract, differ
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame


def read_after(frame: Frame, node: ast.If, name: str) -> bool:
    """Whether something reads a name behind an if, or in the next turn of the loop around before it is bound anew."""
    end = (node.end_lineno or 0, node.end_col_offset or 0)
    first: ast.Name | None = None
    for inner in frame.routine.nodes:
        if isinstance(inner, ast.Name) and inner.id == name:
            if isinstance(inner.ctx, ast.Load) and (inner.lineno, inner.col_offset) >= end:
                return True
            inside = frame.loops and (frame.loops[-1].lineno, 0) <= (inner.lineno, inner.col_offset) < end
            if inside and (first is None or inner.lineno < first.lineno):
                first = inner
    if first is None or not isinstance(first.ctx, ast.Load):
        return False
    return bool(frame.loops)


def pads_to_the_other(node: ast.If) -> bool:
    """``if n != longest: x = cat((x, zeros(longest - n)))``: behind it the one way is as long as the other was."""
    if not isinstance(node.test, ast.Compare) or len(node.test.comparators) != 1:
        return False
    sizes = {ast.unparse(node.test.left), ast.unparse(node.test.comparators[0])}
    parts = [inner for statement in [*node.body, *node.orelse] for inner in walk(statement)]
    return any(isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Sub) and {ast.unparse(inner.left), ast.unparse(inner.right)} == sizes for inner in parts)


def asks_how_many(node: ast.expr) -> bool:
    """``keep.shape[0] == 0``: a shape decides, and what made that change is told already."""
    if not isinstance(node, ast.Compare) or len(node.comparators) != 1 or not isinstance(node.comparators[0], ast.Constant):
        return False
    left = node.left
    return isinstance(left, ast.Subscript) and isinstance(left.value, ast.Attribute) and left.value.attr == "shape"


def branch(frame: Frame, node: ast.AST, merged: Abstract, what: str, *parts: Abstract) -> Abstract:
    """The value behind a branch, whose shape depends on the way taken; the source is noted."""
    for part in parts:
        frame.use(part)
    source = frame.engine.source(
        "MP203", "branch", frame.routine, node,
        f"the branches give {what} different shapes, and which one runs is decided by values", "control flow",
    )  # fmt: skip
    source.used = not source.in_data
    return replace(merged, shape=merged.shape | {source}, form=None)


def early_returns(frame: Frame) -> None:
    """Returns under a data-dependent if against those on the other side of it."""
    for node in dict.fromkeys(guard[0] for _, guards in frame.returns for guard in guards):
        inside = [value for value, guards in frame.returns if (node, True) in guards]
        outside = [value for value, guards in frame.returns if (node, True) not in guards]
        pairs = [(a, b) for a in inside for b in outside if _returns_differ(a, b, node in frame.by_shape)]
        if pairs:
            branch(frame, node, pairs[0][0], "the result", *pairs[0])


def _returns_differ(a: Abstract, b: Abstract, by_shape: bool) -> bool:
    if a.items is not None and b.items is not None and len(a.items) == len(b.items):
        return any(differ(x, y, by_shape) for x, y in zip(a.items, b.items, strict=True))
    return differ(a, b, by_shape)


def ended_by_sizes(frame: Frame, node: ast.If) -> bool:
    """``for t in turns: … if used + t.numel() > most: break``: nobody adds up equal sizes up to a limit."""
    loop = frame.loops[-1] if frame.loops else None
    if not isinstance(loop, ast.For) or not any(isinstance(s, ast.Break) for s in node.body) or frame.routine.prepares_data:
        return False
    items = {n.id for n in walk(loop.target) if isinstance(n, ast.Name)}
    added = [n for n in walk(node.test) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Add)]
    return any(_size_of(n) in items for each in added for n in walk(each))


def _size_of(node: ast.AST) -> str:
    """The name that ``len(t)``, ``t.numel()``, ``t.size(0)`` or ``t.shape`` measures."""
    held: ast.AST | None = None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1:
        held = node.args[0]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("numel", "size", "nelement"):
        held = node.func.value
    elif isinstance(node, ast.Attribute) and node.attr == "shape":
        held = node.value
    return held.id if isinstance(held, ast.Name) else ""
