"""Scenarios of initialisers and Bernoulli draws with a generator: torch's own numbers, and where the generator stands afterwards."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.own.initializers import SHAPES
from mindport.evidence.scenarios import Side, scenario
from mindport.forms import OF_GENERATOR

INIT = "torch.nn.init."
#: Arguments of each, beside the parameter and the generator.
ARGUMENTS: dict[str, list[dict[str, Any]]] = {
    "normal_": [{}, {"mean": 1.0, "std": 0.02}],
    "uniform_": [{}, {"a": -0.1, "b": 0.1}],
    "trunc_normal_": [{}, {"std": 0.02}, {"mean": 1.0, "std": 2.0, "a": -1.0, "b": 1.5}, {"mean": 0.3, "std": 2.0, "a": -0.2, "b": 0.5}],
    "xavier_uniform_": [{}, {"gain": 1.7}],
    "xavier_normal_": [{}, {"gain": 1.7}],
    "kaiming_uniform_": [{}, {"mode": "fan_out", "nonlinearity": "relu"}, {"a": 5**0.5}],
    "kaiming_normal_": [{}, {"mode": "fan_out", "nonlinearity": "relu"}, {"a": 5**0.5}],
    "orthogonal_": [{}, {"gain": 1.7}],
    "_no_grad_normal_": [{"mean": 1.0, "std": 0.02}],
    "_no_grad_uniform_": [{"a": -0.1, "b": 0.1}],
    "_no_grad_trunc_normal_": [{"mean": 1.0, "std": 2.0, "a": -1.0, "b": 1.5}],
}
#: torch's former names.
FORMER = ("normal", "uniform", "xavier_uniform", "xavier_normal", "kaiming_uniform", "kaiming_normal", "orthogonal")


def _made(side: Side, seed: int) -> Any:
    return side.make("torch.Generator").manual_seed(seed)


def _after(side: Side, generator: Any) -> Any:
    return side.make("torch.rand", 2, generator=generator)


@scenario(*(f"{INIT}{name}{OF_GENERATOR}" for name in (*ARGUMENTS, *FORMER)))
def initialised(side: Side) -> Any:
    """Parameters of several shapes, a few numbers and many, and a tensor that is none."""
    short = side.name.removeprefix(INIT).removesuffix(OF_GENERATOR)
    found: list[Any] = []
    for seed, shape in enumerate((*SHAPES, (2, 3))):
        for arguments in ARGUMENTS[short if short in ARGUMENTS else f"{short}_"]:
            generator = _made(side, seed)
            weight = side.make("torch.nn.Parameter", side.value(torch.full(shape, 7.0)))
            side.call(weight, **arguments, generator=generator)
            found += [weight.detach() if side.declared is None else weight.value(), _after(side, generator)]
    plain, generator = side.value(torch.zeros(4, 5)), _made(side, 3)
    side.call(plain, **ARGUMENTS[short if short in ARGUMENTS else f"{short}_"][-1], generator=generator)
    return [*found, plain]


@scenario(f"{INIT}sparse_{OF_GENERATOR}", f"{INIT}sparse{OF_GENERATOR}")
def sparse(side: Side) -> Any:
    """How many zeros each column has, and where the generator stands."""
    generator, weight = _made(side, 0), side.make("torch.nn.Parameter", side.value(torch.full((10, 4), 7.0)))
    side.call(weight, 0.25, generator=generator)
    values = weight.detach().numpy() if side.declared is None else weight.asnumpy()
    return [(values == 0).sum(0).tolist(), _after(side, generator)]


@scenario(f"torch.bernoulli{OF_GENERATOR}", f"torch.Tensor.bernoulli{OF_GENERATOR}")
def chosen(side: Side) -> Any:
    """Probabilities of each dtype, few and many."""
    generator, found = _made(side, 0), []
    for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
        for shape in ((3,), (6, 7)):
            found.append(side.call(side.value(torch.linspace(0, 1, shape[0]).to(dtype)[:, None].expand(shape[0], shape[-1])), generator=generator))
    return [*found, _after(side, generator)]


@scenario(f"torch.Tensor.bernoulli_{OF_GENERATOR}")
def chosen_in_place(side: Side) -> Any:
    """A probability for each place, of the tensor's dtype and of another."""
    generator, found = _made(side, 0), []
    for dtype in (torch.float32, torch.float64):
        for given in (torch.zeros(6, 7), torch.zeros(6, 7, dtype=torch.float64)):
            x = side.value(given)
            side.call(x, side.value(torch.linspace(0, 1, 7, dtype=dtype)), generator=generator)
            found.append(x)
    return [*found, _after(side, generator)]
