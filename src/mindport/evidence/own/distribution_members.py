"""Scenarios of the members that every distribution inherits."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.own.distributions import CASES, LOC, POSITIVE, PROBS, UNIT
from mindport.evidence.scenarios import Side, scenario


def method(side: Side, name: str, of: Any, *args: Any) -> Any:
    """A method that subclasses write anew: torch's own class answers by itself."""
    made = side.make(f"torch.distributions.{name}", *side.value(of))
    return getattr(made, side.name.rpartition(".")[2])(*args) if side.declared is None else side.call(made, *args)


def read(value: Any) -> Any:
    """A size as a list."""
    return list(value) if isinstance(value, tuple) else value


@scenario(*(f"torch.distributions.Distribution.{name}" for name in ("mean", "mode", "variance", "stddev", "batch_shape", "event_shape", "has_enumerate_support")))
def read_of_several(side: Side) -> Any:
    """what is read of two distributions"""
    return [read(side.call(side.make(f"torch.distributions.{name}", *side.value(CASES[name][0][0])))) for name in ("Normal", "Gamma")]


@scenario("torch.distributions.Distribution.has_rsample")
def samples_with_gradients(side: Side) -> Any:
    """of distributions that have them, and of one that has none"""
    return [side.call(side.make(f"torch.distributions.{name}", *side.value(CASES[name][0][0]))) for name in ("Normal", "Uniform", "Poisson")]


@scenario("torch.distributions.Gamma.has_rsample", "torch.distributions.Beta.has_rsample")
def gamma_samples_with_gradients(side: Side) -> Any:
    """of distributions that are made of gamma variables"""
    name = side.name.removesuffix(".has_rsample")
    return side.call(side.make(name, *side.value(CASES[name.rpartition(".")[2]][0][0])))


@scenario(*(f"torch.distributions.Distribution.{name}" for name in ("log_prob", "cdf", "icdf")))
def functions_of_values(side: Side) -> Any:
    """of values between 0 and 1"""
    return method(side, "Normal", (LOC, POSITIVE), side.value(UNIT * 0.9 + 0.05))


@scenario("torch.distributions.Distribution.entropy", "torch.distributions.Distribution.perplexity")
def of_the_whole(side: Side) -> Any:
    """of a normal distribution"""
    return method(side, "Normal", (LOC, POSITIVE))


@scenario("torch.distributions.Distribution.enumerate_support")
def every_value(side: Side) -> Any:
    """of a Bernoulli distribution, expanded and not"""
    return method(side, "Bernoulli", (PROBS,)), method(side, "Bernoulli", (PROBS,), False)


@scenario("torch.distributions.Distribution.expand")
def expanded(side: Side) -> Any:
    """a further axis in front"""
    made = method(side, "Normal", (LOC, POSITIVE), torch.Size((4, 3)))
    return list(made.batch_shape), made.mean, made.log_prob(side.value(UNIT[:4]))


@scenario(*(f"torch.distributions.Distribution.{name}" for name in ("sample", "rsample", "sample_n")))
def drawn_shapes(side: Side) -> Any:
    """shapes, dtypes, means and deviations of many draws, roughly"""
    drawn = method(side, "Normal", (torch.tensor([0.0, 5.0]), torch.tensor([1.0, 0.1])), 4000 if side.name.endswith("sample_n") else (4000,))
    rows = torch.tensor(drawn.tolist())
    close = ((rows.mean(0) - torch.tensor([0.0, 5.0])).abs() < 0.08).tolist() + ((rows.std(0) - torch.tensor([1.0, 0.1])).abs() < 0.08).tolist()
    return list(drawn.shape), side.dtype(drawn), close


EXPECTED = {  # the mean gradients of `expected_gradients`, by torch, over 8000 samples
    "Gamma": [[0.0455, 0.0465, 0.0103], [-0.1179, -0.115, -0.0335]], "Beta": [[0.036, 0.051, 0.0386], [-0.161, -0.188, -0.1659]],
    "Dirichlet": [[-0.13, -0.0457, 0.0875]], "StudentT": [[0.013, 0.019, 0.0108], [0.496, 0.833, 0.792]],
}


@scenario(*(f"torch.distributions.{name}.rsample" for name in ("Gamma", "Beta", "Dirichlet", "StudentT")))
def expected_gradients(side: Side) -> Any:
    """the mean gradient over many samples, roughly, and their shape"""
    name = side.name.removesuffix(".rsample")
    given = [torch.tensor([2.0, 3.0, 5.0])] if name.endswith("Dirichlet") else [torch.tensor([2.5, 4.0, 9.0]), torch.tensor([0.5, 1.0, 2.0])]
    weights = side.value(torch.tensor([1.0, 2.0, 4.0]))

    def tried(*parts: Any) -> Any:
        """A weighted sum of the squashed samples, over all of them."""
        return side.call(side.make(name, *parts), (8000,)).tanh().mean(0) * weights

    found = torch.stack([torch.tensor(gradient.tolist()) for gradient in side.gradients(tried, *given)])
    close = ((found - torch.tensor(EXPECTED[name[20:]])).abs() < 0.02).tolist()
    return list(side.call(side.make(name, *map(side.value, given)), (2,)).shape), close
