"""Tensors: dtypes, shapes and results that torch's stubs do not state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindport.inference.values import Builtin, Const, Instance, Sequence, TensorValue, Value

_INT = Builtin("int")


def _shape(value: TensorValue) -> Value:
    if value.shape is None:
        return Sequence("torch.Size", None, _INT)
    return Sequence("torch.Size", tuple(Const.of(d) if isinstance(d, int) else _INT for d in value.shape))


def _transposed(value: TensorValue) -> Value:
    return TensorValue(value.dtype, value.shape[::-1] if value.shape is not None else None)


def _ndim(value: TensorValue) -> Value:
    return Const.of(len(value.shape)) if value.shape is not None else _INT


def _dtype(value: TensorValue) -> Value:
    return Instance("torch.dtype")


#: Attributes of a tensor whose value follows from the tensor's.
ATTRIBUTES: dict[str, Callable[[TensorValue], Value]] = {
    "shape": _shape,
    "T": _transposed,
    "mT": lambda value: TensorValue(value.dtype),
    "H": lambda value: TensorValue(value.dtype),
    "ndim": _ndim,
    "dtype": _dtype,
    "data": lambda value: TensorValue(value.dtype, value.shape),
    "device": lambda value: Instance("torch.device"),
    "layout": lambda value: Instance("torch.layout"),
    "real": lambda value: TensorValue(),
    "imag": lambda value: TensorValue(),
}

#: Methods that convert to a fixed dtype.
CONVERSIONS: dict[str, str] = {
    "float": "torch.float32", "double": "torch.float64", "half": "torch.float16", "bfloat16": "torch.bfloat16",
    "long": "torch.int64", "int": "torch.int32", "short": "torch.int16", "char": "torch.int8", "byte": "torch.uint8",
    "bool": "torch.bool", "cfloat": "torch.complex64", "cdouble": "torch.complex128",
}  # fmt: skip

#: Results whose dtype does not depend on the operands.
RESULT_DTYPES: dict[str, str] = {
    "argmax": "torch.int64", "argmin": "torch.int64", "argsort": "torch.int64", "nonzero": "torch.int64", "argwhere": "torch.int64",
    "eq": "torch.bool", "ne": "torch.bool", "lt": "torch.bool", "le": "torch.bool", "gt": "torch.bool", "ge": "torch.bool",
    "isnan": "torch.bool", "isinf": "torch.bool", "isfinite": "torch.bool", "logical_and": "torch.bool",
    "logical_or": "torch.bool", "logical_not": "torch.bool", "logical_xor": "torch.bool", "isclose": "torch.bool",
    "one_hot": "torch.int64", "randperm": "torch.int64", "bincount": "torch.int64", "searchsorted": "torch.int64",
    "bucketize": "torch.int64", "multinomial": "torch.int64",
}  # fmt: skip

#: Results that have the first operand's dtype, and its shape where it is True.
SAME_DTYPE: dict[str, bool] = {
    "view": False, "reshape": False, "flatten": False, "transpose": False, "permute": False, "squeeze": False,
    "unsqueeze": False, "expand": False, "expand_as": False, "repeat": False, "contiguous": True, "clone": True,
    "detach": True, "relu": True, "clamp": True, "clip": True, "abs": True, "neg": True, "narrow": False, "select": False,
    "index_select": False, "gather": False, "masked_select": False, "roll": True, "flip": True, "movedim": False,
    "t": False, "swapaxes": False, "unfold": False, "chunk": False, "cumsum": False, "masked_fill": True, "tril": True,
    "triu": True, "diagonal": False, "unflatten": False, "cpu": True, "cuda": True, "requires_grad_": True, "zeros_like": True,
    "ones_like": True, "empty_like": True, "rand_like": True, "randn_like": True, "full_like": True, "softmax": True,
    "log_softmax": True, "dropout": True, "sort": False, "topk": False, "split": False, "unbind": False,
}  # fmt: skip

#: Functions of one sequence of tensors that give one tensor of their dtype.
JOINING = frozenset(("cat", "concat", "concatenate", "stack", "hstack", "vstack", "dstack", "column_stack", "row_stack"))

#: Results that have the first operand's dtype where that is a floating one.
FLOATING_DTYPE = frozenset((
    "sqrt", "rsqrt", "exp", "log", "sin", "cos", "tan", "tanh", "sigmoid", "square", "reciprocal", "cumprod", "sum", "mean", "prod", "std", "var",
))  # fmt: skip

#: Those of them, and of the ones before, that give int64 for whole numbers and truth values.
COUNTING = frozenset(("sum", "prod", "cumsum", "cumprod"))

#: Methods and functions that return a sequence of tensors, whatever the stub says.
SEQUENCES = frozenset(("split", "chunk", "unbind", "tensor_split", "hsplit", "vsplit", "dsplit", "split_with_sizes", "meshgrid",
                       "broadcast_tensors", "unsafe_chunk", "unsafe_split"))  # fmt: skip

#: Methods that return a view of the receiver's storage (always, or where strides allow it).
VIEWS = frozenset(
    ["view", "reshape", "flatten", "transpose", "permute", "squeeze", "unsqueeze", "expand", "expand_as", "narrow", "select", "t", "T", "mT", "H", "swapaxes", "swapdims", "movedim", "moveaxis", "unfold", "chunk", "split", "unbind", "diagonal", "unflatten", "view_as", "view_as_real", "view_as_complex", "real", "imag", "detach", "data", "contiguous", "to", "float", "double", "half", "long", "int", "bool", "type", "type_as", "tensor_split", "hsplit", "vsplit", "dsplit", "split_with_sizes", "adjoint", "as_strided", "ravel", "expand_copy", "numpy", "__getitem__"]
)


def depends_on_weights(short: str, arguments: Any, place: int) -> bool:
    """Whether a function that counts adds weights up instead, in their dtype: ``bincount(x, weights)``; ``out_int32`` gives int32.

    `place`: of the weights among the positional arguments.
    """
    return bool((short == "bincount" and (len(arguments.positional) > place or "weights" in arguments.keywords)) or "out_int32" in arguments.keywords)


def kept_dtype(short: str, dtype: str | None) -> str | None:
    """The dtype of a result that has its operand's; sums of whole numbers and truth values are int64."""
    return "torch.int64" if short in COUNTING and dtype is not None and "float" not in dtype and "complex" not in dtype else dtype


def of_all(short: str, arguments: Any, more: int) -> bool:
    """Whether it is the extreme of all elements, in their dtype: with `more` arguments there is an axis or a second tensor."""
    return short in ("max", "min", "amax", "amin") and len(arguments.positional) == more and not arguments.keywords and arguments.star is None


def floating_dtype(short: str, operand: TensorValue) -> str | None:
    """The dtype of a result that has its operand's where that is a floating one; sums and products of whole numbers and truth values are int64."""
    if operand.dtype is None or short not in FLOATING_DTYPE:
        return None
    return operand.dtype if "float" in operand.dtype else "torch.int64" if short in COUNTING and "complex" not in operand.dtype else None


def is_view(name: str) -> bool:
    """Whether a canonical name is a tensor method, attribute or function whose result may share its operand's storage."""
    return name.rpartition(".")[2] in VIEWS and name.count(".") == (2 if name.startswith("torch.Tensor.") else 1)


def is_in_place(name: str) -> bool:
    """Whether a tensor method changes its receiver: torch's naming rule."""
    return name.endswith("_") and not name.endswith("__") and name != "requires_grad_"
