"""How a library's layer changes the shape of what it is called with, as a step of a form: channels, strides, what a window takes off at the ends.

Two ways through a branch can then be compared where one goes through a layer and the other does not. A layer counts as changing the shape only
where its constructor says so: other channels, a stride, a window that is not padded. What is not known has no form.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import Form, stepped
from mindport.analysis.dynamic_shape.lasting import settings
from mindport.analysis.dynamic_shape.polynomials import definitions
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame

#: A layer's step: channels before and after as they are written (None: as many), the stride, what is lost at the ends.
_Change = tuple[str | None, str | None, int, int]
_KEPT: _Change = (None, None, 1, 0)
_KIND = "layer"


def formed(frame: Frame, node: ast.Call, name: str, base: Form | None) -> Form | None:
    """The form of what a layer gives, from the form of what it is given; None where it is not known."""
    tail = name.rpartition(".")[2]
    if base is None or tail in apis.KEEPING_LAYERS:
        return base
    made = _construction(frame, node.func)
    if made is None:
        return None
    change = _change(tail, *made)
    return _after(base, change) if change is not None else None


def _construction(frame: Frame, func: ast.expr) -> tuple[ast.Call, Facts] | None:
    """The only call that makes the layer a name or an attribute holds, and what is known where it stands."""
    if isinstance(func, ast.Call):
        return func, frame.routine.facts
    if isinstance(func, ast.Name):
        held = definitions(frame.routine.node).get(func.id)
        return (held, frame.routine.facts) if isinstance(held, ast.Call) else None
    if not isinstance(func, ast.Attribute):
        return None
    found: list[tuple[ast.expr | None, Facts]] = []
    for option in v.options(frame.fact(func.value)):
        for cls in option.cls.scope.mro if isinstance(option, v.ProjectInstance) else ():
            for method in cls.methods.values():
                routine = frame.engine.routines.get(id(method.node))
                if routine is not None:
                    found += [(value, routine.facts) for s in walk(method.node) for target, value in settings(s) if isinstance(target, ast.Attribute) and target.attr == func.attr]
    made, facts = found[0] if len(found) == 1 else (None, frame.routine.facts)
    return (made, facts) if isinstance(made, ast.Call) else None


def _change(tail: str, node: ast.Call, facts: Facts) -> _Change | None:
    """What a layer's constructor says of the shape; None where it does not say it."""
    order = next((words for kind, words in apis.CHANGING_LAYERS.items() if tail.rstrip("123d") == kind), None)
    if order is None or any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
        return None
    given = dict(zip(order, node.args, strict=False)) | {k.arg: k.value for k in node.keywords if k.arg}
    counted = "features" if "in_features" in order else "channels"
    before, after = (_text(given.get(f"{side}_{counted}"), facts) for side in ("in", "out"))
    if "kernel_size" not in order:
        return (before, after, 1, 0) if before and after else None
    kernel, padding, dilation = (_whole(given.get(word), facts, otherwise) for word, otherwise in (("kernel_size", None), ("padding", 0), ("dilation", 1)))
    stride = _whole(given.get("stride"), facts, kernel if "in_channels" not in order else 1)
    if isinstance(same := given.get("padding"), ast.Constant) and same.value == "same":
        padding, kernel = 0, 1
    if kernel is None or padding is None or dilation is None or stride is None:
        return None
    return before, after, stride, dilation * (kernel - 1) - 2 * padding


def _text(node: ast.expr | None, facts: Facts) -> str | None:
    if node is None:
        return None
    known = facts.value(node)
    return str(known.value) if isinstance(known, v.Const) else ast.unparse(node)


def _whole(node: ast.expr | None, facts: Facts, otherwise: int | None) -> int | None:
    """A number, the same along each axis."""
    if node is None:
        return otherwise
    if isinstance(node, (ast.Tuple, ast.List)):
        each = {_whole(part, facts, None) for part in node.elts}
        return each.pop() if len(each) == 1 else None
    known = facts.value(node)
    return known.value if isinstance(known, v.Const) and isinstance(known.value, int) else None


def _after(base: Form, change: _Change) -> Form | None:
    """The form behind a layer: one step, together with that of a layer before."""
    before, after, stride, lost = change
    if base[0] == "step" and base[2] == _KIND:
        first: _Change = base[3]  # type: ignore[assignment]
        base = base[1]  # type: ignore[assignment]
        stride, lost = first[2] * stride, first[3] + first[2] * lost
        if first[0] is not None and before is not None:
            if after != first[0] and not (after or "").isdigit():
                return None  # as many as at first, perhaps, under another name
            before = first[0]
        else:
            before, after = first[0] or before, first[1] if before is None else after
    if before == after:
        before = after = None
    together: _Change = (before, after, stride, lost)
    if together == _KEPT:
        return base
    made = stepped(_KIND, base, "")
    return None if made is None else (*made[:3], together)
