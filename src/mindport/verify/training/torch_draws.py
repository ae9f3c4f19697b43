"""torch's random functions on shared streams, and torch without dropout."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from mindport.verify.training import streams

_Draw = Callable[[Any, tuple[Any, ...], dict[str, Any]], np.ndarray]


def share() -> None:
    """Replace the functions that draw, for the user's calls; torch's own (samplers, initialisers, transforms) stay, its distributions do not.

    Shape, dtype and device are those of torch's own result, which is made and then filled.
    """
    for name, draw in _DRAWS.items():
        setattr(torch, name, _drawing(getattr(torch, name), draw))
    for name, draw in _IN_PLACE.items():
        setattr(torch.Tensor, name, _drawing(getattr(torch.Tensor, name), draw))
    torch.distributions.Categorical.sample = _categorical  # type: ignore[method-assign]
    torch.distributions.Bernoulli.sample = _coin  # type: ignore[method-assign]


def _drawing(plain: Callable[..., Any], draw: _Draw) -> Callable[..., Any]:
    @functools.wraps(plain)
    def function(*args: Any, **kwargs: Any) -> Any:
        result = plain(*args, **kwargs)
        caller = sys._getframe(1).f_globals.get("__name__", "")
        # torchvision's transforms draw torch's own numbers on the other side, too.
        own = caller.split(".")[0] in ("torch", "torchvision") and not caller.startswith("torch.distributions")
        if own or not isinstance(result, torch.Tensor):
            return result
        with torch.no_grad():
            drawn = np.ascontiguousarray(draw(result, args, kwargs))
            return result.copy_(torch.from_numpy(drawn).reshape(result.shape))  # NumPy gives a number an axis

    return function


def _normal(result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.ndarray:
    mean = args[0] if args else kwargs.get("mean", 0.0)
    std = args[1] if len(args) > 1 else kwargs.get("std", 1.0)
    return streams.normal("normal", result.shape) * np.asarray(_plain(std)) + np.asarray(_plain(mean))


def _plain(value: Any) -> Any:
    return value.detach().cpu().numpy() if isinstance(value, torch.Tensor) else value


def _integers(first: int) -> _Draw:
    def draw(result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.ndarray:
        bounds = [int(a) for a in args[first:first + 2] if isinstance(a, int)]
        low = kwargs.get("low", bounds[0] if len(bounds) > 1 else 0)
        high = kwargs.get("high", bounds[-1] if bounds else 0)
        return streams.integers("integers", int(low), int(high), result.shape)

    return draw


def _bernoulli(result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.ndarray:
    p = args[1] if len(args) > 1 else kwargs.get("p")
    chance = _plain(args[0] if p is None else p)
    return (streams.uniform("bernoulli", result.shape) < np.asarray(chance)).astype(np.float32)


def _multinomial(result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.ndarray:
    replacement = bool(args[2] if len(args) > 2 else kwargs.get("replacement", False))
    return streams.choices(_plain(args[0]), result.shape[-1], replacement)


_DRAWS: dict[str, _Draw] = {
    "rand": lambda result, args, kwargs: streams.uniform("uniform", result.shape),
    "rand_like": lambda result, args, kwargs: streams.uniform("uniform", result.shape),
    "randn": lambda result, args, kwargs: streams.normal("normal", result.shape),
    "randn_like": lambda result, args, kwargs: streams.normal("normal", result.shape),
    "normal": _normal,
    "randint": _integers(0),
    "randint_like": _integers(1),
    "randperm": lambda result, args, kwargs: streams.permutation(result.shape[0]),
    "bernoulli": _bernoulli,
    "multinomial": _multinomial,
}


def _normal_in_place(result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.ndarray:
    mean = args[1] if len(args) > 1 else kwargs.get("mean", 0.0)
    std = args[2] if len(args) > 2 else kwargs.get("std", 1.0)
    return streams.normal("normal", result.shape) * np.float32(std) + np.float32(mean)


def _uniform_in_place(result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.ndarray:
    low = args[1] if len(args) > 1 else kwargs.get("from", 0.0)
    high = args[2] if len(args) > 2 else kwargs.get("to", 1.0)
    return streams.uniform("uniform", result.shape) * np.float32(high - low) + np.float32(low)


def _categorical(self: Any, sample_shape: Any = ()) -> torch.Tensor:
    """How many of the cumulated probabilities a uniform number exceeds, as the equivalent draws."""
    with torch.no_grad():
        drawn = torch.from_numpy(streams.uniform("uniform", self._extended_shape(torch.Size(sample_shape))))
        steps = self.probs.float().cumsum(-1)[..., :-1]
        return (drawn.to(steps.device).unsqueeze(-1) >= steps).sum(-1)


def _coin(self: Any, sample_shape: Any = ()) -> torch.Tensor:
    with torch.no_grad():
        drawn = torch.from_numpy(streams.uniform("uniform", self._extended_shape(torch.Size(sample_shape))))
        return (drawn.to(self.probs.device) < self.probs).to(self.probs.dtype)


#: Methods; MindSpore's side draws with ``ops.randn`` and ``ops.rand`` for them.
_IN_PLACE: dict[str, _Draw] = {"normal_": _normal_in_place, "uniform_": _uniform_in_place}


def in_float32() -> None:
    """Functions that draw give what they give in float32, widened: a float64 run is to see the reference's random numbers.

    Where float64 is the default, torch takes other bits of its generator for each number, and more of them.
    """
    for name in ("rand", "randn", "normal", "bernoulli"):
        setattr(torch, name, _narrow(getattr(torch, name)))
    for name in ("rand_like", "randn_like"):
        setattr(torch, name, _narrow_like(getattr(torch, name)))
    for name in ("uniform_", "normal_", "exponential_", "log_normal_", "cauchy_", "bernoulli_"):
        setattr(torch.Tensor, name, _narrow_in_place(getattr(torch.Tensor, name)))


def _narrow(plain: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(plain)
    def function(*args: Any, **kwargs: Any) -> Any:
        tensors = any(isinstance(a, torch.Tensor) for a in (*args, *kwargs.values()))
        if kwargs.get("out") is not None or kwargs.get("dtype") not in (None, torch.float64):
            return plain(*args, **kwargs)
        if tensors:  # normal(means, stds)
            return plain(*(a.float() if isinstance(a, torch.Tensor) else a for a in args), **kwargs).double()
        wanted = kwargs.pop("requires_grad", False)
        return plain(*args, **{**kwargs, "dtype": torch.float32}).double().requires_grad_(wanted)

    return function


def _narrow_like(plain: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(plain)
    def function(input: Any, *args: Any, **kwargs: Any) -> Any:
        if input.dtype != torch.float64 or kwargs.get("dtype") not in (None, torch.float64):
            return plain(input, *args, **kwargs)
        return plain(input.float(), *args, **{**kwargs, "dtype": torch.float32}).double()

    return function


def _narrow_in_place(plain: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(plain)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self.dtype != torch.float64 or any(isinstance(a, torch.Tensor) for a in (*args, *kwargs.values())):
            return plain(self, *args, **kwargs)
        drawn = torch.empty_like(self, dtype=torch.float32, requires_grad=False)
        plain(drawn, *args, **kwargs)
        with torch.no_grad():
            return self.copy_(drawn)

    return method


def without_functional_dropout() -> None:
    """All functions of dropout give their input back; torch's layers call them by these names."""
    functional = torch.nn.functional
    for name in ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout"):
        setattr(functional, name, lambda input, *args, **kwargs: input)
    attend = functional.scaled_dot_product_attention

    def scaled_dot_product_attention(*args: Any, **kwargs: Any) -> Any:
        args = (*args[:4], 0.0, *args[5:]) if len(args) > 4 else args
        return attend(*args, **{**kwargs, **({"dropout_p": 0.0} if "dropout_p" in kwargs else {})})

    functional.scaled_dot_product_attention = scaled_dot_product_attention


def without_dropout(root: Any) -> None:
    """Recurrent and attention layers hand their own probability to a kernel."""
    for module in root.modules():
        if isinstance(getattr(module, "dropout", None), float):
            module.dropout = 0.0
