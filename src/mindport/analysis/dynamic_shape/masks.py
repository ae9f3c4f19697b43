"""Boolean masks: by the type of what computes them, by what keeps one, and by the names of what has no type."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import Abstract, element_of
from mindport.inference import values as v
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.calls import Given
    from mindport.analysis.dynamic_shape.statements import Frame


def named(name: str) -> bool:
    """Whether a name speaks of a mask, not of places: ``pad_mask``, but not ``mask_ids``."""
    words = name.lower().split("_")
    return any(word in words for word in apis.MASK_WORDS) and words[-1] not in apis.PLACE_WORDS


def by_name(name: str, value: Abstract, fact: v.Value) -> Abstract:
    """A value of unknown kind under a name that speaks of a mask: as an index it can only be one."""
    if value.mask or value.array or value.sample or value.items is not None or value.keyed is not None or value.element is not None or not named(name):
        return value
    unknown = all(isinstance(o, v.Unknown) or o == v.NONE or isinstance(o, v.TensorValue) and o.dtype is None for o in v.options(fact))
    return replace(value, mask=True) if unknown else value


def unpacked_of_a_call(nodes: Iterable[ast.AST], name: str) -> bool:
    """Whether a name is bound once, as one of several that a call gives: ``states, alive = collect()``."""
    bound = [n for n in nodes if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)]
    return len(bound) == 1 and any(isinstance(n, ast.Assign) and isinstance(n.value, ast.Call) and isinstance(n.targets[0], ast.Tuple) and bound[0] in n.targets[0].elts for n in nodes)


def used_as_masks(node: ast.AST) -> frozenset[str]:
    """Names that a function uses as only masks are used: ``~keep``, ``if keep.all()``, ``torch.where(keep, a, b)``, ``x.masked_fill(keep, 0)``."""
    found: set[str] = set()
    for inner in walk(node):
        held: ast.expr | None = None
        if isinstance(inner, ast.UnaryOp) and isinstance(inner.op, ast.Invert):
            held = inner.operand
        elif isinstance(inner, (ast.If, ast.While, ast.IfExp)):
            test = inner.test.operand if isinstance(inner.test, ast.UnaryOp) and isinstance(inner.test.op, ast.Not) else inner.test
            tested = isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute) and apis.FUNCTION + test.func.attr in apis.TESTS and not test.args and not test.keywords
            held = test.func.value if tested else None  # type: ignore[attr-defined]
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.args:
            name = apis.FUNCTION + inner.func.attr
            if name in apis.CHOOSING and len(inner.args) == 3 or name in apis.BY_MASKS and len(inner.args) < 3:
                held = inner.args[0]
            elif name in apis.BY_MASKS:
                held = inner.args[1]
        if isinstance(held, ast.Name):
            found.add(held.id)
    return frozenset(found)


def by_use(name: str, used: frozenset[str], value: Abstract, fact: v.Value) -> Abstract:
    """A value of unknown kind that is used as only a mask is."""
    if name not in used or value.mask or value.array or value.sample or value.items is not None or value.keyed is not None or value.element is not None:
        return value
    unknown = all(isinstance(o, v.Unknown) or o == v.NONE or isinstance(o, v.TensorValue) and o.dtype is None for o in v.options(fact))
    return replace(value, mask=True) if unknown else value


def computed(node: ast.Call, plain: str, given: Given, dimensioned: bool) -> bool:
    """Whether an API gives a mask: it tests, or it keeps what it is given."""
    if plain in apis.TRUTH_FUNCTIONS or plain in apis.TESTS and dimensioned:
        return True
    first = given.positional[0] if given.positional else None
    if plain in apis.CASTS:
        kind = ast.unparse(node.args[-1]) if node.args else next((ast.unparse(k.value) for k in node.keywords if k.arg == "dtype"), "")
        if kind.endswith("bool") or kind.endswith("BoolTensor'"):
            return True
        return first is not None and first.mask and kind.rpartition(".")[2] not in apis.KINDS
    if first is None or plain not in apis.MASK_KEEPING:
        return False
    return first.mask or not first.tensor and (first.element is not None or first.items is not None) and element_of(first).mask


def inverted(frame: Frame, node: ast.UnaryOp, operand: Abstract) -> Abstract | None:
    """``~keep`` of something unknown: truth values are inverted, as a rule."""
    if not isinstance(node.op, ast.Invert) or operand.items is not None or operand.element is not None:
        return None
    inner = frame.fact(node.operand)
    unknown = isinstance(inner, v.Unknown) or isinstance(inner, v.TensorValue) and inner.dtype in (None, torch_names.BOOL)
    return replace(operand, mask=True) if unknown else None
