"""``x.narrow(1, s, n).copy_(v)``, ``x.select(0, i).zero_()``: views that an index takes as well, so that ``x[:, s:s + n] = v`` stores into x.

MindSpore's views share memory only where no gradient is recorded (written_through.py); what is stored by an index reaches the tensor in every mode.
"""

from __future__ import annotations

import ast

from mindport.convert.aliasing.objects import path
from mindport.convert.context import Context
from mindport.convert.effects import effect
from mindport.inference.overlays import storage
from mindport.source.literals import whole_number

KNOWLEDGE = "mindport.equivalents.inplace_indexing"
NARROWED = "narrowed"


def is_indexed(view: ast.expr) -> bool:
    """Whether it is such a view of a name or path, along an axis that the text shows, and nothing happens where its arguments are read twice."""
    given = _given(view)
    whole = given is not None and path(view.func.value) is not None and whole_number(given[0]) is not None  # type: ignore[attr-defined]
    return whole and all(effect(part) != "effect" for part in given or ())


def index_text(context: Context, view: ast.expr) -> str:
    """The index that takes the view, of the arguments as they are written in the end: ``:, 0``, ``..., s:s + n``."""
    given = _given(view)
    assert given is not None
    axis = whole_number(given[0])
    assert axis is not None
    first, *rest = (context.editing.current(*context.editing.span(part)) for part in given[1:])
    if rest and not _counts_from_the_front(given[1]):
        return f"{context.definition(KNOWLEDGE, NARROWED)}({axis}, {first}, {rest[0]})"
    part = _slice(given[1], first, given[2], rest[0]) if rest else first
    return ", ".join([*[":"] * axis, part] if axis >= 0 else ["...", part, *[":"] * (-axis - 1)])


def _given(view: ast.expr) -> list[ast.expr] | None:
    """The arguments of the method, the axis first; None where it is another method, or one is missing or unpacked."""
    if not isinstance(view, ast.Call) or not isinstance(view.func, ast.Attribute) or view.func.attr not in storage.INDEXED:
        return None
    names = storage.INDEXED[view.func.attr]
    found = dict(zip(names, view.args, strict=False)) | {k.arg: k.value for k in view.keywords if k.arg is not None}
    whole = len(view.args) + len(view.keywords) == len(names) and set(found) == set(names)
    return [found[name] for name in names] if whole and not any(isinstance(one, ast.Starred) for one in view.args) else None


def _counts_from_the_front(start: ast.expr) -> bool:
    """Whether a number is seen not to be negative: ``x[-2:0]`` would be nothing, where the view is the last two."""
    return isinstance(start, ast.Constant) and isinstance(start.value, int)


def _slice(start: ast.expr, first: str, length: ast.expr, count: str) -> str:
    match start, length:
        case ast.Constant(value=0), _:
            return f":{count}"
        case ast.Constant(value=int(one)), ast.Constant(value=int(more)):
            return f"{first}:{one + more}"
    return f"{first}:{first} + {count}" if isinstance(length, (ast.Constant, ast.Name, ast.Attribute, ast.Call, ast.Subscript)) else f"{first}:{first} + ({count})"
