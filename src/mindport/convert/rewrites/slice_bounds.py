"""``x[:, : at + 1]`` becomes ``x[:, : int(at + 1)]`` where the bound is a tensor that has an axis: one of one element is a bound in PyTorch.

MindSpore takes a tensor without axes alone, and that stays as it is; so does what nothing is known of. A list takes the number as well.
An object with an index of its own (``batch[:, :longest]``) hands the slice on to where no text shows it: there a tensor of unknown axes is a number, too.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``int(…)`` around every such bound."""
    if not context.beside_torch() or "int" in context.imports.bound:
        return
    handed_on = {id(part) for node in context.file.nodes if isinstance(node, ast.Subscript) and _is_own(context.facts.value(node.value)) for part in ast.walk(node.slice)}
    for node in context.file.nodes:
        if isinstance(node, ast.Slice):
            for bound in (node.lower, node.upper, node.step):
                if bound is not None and _has_axes(context.facts.value(bound), id(node) in handed_on):
                    context.plan(bound, lambda b=bound: context.editing.wrap(b, "int"), last=True)  # type: ignore[misc]


def _has_axes(value: v.Value, or_unknown: bool) -> bool:
    """Whether it is a tensor with an axis, whatever way leads here, or one that may have."""
    kinds = v.options(value)
    if or_unknown:
        kinds = tuple(kind for kind in kinds if type(kind) is not v.Unknown)
    return bool(kinds) and all(isinstance(kind, v.TensorValue) and (bool(kind.shape) or or_unknown and kind.shape is None) for kind in kinds)


def _is_own(value: v.Value) -> bool:
    """Whether it may be an object of a class of the project's that is indexed by a method of its own."""
    kinds = v.options(value)
    return any(isinstance(kind, v.ProjectInstance) and any("__getitem__" in scope.names for scope in kind.cls.scope.mro) for kind in kinds)
