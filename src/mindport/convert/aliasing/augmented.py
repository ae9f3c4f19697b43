"""``x += y``: a new tensor under the same name, a write into the tensor, or what only a run decides."""

from __future__ import annotations

import ast

from mindport.catalog import Entry
from mindport.convert.aliasing.consumed import is_consumed, is_counter
from mindport.convert.aliasing.kept_dtypes import is_whole, same_dtype
from mindport.convert.aliasing.objects import path
from mindport.convert.aliasing.place import Place
from mindport.convert.context import Context
from mindport.inference import values as v

#: Python's operators by the tensor method that an augmented assignment is.
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add_", ast.Sub: "sub_", ast.Mult: "mul_", ast.Div: "div_", ast.FloorDiv: "floor_divide_", ast.Mod: "remainder_",
    ast.Pow: "pow_", ast.BitAnd: "bitwise_and_", ast.BitOr: "bitwise_or_", ast.BitXor: "bitwise_xor_",
    ast.LShift: "bitwise_left_shift_", ast.RShift: "bitwise_right_shift_",
}  # fmt: skip
#: What Python's own methods for them are called: ``__add__``, ``__iadd__``.
_NAMES: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.Pow: "pow", ast.MatMult: "matmul",
    ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor", ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip
_IN_PLACE = "mindport.equivalents.augmented"
#: MindSpore's tensors have no operator for them.
_SHIFTS = (ast.LShift, ast.RShift)


def augmented(place: Place) -> str:
    """``x += y``: a new tensor under the same name, or a write into the tensor."""
    context, statement = place.context, place.mutation.statement
    assert isinstance(statement, ast.AugAssign)
    target = place.mutation.target
    plain = isinstance(target, ast.Name) and not place.mutation.detached and same_dtype(context, target, [statement.value])
    plain = plain and not (isinstance(statement.op, ast.Div) and is_whole(context, target))
    if place.verdict.kind == "rebind" and plain and not isinstance(statement.op, _SHIFTS):
        return ""
    if not v.is_tensor(context.facts.value(target)):
        if (isinstance(target, ast.Attribute) and is_consumed(context, target)) or (isinstance(target, ast.Name) and is_counter(context, target)):
            return ""
        return _at_run_time(place, statement) if place.verdict.others or place.verdict.kind == "write" else ""
    method = _OPERATORS.get(type(statement.op))
    entries = context.shared.catalog.find(f"torch.Tensor.{method}") if method else []
    if not entries:
        return place.verdict.others[0] if place.verdict.others else ""
    context.plan(statement, lambda: _as_call(context, statement, entries[0]), last=True)
    return ""


def _at_run_time(place: Place, statement: ast.AugAssign) -> str:
    """``x += y`` of something unknown that others may hold, too → ``x = changed_in_place("add", x, y)``."""
    context = place.context
    if not _may_stand_twice(statement.target) or place.verdict.sync or place.verdict.kind == "refuse" or _IN_PLACE not in context.shared.catalog.modules:
        return f"{(place.verdict.others or ['others may hold it'])[0]}, and whether it is a tensor shows only at run time"
    name = _NAMES[type(statement.op)]

    def work() -> None:
        target, value = (context.editing.current(*context.editing.span(part)) for part in (statement.target, statement.value))
        function = context.definition(_IN_PLACE, "changed_in_place")
        context.editing.replace(*context.editing.span(statement), f'{_assigned(context, statement.target, target)} = {function}("{name}", {target}, {value})')

    context.plan(statement, work, last=True)
    return ""


def _assigned(context: Context, target: ast.expr, text: str) -> str:
    """The place that is written again: `text`, or the attribute that stands before ``.data`` where its reading became a call (``p.grad.data += g``)."""
    return context.file.segment(target.value) if text.endswith(")") and isinstance(target, ast.Attribute) and path(target.value) is not None else text


def _may_stand_twice(target: ast.expr) -> bool:
    """Whether a target asks for nothing but names: a path, or what a container holds under one (``sums[name]``), which no second reading changes."""
    if not isinstance(target, ast.Subscript) or path(target) is not None:
        return path(target) is not None
    keys = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    return _may_stand_twice(target.value) and all(isinstance(key, ast.Constant) or path(key) is not None for key in keys)


def _as_call(context: Context, statement: ast.AugAssign, entry: Entry) -> None:
    texts = [context.editing.current(*context.editing.span(part)) for part in (statement.target, statement.value)]
    start, end = context.editing.span(statement)
    context.editing.replace(start, end, f"{context.vendored_name(entry)}({texts[0]}, {texts[1]})")
