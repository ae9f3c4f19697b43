"""Transformations of functions: what ``torch.func.grad(f)(x)`` and ``torch.autograd.functional.hessian(f, x)`` call f with, and what they give."""

from __future__ import annotations

from typing import Any

from mindport.inference.arguments import Arguments
from mindport.inference.frame import Frame
from mindport.inference.overlays.callbacks import call_back
from mindport.inference.values import (
    NONE,
    Const,
    Mapping,
    Sequence,
    TensorValue,
    Transformed,
    Unknown,
    Value,
    options,
    values_of,
)

_MAPPING = frozenset(("torch.vmap", "torch.func.vmap"))
_DERIVATIVES = frozenset(f"torch.func.{name}" for name in ("grad", "grad_and_value", "jacrev", "jacfwd", "hessian"))
#: API → the name of its second argument, the function's inputs.
_DIRECT = {f"torch.autograd.functional.{name}": "inputs" for name in ("jacobian", "hessian", "vjp", "jvp", "hvp", "vhp")} | {"torch.func.jvp": "primals", "torch.autograd.gradcheck": "inputs"}
#: APIs whose inputs are all arguments behind the function.
_SPREAD = ("torch.func.vjp", "torch.utils.checkpoint.checkpoint")


def called(frame: Frame, node: Any, made: Transformed, arguments: Arguments) -> Value:
    """A call of what a transformation made: its function is called with the same arguments, under `vmap` with one axis less."""
    given = arguments if made.transform not in _MAPPING else Arguments(
        [_without_axis(value, made.numbers, place) for place, value in enumerate(arguments.positional)],
        {name: _without_axis(value, None, 0) for name, value in arguments.keywords.items()}, arguments.star, arguments.open,
    )  # fmt: skip
    result = call_back(frame, node, made.function, given)
    of_tensors = any(isinstance(option, TensorValue) for value in arguments.positional for option in options(value))
    unknown = Unknown(f"the result of what {made.transform} makes", "", of_tensors)
    if made.transform in _MAPPING:
        return TensorValue(result.dtype, None, likely=True) if isinstance(result, TensorValue) else unknown
    number = made.numbers.value if isinstance(made.numbers, Const) else None
    if made.has_aux or not isinstance(number, int) or not 0 <= number < len(arguments.positional):
        return unknown
    by = arguments.positional[number]
    if not made.transform.startswith("torch.func.grad"):
        return TensorValue(by.dtype, None, likely=by.likely) if isinstance(by, TensorValue) and isinstance(result, TensorValue) else unknown
    slope = _slope(by)
    if slope is None or made.transform != "torch.func.grad_and_value":
        return slope or unknown
    return Sequence("tuple", (slope, TensorValue(by.dtype if isinstance(by, TensorValue) else None, (), likely=True)))


def _slope(by: Value) -> Value | None:
    """A gradient by a tensor, or by the tensors of a dictionary, list or tuple; None where they are not known to be such."""
    match by:
        case TensorValue():
            return TensorValue(by.dtype, by.shape, likely=by.likely)
        case Mapping(items=items) if items is not None:
            slopes = [(key, _slope(value)) for key, value in items]
            return Mapping(tuple((key, value) for key, value in slopes if value is not None)) if all(value is not None for _, value in slopes) else None
        case Mapping(element=TensorValue() as element, named=()):
            return Mapping(None, TensorValue(element.dtype, None, likely=True))
        case Sequence(type=("list" | "tuple") as kind, items=items) if items is not None:
            parts = [_slope(item) for item in items]
            return Sequence(kind, tuple(part for part in parts if part is not None)) if all(part is not None for part in parts) else None
        case Sequence(type=("list" | "tuple") as kind, element=TensorValue() as element):
            return Sequence(kind, None, TensorValue(element.dtype, None, likely=True))
    return None


def _without_axis(value: Value, axes: Value | None, place: int) -> Value:
    """What one turn of a mapped function gets of an argument, by the axes that `vmap` is given: all where nothing else is known."""
    if isinstance(axes, Sequence) and axes.items is not None:
        axes = axes.items[place] if place < len(axes.items) else None
    if axes == NONE:
        return value
    match value:
        case TensorValue():
            return TensorValue(value.dtype, None, likely=True)
        case Sequence(items=items) if items is not None:
            return Sequence(value.type, tuple(_without_axis(item, None, 0) for item in items))
        case Sequence():
            return Sequence(value.type, None, _without_axis(value.element, None, 0))
        case Mapping():
            return Mapping(None, _without_axis(values_of(value), None, 0))
    return value


def _makes(name: str) -> Any:
    def made(frame: Frame, node: Any, arguments: Arguments) -> Value | None:
        function = arguments.get(0, "func")
        if function is None:  # ``@partial(vmap, in_dims=…)``
            return None
        numbers = arguments.get(1, "in_dims" if name in _MAPPING else "argnums")
        return Transformed(function, name, Const.of(0) if numbers is None else numbers, arguments.keywords.get("has_aux") is not None)

    return made


def _calls(name: str) -> Any:
    def called_now(frame: Frame, node: Any, arguments: Arguments) -> Value | None:
        function, inputs = arguments.get(0, "func"), arguments.get(1, _DIRECT[name])
        if function is None or inputs is None:
            return None
        if isinstance(inputs, Sequence):
            call_back(frame, node, function, Arguments(list(inputs.items)) if inputs.items is not None else Arguments([], {}, inputs.element))
            return None
        result = call_back(frame, node, function, Arguments([inputs]))
        is_plain = isinstance(inputs, TensorValue) and isinstance(result, TensorValue) and name.endswith((".jacobian", ".hessian"))
        return TensorValue(inputs.dtype, None, likely=inputs.likely) if is_plain else None  # type: ignore[union-attr]

    return called_now


def _calls_with_the_rest(name: str) -> Any:
    def called_now(frame: Frame, node: Any, arguments: Arguments) -> Value | None:
        if arguments.positional:
            call_back(frame, node, arguments.positional[0], Arguments(list(arguments.positional[1:]), {}, arguments.star))
        return None

    return called_now


FUNCTIONS = (
    {name: _makes(name) for name in (*_MAPPING, *_DERIVATIVES)} | {name: _calls(name) for name in _DIRECT} | {name: _calls_with_the_rest(name) for name in _SPREAD}
)  # fmt: skip
