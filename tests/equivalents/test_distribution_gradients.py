"""Gradients of log-probabilities in the parameters and in the value, and that samples have gradients where torch's have."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks

ms = pytest.importorskip("mindspore", reason="this file runs the framework")
torch = pytest.importorskip("torch", reason="this file runs the framework")

from mindport.evidence.own.distributions import CASES  # noqa: E402

PLACES = {
    "tails": ("Pareto", "GeneralizedPareto", "Weibull", "HalfCauchy"),
    "gamma_ratios": ("InverseGamma", "FisherSnedecor"),
    "unit_interval": ("Kumaraswamy", "ContinuousBernoulli"),
    "relaxed": ("RelaxedBernoulli", "RelaxedOneHotCategorical"),
    "counts": ("Binomial", "NegativeBinomial", "Multinomial"),
    "circular": ("VonMises",),
    "low_rank": ("LowRankMultivariateNormal",),
    "continuous": ("Normal", "LogNormal", "Laplace", "Cauchy", "Gumbel", "Uniform", "Exponential", "HalfNormal"),
    "gamma": ("Gamma", "Chi2", "Beta", "Dirichlet", "StudentT"),
    "discrete": ("Bernoulli", "Geometric", "Categorical", "OneHotCategorical", "Poisson"),
    "multivariate": ("MultivariateNormal",),
}
CORNERS: dict[str, Any] = {
    "Bernoulli": [((), {"logits": torch.zeros(3)}, torch.tensor([0.0, 1.0, 1.0]))],
    "Geometric": [((), {"logits": torch.zeros(3)}, torch.tensor([0.0, 1.0, 4.0]))],
    "Binomial": [((torch.tensor([3.0, 4.0, 9.0]),), {"logits": torch.zeros(3)}, torch.tensor([0.0, 4.0, 4.0]))],
    "NegativeBinomial": [((torch.tensor([3.0, 4.0, 9.0]),), {"logits": torch.zeros(3)}, torch.tensor([0.0, 4.0, 4.0]))],
    "RelaxedBernoulli": [((torch.tensor(1.0),), {"logits": torch.zeros(3)}, torch.tensor([0.5, 0.2, 0.7]))],
    "Categorical": [((), {"logits": torch.zeros(2, 3)}, torch.tensor([2, 0]))],
    "Poisson": [((torch.tensor([1.0, 2.0]),), {}, torch.zeros(2))],
    "Gamma": [((torch.ones(2), torch.ones(2)), {}, torch.ones(2))],
    "Beta": [((torch.ones(2), torch.ones(2)), {}, torch.tensor([0.5, 0.2]))],
    "Laplace": [((torch.zeros(2), torch.ones(2)), {}, torch.zeros(2))],
}
NAMES = [(place, name) for place, names in PLACES.items() for name in names]


def to_mindspore(value: Any) -> Any:
    """Tensors as MindSpore's, the rest as it is."""
    return ms.Tensor(value.detach().numpy()) if isinstance(value, torch.Tensor) else value


def total(made_by: Any, given: list[Any], names: list[str], replaced: dict[int, Any]) -> Any:
    """The sum of the log-probabilities of `given`'s last part, with some of the parts replaced."""
    *parts, value = [replaced.get(i, one) for i, one in enumerate(given)]
    count = len(parts) - len(names)
    return made_by(*parts[:count], **dict(zip(names, parts[count:], strict=True))).log_prob(value).sum()


@pytest.mark.parametrize(("place", "name"), NAMES, ids=[name for _, name in NAMES])
def test_gradients_of_log_probabilities(place: str, name: str) -> None:
    ours, theirs = getattr(import_module(f"mindport.equivalents.distributions_{place}"), name), getattr(torch.distributions, name)
    for args, kwargs, value in [*CASES[name], *CORNERS.get(name, [])]:
        given, names = [*args, *kwargs.values(), value], list(kwargs)
        places = [i for i, one in enumerate(given) if isinstance(one, torch.Tensor) and one.is_floating_point()]
        leaves = [given[i].clone().requires_grad_() for i in places]
        expected = torch.autograd.grad(total(theirs, given, names, dict(zip(places, leaves, strict=True))), leaves, allow_unused=True)
        mine = [to_mindspore(one) for one in given]

        def loss(*tensors: Any, mine: Any = mine, names: Any = names, places: Any = places) -> Any:
            return total(ours, mine, names, dict(zip(places, tensors, strict=True)))

        found = ms.grad(loss, tuple(range(len(places))))(*(mine[i] for i in places))
        for one, other in zip(found if isinstance(found, tuple) else (found,), expected, strict=True):
            wanted = np.zeros(one.shape, np.float32) if other is None else other.numpy()
            np.testing.assert_allclose(one.asnumpy(), wanted, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize(("place", "name"), NAMES, ids=[name for _, name in NAMES])
def test_samples_have_gradients_where_the_class_says_so(place: str, name: str) -> None:
    ours = getattr(import_module(f"mindport.equivalents.distributions_{place}"), name)
    args, kwargs, _ = CASES[name][0]
    theirs = getattr(torch.distributions, name)(*args, **kwargs)
    first = next(one for one in args if isinstance(one, torch.Tensor))
    if not ours(*map(to_mindspore, args), **{key: to_mindspore(one) for key, one in kwargs.items()}).has_rsample:
        assert not theirs.has_rsample
        return
    assert theirs.has_rsample
    place_of_first = next(i for i, one in enumerate(args) if one is first)

    def drawn(tensor: Any) -> Any:
        mine = [tensor if i == place_of_first else to_mindspore(one) for i, one in enumerate(args)]
        return ours(*mine, **{key: to_mindspore(one) for key, one in kwargs.items()}).rsample((3,)).square().sum()

    gradient = ms.grad(drawn)(to_mindspore(first)).asnumpy()
    assert np.isfinite(gradient).all() and (gradient != 0).any()


GAMMAS: list[tuple[str, tuple[Any, ...]]] = [
    ("Gamma", ([0.3, 1.0, 6.0], [0.5, 1.0, 2.0])), ("Chi2", ([0.7, 2.0, 9.0],)), ("Beta", ([0.4, 1.0, 5.0], [0.8, 2.0, 3.0])),
    ("Dirichlet", ([0.5, 1.5, 4.0],)), ("StudentT", ([5.0, 9.0, 30.0], [0.0, 1.0, -1.0], [1.0, 0.5, 2.0])),
    ("InverseGamma", ([4.0, 6.0, 9.0], [0.5, 1.0, 2.0])), ("FisherSnedecor", ([1.0, 3.0, 9.0], [12.0, 15.0, 20.0])),
]


@pytest.mark.parametrize(("name", "given"), GAMMAS, ids=[name for name, _ in GAMMAS])
def test_expected_gradients_of_gamma_samples(name: str, given: tuple[Any, ...]) -> None:
    """The mean over many samples of the gradients of tanh(x) is torch's in every parameter."""
    place = next(place for place, names in PLACES.items() if name in names)
    ours, count = getattr(import_module(f"mindport.equivalents.distributions_{place}"), name), 20000
    weights = np.arange(1.0, 4.0, dtype=np.float32)
    leaves = [torch.tensor([row] * count, requires_grad=True) for row in given]
    (torch.tanh(getattr(torch.distributions, name)(*leaves).rsample()) * torch.tensor(weights)).sum().backward()
    ms.set_seed(3)

    def loss(*parts: Any) -> Any:
        return (ms.ops.tanh(ours(*parts).rsample()) * ms.Tensor(weights)).sum()

    rows = [ms.Tensor(np.array([row] * count, np.float32)) for row in given]
    found = ms.grad(loss, tuple(range(len(rows))))(*rows)
    for one, leaf in zip(found if isinstance(found, tuple) else (found,), leaves, strict=True):
        mine, theirs = one.asnumpy().astype(np.float64), leaf.grad.double().numpy()
        error = np.sqrt((mine.var(0) + theirs.var(0)) / count)
        assert (np.abs(mine.mean(0) - theirs.mean(0)) < 4.5 * error + 1e-4).all()
