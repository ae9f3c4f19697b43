"""dtypes and axes of tensors that are made of Python's numbers: ``torch.tensor([1, 2])``, ``torch.arange(n)``, ``torch.full(size, 0)``.

Whole numbers give int64, truth values bool; floats give the default dtype, which a program may set, and stay open.
"""

from __future__ import annotations

from typing import Any

from mindport.inference import torchfacts
from mindport.inference.overlays import arrays
from mindport.inference.values import Api, Builtin, Const, Dim, Sequence, TensorValue, Value

_KINDS = {int: "int", bool: "bool", float: "float", complex: "complex"}
_DTYPES = {"int": "torch.int64", "bool": "torch.bool"}
#: What torch takes for a dtype of its own.
PYTHON = {"builtins.bool": "torch.bool", "builtins.int": "torch.int64", "builtins.float": "torch.float64", "builtins.complex": "torch.complex128"}
#: What makes tensors of the default dtype, unless another one is asked for.
MADE_USUAL = frozenset(f"torch.{name}" for name in ("empty", "ones", "zeros", "rand", "randn", "linspace", "eye"))
#: What makes a tensor of the numbers that it is given, in their dtype.
OF_DATA = "torch.tensor"
_ORDER = ("bool", "int", "float", "complex")


def made_of_data(arguments: Any) -> Value:
    """``torch.tensor(data)`` and ``torch.as_tensor(data)`` of numbers, and of lists and tuples of them."""
    data = arguments.get(0, "data")
    if (of_array := arrays.as_tensor(arguments)) is not None:
        return of_array
    return _made(arguments, _kind(data, 0), _axes(data, 0))


def arranged(arguments: Any) -> Value:
    """``torch.arange``: whole numbers where all bounds are."""
    bounds = [*arguments.positional, *(arguments.keywords[k] for k in ("start", "end", "step") if k in arguments.keywords)]
    return _made(arguments, "int" if bounds and all(_kind(b, 1) == "int" for b in bounds) else "", (None,))


def filled(arguments: Any) -> Value:
    """``torch.full(size, value)``: the dtype of the value."""
    value = arguments.get(1, "fill_value")
    return _made(arguments, _kind(value, 1), None)


def drawn(arguments: Any) -> Value:
    """``torch.randint(low, high, size)``: whole numbers, of as many axes as the size has numbers."""
    size = arguments.keywords.get("size") or next((value for value in reversed(arguments.positional) if isinstance(value, Sequence)), None)
    items = size.items if isinstance(size, Sequence) else None
    return _made(arguments, "int", None if items is None else (None,) * len(items))


def _made(arguments: Any, kind: str, shape: tuple[Dim, ...] | None) -> TensorValue:
    given = arguments.keywords.get("dtype")
    if given is None:
        return TensorValue(_DTYPES.get(kind), shape)
    return TensorValue(dtype_of(given), shape)


def dtype_of(given: Value) -> str | None:
    """The dtype that an argument names: one of torch's, or a type of Python's."""
    if not isinstance(given, Api):
        return None
    api = torchfacts.lookup(given.name)
    return given.name if api is not None and api.type == "torch.dtype" else PYTHON.get(given.name)


def _kind(value: Value | None, depth: int) -> str:
    """"int", "bool", "float" or "complex"; "" where that is not known."""
    match value:
        case Const(kind=kind):
            return _KINDS.get(kind, "")
        case Builtin(type=name):
            return name if name in _ORDER else ""
        case Sequence(type="list" | "tuple", items=items, element=element) if depth < 4:
            if items is None:
                return _kind(element, depth + 1)
            kinds = {_kind(item, depth + 1) for item in items}
            return max(kinds, key=_ORDER.index) if kinds and "" not in kinds else ""
    return ""


def _axes(value: Value | None, depth: int) -> tuple[Dim, ...] | None:
    """The axes of a tensor of numbers in lists; None where they are not known."""
    match value:
        case Const() | Builtin():
            return () if _kind(value, 0) else None
        case Sequence(type="list" | "tuple", items=items, element=element) if depth < 4:
            inner = {_axes(item, depth + 1) for item in (items if items is not None else [element])}
            axes = inner.pop() if len(inner) == 1 else None
            return axes if axes is None else (None, *axes)  # a list may have grown
    return None
