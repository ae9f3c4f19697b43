"""Scenarios of torch.distributions: moments, densities, distribution functions, and what samples look like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

_made = torch.Generator().manual_seed(3)
LOC, POSITIVE = torch.randn(3, generator=_made), torch.rand(3, generator=_made) + 0.3
PROBS, ROWS = torch.rand(2, 3, generator=_made), torch.rand(4, generator=_made) + 0.3
UNIT, COUNTS = torch.rand(5, 3, generator=_made), torch.tensor([[0.0, 1.0, 2.0], [3.0, 0.0, 1.0]])
FACTOR = torch.tensor([[1.0, 0.0, 0.0], [0.5, 2.0, 0.0], [-0.3, 0.2, 0.7]])

#: name → rows of (constructor's arguments, keywords, values for log_prob and cdf, or None)
Row = tuple[tuple[Any, ...], dict[str, Any], torch.Tensor]
CASES: dict[str, list[Row]] = {
    "Normal": [((LOC, POSITIVE), {}, UNIT - 0.5), ((0.0, 1.0), {}, UNIT), ((torch.zeros(2, 1), POSITIVE), {}, UNIT[:2])],
    "LogNormal": [((LOC, POSITIVE), {}, UNIT + 0.1)],
    "Laplace": [((LOC, POSITIVE), {}, UNIT - 0.5)],
    "Cauchy": [((LOC, POSITIVE), {}, UNIT - 0.5)],
    "Gumbel": [((LOC, POSITIVE), {}, UNIT - 0.5)],
    "Uniform": [((LOC, LOC + POSITIVE), {}, LOC + POSITIVE * UNIT)],
    "Exponential": [((POSITIVE,), {}, UNIT)],
    "HalfNormal": [((POSITIVE,), {}, UNIT)],
    "Gamma": [((POSITIVE * 3, POSITIVE), {}, UNIT + 0.1)],
    "Chi2": [((POSITIVE * 5,), {}, UNIT + 0.1)],
    "Beta": [((POSITIVE * 3, POSITIVE), {}, UNIT * 0.9 + 0.05)],
    "Dirichlet": [((ROWS,), {}, torch.softmax(torch.arange(4.0), 0))],
    "StudentT": [((POSITIVE * 20, LOC, POSITIVE), {}, UNIT - 0.5), ((5.0,), {}, UNIT)],
    "Bernoulli": [((PROBS,), {}, (UNIT[:2] > 0.5).float()), ((), {"logits": LOC}, torch.ones(3))],
    "Geometric": [((PROBS,), {}, COUNTS), ((), {"logits": LOC}, COUNTS)],
    "Categorical": [((PROBS,), {}, torch.tensor([2, 0])), ((), {"logits": PROBS}, torch.tensor([[1, 1], [0, 2]])), ((ROWS,), {}, torch.tensor(3))],
    "OneHotCategorical": [((PROBS,), {}, torch.eye(3)[1:])],
    "OneHotCategoricalStraightThrough": [((), {"logits": PROBS}, torch.eye(3)[1:])],
    "Poisson": [((POSITIVE * 9,), {}, COUNTS)],
    "Binomial": [((5, PROBS), {}, COUNTS), ((torch.tensor([3.0, 4.0, 9.0]), PROBS), {}, COUNTS)],
    "MultivariateNormal": [((LOC,), {"scale_tril": FACTOR}, UNIT), ((torch.zeros(2, 3), FACTOR @ FACTOR.T), {}, UNIT[:2]),
                           ((LOC,), {"precision_matrix": FACTOR @ FACTOR.T}, UNIT)],
}
CASES |= {
    "Pareto": [((POSITIVE, POSITIVE * 9), {}, UNIT + 1.4)],
    "GeneralizedPareto": [((LOC, POSITIVE, torch.tensor([0.3, 0.0, -0.2])), {}, LOC + POSITIVE * UNIT), ((0.0, 1.0, 0.2), {}, UNIT)],
    "Weibull": [((POSITIVE, POSITIVE * 3 + 0.2), {}, UNIT + 0.1)],
    "HalfCauchy": [((POSITIVE,), {}, UNIT)],
    "InverseGamma": [((POSITIVE * 9, POSITIVE), {}, UNIT + 0.1)],
    "FisherSnedecor": [((POSITIVE * 9, POSITIVE * 30), {}, UNIT + 0.1)],
    "Kumaraswamy": [((POSITIVE * 3, POSITIVE), {}, UNIT * 0.9 + 0.05)],
    "ContinuousBernoulli": [((PROBS,), {}, UNIT[:2]), ((torch.tensor([0.4995, 0.5, 0.2]),), {}, UNIT), ((), {"logits": LOC}, UNIT)],
    "RelaxedBernoulli": [((torch.tensor(0.7), PROBS), {}, UNIT[:2] * 0.9 + 0.05), ((torch.tensor(2.0),), {"logits": LOC}, UNIT * 0.9 + 0.05)],
    "RelaxedOneHotCategorical": [((torch.tensor(0.7), PROBS), {}, torch.softmax(UNIT[:2], -1)), ((torch.tensor(2.0),), {"logits": LOC}, torch.softmax(UNIT, -1))],
    "NegativeBinomial": [((5, PROBS * 0.9), {}, COUNTS), ((torch.tensor([3.0, 4.5, 9.0]),), {"logits": LOC}, COUNTS)],
    "Multinomial": [((3, PROBS), {}, COUNTS[:1].expand(2, 3)), ((4,), {"logits": LOC}, torch.tensor([2.0, 2.0, 0.0]))],
    "VonMises": [((LOC, POSITIVE * 3), {}, UNIT * 6 - 3)],
    "LowRankMultivariateNormal": [((LOC, FACTOR[:, :2], POSITIVE), {}, UNIT), ((torch.zeros(2, 3), FACTOR[:, :1], POSITIVE), {}, UNIT[:2])],
}
MOMENTS = ("mean", "mode", "variance", "stddev", "entropy")
DRAWN = 20000


def values_of(side: Side, made: Any, value: torch.Tensor) -> list[Any]:
    """Shapes, moments, densities, the distribution function and its inverse, the entropy."""
    found: list[Any] = [tuple(made.batch_shape), tuple(made.event_shape), made.has_enumerate_support]
    for name in (*MOMENTS, "enumerate_support"):
        found.append(attempted(lambda name=name: getattr(made, name) if name in MOMENTS[:4] else getattr(made, name)()))  # type: ignore[misc]
    found.append(made.log_prob(side.value(value)))
    for name in ("cdf", "icdf"):
        given = side.value(value if name == "cdf" else torch.linspace(0.01, 0.99, value.numel()).reshape(value.shape))
        found.append(attempted(lambda name=name, given=given: getattr(made, name)(given)))  # type: ignore[misc]
    return found


def attempted(call: Callable[[], Any]) -> Any:
    """The result, or that there is none."""
    try:
        return call()
    except NotImplementedError:
        return "not there"


def drawn(side: Side, made: Any) -> list[Any]:
    """The shape and dtype of samples, and whether their mean and spread are where the distribution puts them."""
    samples = plain(side, made.sample((DRAWN,)))
    if hasattr(made, "temperature"):  # no mean is known, but how often the first is the largest
        found = (samples.argmax(-1) == 0 if made.event_shape else samples > 0.5).double()
        share = plain(side, made.probs)
        centre = (share[..., 0] if made.event_shape else share).double()
        width = (centre * (1 - centre)).sqrt()
    elif type(made).__name__ == "VonMises":  # moments of angles are those on the circle
        found, centre = (samples - plain(side, made.loc)).double().cos(), 1 - plain(side, made.variance).double()
        width = found.std(0)
    else:
        found, centre, width = samples.double(), plain(side, made.mean).double(), plain(side, made.stddev).double()
    if centre.isnan().any() and hasattr(made, "probs"):  # categories have no mean: how often the first is drawn has one
        share = plain(side, made.probs)[..., 0].double()
        found, centre, width = (samples == 0).double(), share, (share * (1 - share)).sqrt()
    elif centre.isnan().any():  # the Cauchy distribution: its quartiles
        wide = plain(side, made.scale).double()
        quartiles = found.quantile(torch.tensor([0.25, 0.5, 0.75], dtype=torch.float64), 0)
        told = bool(((quartiles[1] - plain(side, made.loc).double()).abs() < 0.1 * wide).all()), bool(((quartiles[2] - quartiles[0] - 2 * wide).abs() < 0.2 * wide).all())
        return [tuple(samples.shape), str(samples.dtype), told]
    elif centre.isinf().all():
        middle = plain(side, made.icdf(side.value(torch.full(centre.shape, 0.5)))).double()
        found, centre, width = (found < middle).double(), torch.full_like(centre, 0.5), torch.full_like(centre, 0.5)
    near = (found.mean(0) - centre).abs() < 6 * width / DRAWN**0.5
    alike = (found.std(0) / width - 1).abs() < 0.2
    return [tuple(samples.shape), str(samples.dtype), bool(found.isfinite().all()), bool(near.all()), bool(alike.all()), tuple(made.sample().shape)]


def plain(side: Side, value: Any) -> torch.Tensor:
    """A tensor of either side as torch's."""
    from mindport.evidence.bridge import tensor_to_torch

    return value if side.declared is None else tensor_to_torch(value)


def of(name: str) -> None:
    """Register the scenarios of one distribution."""

    def known(side: Side) -> Any:
        """moments, densities, entropy"""
        return [values_of(side, side.call(*side.value(args), **side.value(kwargs)), value) for args, kwargs, value in CASES[name]]

    def sampled(side: Side) -> Any:
        """samples: shape, dtype, mean and spread"""
        return [drawn(side, side.call(*side.value(args), **side.value(kwargs))) for args, kwargs, _ in CASES[name]]

    def expanded(side: Side) -> Any:
        """expand"""
        made = side.call(*side.value(CASES[name][0][0]), **side.value(CASES[name][0][1]))
        wide = made.expand((4, *made.batch_shape))
        return tuple(wide.batch_shape), tuple(wide.event_shape), tuple(wide.sample((2,)).shape)

    for told in (known, sampled, expanded):
        scenario(f"torch.distributions.{name}")(told)


for _name in CASES:
    of(_name)


@scenario("torch.distributions.Independent")
def grouped(side: Side) -> Any:
    """batch axes as event axes"""
    inner = side.make("torch.distributions.Normal", side.value(torch.zeros(2, 3)), side.value(POSITIVE))
    made = side.call(inner, 1)
    return [tuple(made.batch_shape), tuple(made.event_shape), made.log_prob(side.value(UNIT[:2])), made.entropy(), made.mean, tuple(made.rsample((4,)).shape)]


@scenario("torch.distributions.MixtureSameFamily")
def mixed(side: Side) -> Any:
    """two components of normal distributions"""
    weights = side.make("torch.distributions.Categorical", side.value(PROBS[0]))
    made = side.call(weights, side.make("torch.distributions.Normal", side.value(LOC), side.value(POSITIVE)))
    return [tuple(made.batch_shape), made.mean, made.variance, made.log_prob(side.value(UNIT[:, 0])), tuple(made.sample((7,)).shape)]


PAIRS: tuple[tuple[str, tuple[Any, ...], tuple[Any, ...]], ...] = (
    ("Normal", (LOC, POSITIVE), (0.5, 2.0)), ("Laplace", (LOC, POSITIVE), (0.5, 2.0)), ("Exponential", (POSITIVE,), (2.0,)),
    ("Uniform", (LOC, LOC + POSITIVE), (-9.0, 9.0)), ("Uniform", (-9.0, 9.0), (LOC, LOC + POSITIVE)), ("Bernoulli", (PROBS,), (PROBS.flip(0),)),
    ("Bernoulli", (torch.tensor([0.0, 1.0, 0.5]),), (torch.tensor([0.5, 0.5, 1.0]),)), ("Categorical", (PROBS,), (PROBS.flip(1),)),
    ("Categorical", (torch.tensor([0.0, 0.5, 0.5]),), (torch.tensor([0.5, 0.5, 0.0]),)), ("OneHotCategorical", (PROBS,), (PROBS.flip(1),)),
    ("Geometric", (PROBS,), (PROBS.flip(0),)), ("Poisson", (POSITIVE,), (2.0,)), ("Gamma", (POSITIVE, POSITIVE), (2.0, 1.5)),
    ("Beta", (POSITIVE, POSITIVE), (2.0, 1.5)), ("Dirichlet", (ROWS,), (ROWS.flip(0),)),
)  # fmt: skip


@scenario("torch.distributions.kl_divergence")
def divergences(side: Side) -> Any:
    """pairs of one kind"""
    found = []
    for name, first, second in PAIRS:
        p, q = (side.make(f"torch.distributions.{name}", *side.value(given)) for given in (first, second))
        found.append(side.call(p, q))
    normal = side.make("torch.distributions.MultivariateNormal", side.value(LOC), scale_tril=side.value(FACTOR))
    other = side.make("torch.distributions.MultivariateNormal", side.value(torch.zeros(3)), side.value(torch.eye(3) * 2 + 0.3))
    return [*found, side.call(normal, other), side.call(other, normal)]
