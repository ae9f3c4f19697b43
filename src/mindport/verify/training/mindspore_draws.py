"""MindSpore's random functions on shared streams, and MindSpore without dropout: the counterpart of `torch_draws`.

A graph reads no stream, but an operator of Python's (`ops.Custom`, "pyfunc") runs whenever it does, and is no constant: draws that follow from
a shape alone are shared in graphs, too.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import mint, nn, ops

from mindport.verify.training import streams
from mindport.verify.training.callers import is_vendored, users_line
from mindport.verify.training.watch import Watch

_Draw = Callable[[Any, tuple[Any, ...], dict[str, Any]], np.ndarray]
#: One draw of the program is one draw of a stream, also where a function that draws is made of another.
_BUSY = {"drawing": False}


#: The functions that were replaced, what stands for them, and what does in graphs.
_REPLACED: list[tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]] = []


def share(watch: Watch) -> None:
    """Replace the functions that draw in ``mindspore.ops`` and ``mindspore.mint``."""
    for home in (ops, mint):
        for name, draw in _DRAWS.items():
            if hasattr(home, name):
                own = getattr(home, name)
                setattr(home, name, _drawing(watch, own, draw, _in_graphs(own, draw) if draw in _BY_SHAPE else own))


def share_vendored(watch: Watch, module: Any) -> None:
    """Replace the vendored functions that stand for torch's functions of the same names; a graph reads them, and those of MindSpore's that they call."""
    for name, draw in _VENDORED.items():
        found = getattr(module, name, None)
        if callable(found) and not isinstance(found, type):
            setattr(module, name, _drawing(watch, found, draw, found))


def bound() -> list[tuple[dict[str, Any], str, Callable[..., Any], Callable[..., Any]]]:
    """Every global name that stands for a shared draw: its namespace, the name, what a graph can hold in its place, and the shared one."""
    plain = {id(shared): in_graphs for _, shared, in_graphs in _REPLACED}
    return [
        (vars(module), name, plain[id(value)], value)
        for module in list(sys.modules.values()) if isinstance(module, ModuleType)
        for name, value in list(vars(module).items()) if id(value) in plain
    ]  # fmt: skip


def _drawing(watch: Watch, plain: Callable[..., Any], draw: _Draw, in_graphs: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(plain)
    def function(*args: Any, **kwargs: Any) -> Any:
        if _BUSY["drawing"]:
            return plain(*args, **kwargs)
        if watch.compiling:
            watch.tell("drawn", draw=f"{plain.__name__} at {users_line()}", shared="in graphs" if draw in _BY_SHAPE else "")
        _BUSY["drawing"] = True
        try:
            result = plain(*args, **kwargs)
        finally:
            _BUSY["drawing"] = False
        if not isinstance(result, ms.Tensor):
            return result
        return ms.Tensor(np.ascontiguousarray(draw(result, args, kwargs)).reshape(result.shape)).astype(result.dtype)  # NumPy gives a number an axis

    _REPLACED.append((plain, function, in_graphs))
    return function


def _in_graphs(plain: Callable[..., Any], draw: _Draw) -> Callable[..., Any]:
    """The function as MindSpore's parser can read it: its own draw has the shape and the dtype, the operator gives the numbers."""
    operator = _operator(draw)

    def function(*args: Any, **kwargs: Any) -> Any:
        like = plain(*args, **kwargs)
        return operator(like.astype(ms.float32)).astype(like.dtype)

    return function


@functools.cache
def _operator(draw: _Draw) -> Any:
    def drawn(like: np.ndarray) -> np.ndarray:
        return np.asarray(draw(like, (), {}), np.float32)

    return ops.Custom(drawn, out_shape=lambda shape: shape, out_dtype=lambda dtype: dtype, func_type="pyfunc")


def _plain(value: Any) -> Any:
    return value.asnumpy() if isinstance(value, ms.Tensor) else value


def _shaped_normal(result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.ndarray:
    """``ops.normal(shape, mean, stddev)``; ``mint.normal(mean, std, size)``."""
    shaped = bool(args) and isinstance(args[0], tuple | list) or "shape" in kwargs
    rest = args[1:] if shaped and args and "shape" not in kwargs else args
    mean = rest[0] if rest else kwargs.get("mean", 0.0)
    std = rest[1] if len(rest) > 1 else kwargs.get("stddev", kwargs.get("std", 1.0))
    return streams.normal("normal", result.shape) * np.asarray(_plain(std)) + np.asarray(_plain(mean))


def _integers(first: int) -> _Draw:
    def draw(result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.ndarray:
        bounds = [int(a) for a in args[first:first + 2] if isinstance(a, int)]
        low = kwargs.get("low", bounds[0] if len(bounds) > 1 else 0)
        high = kwargs.get("high", bounds[-1] if bounds else 0)
        return streams.integers("integers", int(low), int(high), result.shape)

    return draw


def _bounded(result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.ndarray:
    """``ops.uniform(shape, minval, maxval)``."""
    low = _plain(args[1] if len(args) > 1 else kwargs.get("minval", 0.0))
    high = _plain(args[2] if len(args) > 2 else kwargs.get("maxval", 1.0))
    drawn = streams.uniform("uniform", result.shape)
    return drawn * (np.asarray(high) - np.asarray(low)) + np.asarray(low)


def _bernoulli(result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.ndarray:
    p = args[1] if len(args) > 1 else kwargs.get("p")
    chance = _plain(args[0] if p is None else p)
    return (streams.uniform("bernoulli", result.shape) < np.asarray(chance)).astype(np.float32)


def _multinomial(result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.ndarray:
    replacement = bool(args[2] if len(args) > 2 else kwargs.get("replacement", False))
    return streams.choices(_plain(args[0]), result.shape[-1], replacement)


def _uniform(result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.ndarray:
    return streams.uniform("uniform", result.shape)


def _standard(result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.ndarray:
    return streams.normal("normal", result.shape)


def _permutation(result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.ndarray:
    return streams.permutation(result.shape[0])


_BY_SHAPE = (_uniform, _standard)
#: torch's signatures.
_VENDORED: dict[str, _Draw] = {
    "rand": _uniform, "rand_like": _uniform, "randn": _standard, "randn_like": _standard, "randint": _integers(0),
    "randint_from": _integers(0), "randint_like": _integers(1), "randint_like_from": _integers(1),
    "randperm": _permutation, "bernoulli": _bernoulli, "multinomial": _multinomial, "normal": _shaped_normal,
}
_DRAWS = {**_VENDORED, "standard_normal": _standard, "uniform": _bounded}


_DROPOUT = ("Dropout", "Dropout1d", "Dropout2d", "Dropout3d")
_VENDORED_DROPOUT = (*_DROPOUT, "AlphaDropout", "FeatureAlphaDropout")


# A graph holds these two in place of dropout: no lambdas, for MindSpore's parser finds none of another file.
def _unchanged(self: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
    return x


def _given_back(input: Any, *args: Any, **kwargs: Any) -> Any:
    return input


def without_dropout() -> None:
    """Layers and functions of dropout give their input back."""
    for name in _DROPOUT:
        for home in (nn, mint.nn):
            if hasattr(home, name):
                getattr(home, name).construct = _unchanged
    for home in (ops, mint.nn.functional):
        for name in ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout"):
            if hasattr(home, name):
                setattr(home, name, _given_back)
    plain = nn.Cell.__call__

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return args[0] if len(args) == 1 and is_vendored(self, *_VENDORED_DROPOUT) else plain(self, *args, **kwargs)

    nn.Cell.__call__ = call


def without_vendored_dropout(module: Any) -> None:
    """The vendored layers, too: a graph does not call them, it holds their `construct`."""
    for name in _VENDORED_DROPOUT:
        if isinstance(getattr(module, name, None), type):
            getattr(module, name).construct = _unchanged
