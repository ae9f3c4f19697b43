"""``poses -= poses[:, :1]``, ``history[:, 1:] = history[:, :-1]``: the tensor is read while it is written.

torch goes through the elements one by one, so what comes behind is computed with elements that are changed by then: of the joints above the first one
alone becomes zero, and the others stay. Which elements that are depends on the memory; where torch can tell, it refuses. MindSpore computes the right side
before it stores anything, as whoever wrote the line means it; what is stored as it is, it copies one by one, too.

Not told: the same elements (``x *= x``), others as the index shows (``x[:, 1:] -= x[:, :1]``),
those that are read before their turn comes (``x[:, :-1] = x[:, 1:]``, ``x /= x[:, -1:]``), and what is computed first (``x -= x[:, :1] * 1``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.convert.aliasing.objects import Mutation, links, path
from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.overlays import storage
from mindport.inference.overlays.tensors import is_in_place
from mindport.source.literals import whole_number

Indices = list[ast.expr]


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Tell the statements whose right side is a view of what they change, of other elements."""
    for node in context.file.nodes:
        match node:
            case ast.AugAssign(target=target, value=value) if not isinstance(node.op, ast.MatMult):
                pass
            case ast.Assign(targets=[ast.Subscript() as target], value=value):
                pass
            case ast.Call(func=ast.Attribute(value=target, attr=name), args=[value, *_]) if is_in_place(name):
                pass
            case _:
                continue
        base, written = _view(target)
        other, read = _view(value)
        if base is None or base != other or not any(isinstance(kind, v.TensorValue) for kind in v.options(context.facts.value(_owner(target)))):
            continue
        if _basic(context, written) and _basic(context, read) and _overlap(written, read, _stores(node)):
            context.report("MP103", _why(value, _stores(node)), node, certainty="likely", risk="silent")


def tell_named_views(context: Context, mutations: Iterable[Mutation]) -> None:
    """The same of a view by its name: ``root = poses[:, :1]``, ``poses -= root``."""
    for mutation in mutations:
        statement = mutation.statement
        if not isinstance(statement, ast.AugAssign) or not isinstance(statement.value, ast.Name) or mutation.node not in (statement, statement.target):
            continue
        _, written = _view(statement.target)
        for one in mutation.names.get(statement.value.id, ()):
            taken = next((link.expression for link in links(one) if link.base in mutation.objects), None)
            read = [] if taken is None else _view(taken)[1]
            if read and _basic(context, written) and _basic(context, read) and _overlap(written, read, False):
                context.report("MP103", _why(statement.value, False), statement, certainty="likely", risk="silent")
                break


def _stores(node: ast.AST) -> bool:
    """Whether the right side is stored as it is."""
    return isinstance(node, ast.Assign) or isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in storage.STORING


def _why(value: ast.expr, stored: bool) -> str:
    text = ast.unparse(value)
    ours = f"so does MindSpore, in an order of its own: write `{text}.clone()`" if stored else f"MindSpore computes with what stood there before, as `{text}.clone()` would in torch"
    return f"torch reads `{text}` while it changes it, so that later elements get what earlier ones have become, or it refuses; {ours}"


def _owner(node: ast.expr) -> ast.expr:
    """What is indexed, or asked for a view."""
    while True:
        match node:
            case ast.Subscript(value=value):
                node = value
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in storage.RESHAPES or name in storage.VIEWS:
                node = value
            case _:
                return node


def _view(node: ast.expr) -> tuple[str | None, Indices]:
    """The path that an expression is a view of, and its index where it has one: ``x[:, 0].unsqueeze(1)``."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and (node.func.attr in storage.RESHAPES or node.func.attr in storage.VIEWS):
        node = node.func.value
    if not isinstance(node, ast.Subscript):
        return path(node), []
    return path(node.value), list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


def _basic(context: Context, indices: Indices) -> bool:
    """Whether an index takes a view: slices and whole numbers alone."""
    return all(isinstance(part, ast.Slice) or whole_number(part) is not None or v.is_int(context.facts.value(part)) or _is_whole(part) for part in indices)


def _is_whole(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and part.value is ...


def _overlap(written: Indices, read: Indices, stored: bool) -> bool:
    """Whether elements may be read that are changed by then: on no axis do the two lie apart, and on one they differ. What is `stored` at all places stays where it is."""
    pairs = _aligned(written, read)
    differing = [(one, other) for one, other in pairs if _differ(one, other)]
    return not any(_apart(one, other) for one, other in pairs) and not all(_in_time(one, other) or stored and _single(other) for one, other in differing)


def _aligned(written: Indices, read: Indices) -> list[tuple[ast.expr, ast.expr]]:
    """The parts of both indices by axis, from the front up to an ellipsis and from the back down to it."""
    front = _up_to_ellipsis(written), _up_to_ellipsis(read)
    back = _up_to_ellipsis(written[::-1]), _up_to_ellipsis(read[::-1])
    sides = [front, back] if any(map(_is_whole, [*written, *read])) else [front]
    return [(_part(first, axis), _part(second, axis)) for first, second in sides for axis in range(max(len(first), len(second)))]


def _part(indices: Indices, axis: int) -> ast.expr:
    return indices[axis] if axis < len(indices) else _EVERY


_EVERY: ast.expr = ast.Slice(None, None, None)


def _up_to_ellipsis(indices: Indices) -> Indices:
    place = next((i for i, part in enumerate(indices) if _is_whole(part)), len(indices))
    return indices[:place]


def _differ(one: ast.expr, other: ast.expr) -> bool:
    """Whether one has places that the other has not; two numbers are the same place or lie apart."""
    numbers = not isinstance(one, ast.Slice) and not isinstance(other, ast.Slice)
    return not numbers and ast.dump(one) != ast.dump(other)


def _in_time(written: ast.expr, read: ast.expr) -> bool:
    """Whether each place is read before it is written, from the front to the back: the last one, or those further behind."""
    match read:
        case ast.Slice(lower=ast.UnaryOp() as start, upper=None):
            return whole_number(start) == -1
        case ast.Slice():
            low, first = _start(read), _start(written) if isinstance(written, ast.Slice) else None
            return low is not None and first is not None and low > first >= 0 and not _single(read)
    return whole_number(read) == -1


def _single(part: ast.expr) -> bool:
    """Whether it is one place, which all others are computed with."""
    if not isinstance(part, ast.Slice):
        return True
    low, high = _start(part), None if part.upper is None else whole_number(part.upper)
    return low is not None and high == low + 1 and high != 0


def _start(part: ast.Slice) -> int | None:
    return 0 if part.lower is None else whole_number(part.lower)


def _apart(one: ast.expr, other: ast.expr) -> bool:
    """Whether they have no place in common, as far as the text shows."""
    return _ends_before(one, other) or _ends_before(other, one) or _by_turns(one, other)


def _ends_before(one: ast.expr, other: ast.expr) -> bool:
    end = one.upper if isinstance(one, ast.Slice) else one
    start = other.lower if isinstance(other, ast.Slice) else other
    if end is None or start is None:
        return False
    last, first = whole_number(end), whole_number(start)
    if last is None or first is None:
        return isinstance(one, ast.Slice) and ast.dump(end) == ast.dump(start)
    return (last < 0) == (first < 0) and last + (not isinstance(one, ast.Slice)) <= first


def _by_turns(one: ast.expr, other: ast.expr) -> bool:
    """``x[0::2]`` and ``x[1::2]``."""
    if not isinstance(one, ast.Slice) or not isinstance(other, ast.Slice) or one.step is None or other.step is None or ast.dump(one.step) != ast.dump(other.step):
        return False
    step = whole_number(one.step)
    starts = [_start(part) for part in (one, other)]
    return bool(step) and None not in starts and (starts[0] - starts[1]) % step != 0  # type: ignore[operator]
