"""Tensors that others may hold views of, changed in place while gradients are recorded: MindSpore writes into new memory there.

``self.bank[i] = v`` in a forward pass, and ``first = bank[0]`` of before keeps the old numbers. Views that the same function makes are
made again (`aliasing`); those of attributes, callers and containers, and all of a file on the tape, see the change where the vendored
module has MindSpore's tensors store past the recording what has no gradient.
"""

from __future__ import annotations

import ast

from mindport.convert.aliasing.objects import path
from mindport.convert.context import Context
from mindport.convert.scopes import scope_of
from mindport.convert.training.names import FUNCTIONS, parameters
from mindport.convert.training.seen_gradients import are_taken
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.overlays.tensors import is_in_place

KNOWLEDGE, SETTING = "mindport.equivalents.unrecorded_stores", "STORES_AS_TORCH"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Have the vendored module set it, if this file may change such a tensor in a project that takes gradients."""
    if KNOWLEDGE not in context.shared.catalog.modules or not context.once(are_taken):
        return
    if any((changed := _changed(node)) is not None and _may_be_shared(context, changed) for node in context.file.nodes):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)


def _changed(node: ast.AST) -> ast.expr | None:
    """What a statement or call changes, past indices: ``self.bank`` of ``self.bank[0][1] = v`` and ``self.bank[0].mul_(2)``."""
    match node:
        case ast.Subscript(value=changed, ctx=ast.Store()) | ast.AugAssign(target=ast.Name() | ast.Attribute() as changed):
            pass
        case ast.Call(func=ast.Attribute(value=changed, attr=name)) if is_in_place(name):
            pass
        case _:
            return None
    while isinstance(changed, ast.Subscript):
        changed = changed.value
    return changed


def _may_be_shared(context: Context, changed: ast.expr) -> bool:
    """Whether it is a tensor that others may hold views of, which this function does not see."""
    if path(changed) is None or not any(isinstance(option, v.TensorValue) and not option.parameter for option in v.options(context.facts.value(changed))):
        return False
    if context.on_tape or isinstance(changed, ast.Attribute):
        return True
    scope = scope_of(context, changed)
    return isinstance(changed, ast.Name) and isinstance(scope, FUNCTIONS) and changed.id in parameters(scope)
