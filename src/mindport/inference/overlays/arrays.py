"""NumPy's arrays, of which only this is followed: whether they hold float64, NumPy's usual dtype, which tensors made of them keep."""

from __future__ import annotations

from typing import Any

from mindport.inference.values import (
    Api,
    Builtin,
    Const,
    Instance,
    Sequence,
    TensorValue,
    Unknown,
    Value,
    is_tensor,
    options,
)

_CLASS, _DOUBLE = "numpy.ndarray", Api("numpy.float64")
#: An array, or a number of NumPy's, of a dtype that is not known.
ARRAY = Instance(_CLASS, likely=True)
#: One of float64.
FLOAT64 = Instance(_CLASS, likely=True, element=_DOUBLE)
#: What makes an array of its index: ``np.r_[:2, 4:n]``.
INDEXED = frozenset(("numpy.r_", "numpy.c_", "numpy.mgrid"))
#: What NumPy makes of float64 unless told otherwise.
_MADE = frozenset(f"numpy.{name}" for name in (
    "linspace", "logspace", "geomspace", "zeros", "ones", "empty", "eye", "identity", "float64", "double", "random.randn", "random.rand",
    "random.random", "random.normal", "random.uniform", "random.standard_normal", "random.random_sample", "hanning", "hamming", "blackman",
))  # fmt: skip
#: What has the dtype of the arrays it is made from: arguments that are float64 give float64.
_KEEPING = frozenset(f"numpy.{name}" for name in (
    "sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "sin", "cos", "tan", "tanh", "arctan", "abs", "power", "square", "cumprod", "cumsum",
    "append", "concatenate", "clip", "maximum", "minimum", "flip", "sum", "mean", "std", "var", "prod", "diff", "multiply", "add", "subtract", "divide",
    "reshape", "transpose", "stack", "full_like", "zeros_like", "ones_like", "copy", "asarray", "ascontiguousarray",
))  # fmt: skip
#: NumPy's universal functions that people call on tensors.
UNIVERSAL = frozenset(
    ["absolute", "abs", "add", "arctan", "arctan2", "ceil", "cos", "cosh", "deg2rad", "divide", "exp", "exp2", "expm1", "floor", "hypot", "log", "log10", "log1p", "log2", "maximum", "minimum", "multiply", "negative", "power", "rad2deg", "reciprocal", "sign", "sin", "sinh", "sqrt", "square", "subtract", "tan", "tanh", "true_divide"]
)
#: What torch's tensors make tensors of that share nothing with them: these, and functions that ask for a method of their name (measured).
WRAPPED = UNIVERSAL | frozenset(["argmax", "argmin", "argsort", "around", "clip", "cumprod", "cumsum", "matmul", "repeat", "round"])
_PLACES = frozenset(["argmax", "argmin", "argsort"])
#: Methods of arrays whose result has the array's dtype.
_METHODS = frozenset((
    "copy", "reshape", "transpose", "flatten", "ravel", "squeeze", "clip", "cumsum", "cumprod", "sum", "mean", "std", "var", "prod", "max", "min", "repeat",
    "take", "swapaxes", "dot", "round",
))  # fmt: skip
#: Streams of random numbers, and what they draw as float64.
_STREAM = "numpy.random.Generator"
_STREAMS = frozenset(("numpy.random.RandomState", "numpy.random.default_rng", _STREAM))
_DRAWN = frozenset((
    "rand", "randn", "random", "random_sample", "normal", "uniform", "standard_normal", "beta", "exponential", "gamma", "laplace", "lognormal", "dirichlet",
    "multivariate_normal",
))  # fmt: skip
_TYPES = (_DOUBLE, Api("numpy.double"), Api("builtins.float"), Const.of("float64"))


def called(name: str, arguments: Any) -> Instance | TensorValue:
    """What a function of NumPy gives."""
    if (tensor := _wrapped(name.removeprefix("numpy."), arguments)) is not None:
        return tensor
    if name in _STREAMS:
        return Instance(_STREAM)
    given = arguments.keywords.get("dtype")
    if given is not None:
        return FLOAT64 if given in _TYPES else ARRAY
    if name in _MADE and (name not in ("numpy.zeros", "numpy.ones", "numpy.empty") or len(arguments.positional) == 1):
        return FLOAT64
    if name in _KEEPING:
        held = [one for value in arguments.positional for one in ([value] if not isinstance(value, Sequence) else value.items or ())]
        double = [is_float64(one) or isinstance(one, TensorValue) and one.dtype == "torch.float64" for one in held]
        return FLOAT64 if any(double) and all(d or _is_number(o) for d, o in zip(double, held, strict=True)) else ARRAY
    if name == "numpy.array" and len(arguments.positional) == 1 and _holds_floats(arguments.positional[0]):
        return FLOAT64
    if name == "numpy.arange" and any(_is_float(value) for value in arguments.positional):
        return FLOAT64
    return ARRAY


def _wrapped(name: str, arguments: Any) -> TensorValue | None:
    """``np.log(x)`` of a tensor, which torch makes a tensor of again; None for what is none."""
    if name not in WRAPPED or "out" in arguments.keywords or not any(map(is_tensor, arguments.positional)):
        return None
    likely = any(o.likely for value in arguments.positional for o in options(value) if isinstance(o, TensorValue))
    if name in _PLACES:
        return TensorValue("torch.int64", likely=likely)
    kinds = {o.dtype if isinstance(o, TensorValue) else None for o in arguments.positional if not _is_number(o)}
    kept = kinds <= {"torch.float32"} or kinds <= {"torch.float64"}
    return TensorValue(kinds.pop() if kept and kinds and "dtype" not in arguments.keywords else None, likely=likely)


def of_method(receiver: Instance, short: str, arguments: Any) -> Value | None:
    """What a method of an array, or of a stream of random numbers, gives; None for what is neither."""
    if receiver.cls == _STREAM:
        return FLOAT64 if short in _DRAWN and arguments.keywords.get("dtype", _DOUBLE) in _TYPES else ARRAY
    if receiver.cls != _CLASS:
        return None
    if short == "astype":
        return FLOAT64 if next(iter((*arguments.positional, *arguments.keywords.values())), None) in _TYPES else ARRAY
    return Unknown("the result of an array's method", _CLASS) if short in ("item", "tolist") else receiver if short in _METHODS else ARRAY


def combined(left: Value, right: Value) -> Instance:
    """An array and something else, by an operator: float64 beside arrays that are, and beside numbers."""
    sides = (left, right)
    return FLOAT64 if any(is_float64(s) for s in sides) and all(is_float64(s) or _is_number(s) for s in sides) else ARRAY


def is_float64(value: Value | None) -> bool:
    """Whether a value is known to be an array, or a number, of NumPy's float64."""
    return isinstance(value, Instance) and value.cls == _CLASS and value.element == _DOUBLE


def as_tensor(arguments: Any) -> TensorValue | None:
    """``torch.from_numpy(array)``, ``torch.tensor(array)``: the array's dtype, where it is known."""
    given = [*arguments.positional, *(arguments.keywords[k] for k in ("data", "ndarray") if k in arguments.keywords)]
    return TensorValue("torch.float64") if "dtype" not in arguments.keywords and given and is_float64(given[0]) else None


def _is_number(value: Value) -> bool:
    return isinstance(value, Const) and value.kind in (int, float, bool) or value in (Builtin("int"), Builtin("float"), Builtin("bool"))


def _is_float(value: Value) -> bool:
    return isinstance(value, Const) and value.kind is float or value == Builtin("float")


def _holds_floats(value: Value) -> bool:
    if not isinstance(value, Sequence) or not value.items:
        return _is_float(value)
    flat = [one for item in value.items for one in (item.items or (item,) if isinstance(item, Sequence) else (item,))]
    return any(_is_float(one) for one in flat) and all(_is_number(one) for one in flat)
