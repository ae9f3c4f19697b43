"""Scenarios of torch.distributions' transforms, and of what is distributed so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from mindport.catalog import load
from mindport.evidence.own.distributions import LOC, POSITIVE, UNIT, attempted, plain
from mindport.evidence.scenarios import Side, scenario

NUMBERS = torch.cat([torch.linspace(-6, 6, 21), torch.tensor([0.0, 11.0, -11.0])]).reshape(4, 2, 3)
#: name → rows of (constructor's arguments, a value)
CASES: dict[str, list[tuple[tuple[Any, ...], torch.Tensor]]] = {
    "AffineTransform": [((1.5, -2.0), NUMBERS), ((LOC, POSITIVE), NUMBERS), ((LOC, POSITIVE, 1), NUMBERS)],
    "ExpTransform": [((), NUMBERS)],
    "SigmoidTransform": [((), NUMBERS)],
    "TanhTransform": [((), NUMBERS / 6)],
    "SoftplusTransform": [((), NUMBERS.abs() + 0.1)],
    "PowerTransform": [((2.0,), UNIT + 0.1), ((POSITIVE,), UNIT + 0.1)],
    "AbsTransform": [((), NUMBERS)],
}


def told(side: Side, made: Any, value: Any) -> list[Any]:
    """The transformed value, its inverse, the derivative, shapes; the inverse transform the same."""
    y = made(value)
    back = made.inv
    found = [y, back(y), attempted(lambda: made.log_abs_det_jacobian(value, y)), made.bijective, tuple(made.forward_shape((4, 2, 3)))]
    return [*found, attempted(lambda: back.log_abs_det_jacobian(y, value)), attempted(lambda: made.sign)]


def of(name: str) -> None:
    """Register the scenario of one transform."""

    def known(side: Side) -> Any:
        """values, inverses, derivatives, shapes"""
        return [told(side, side.call(*side.value(args)), side.value(value)) for args, value in CASES[name]]

    def cached(side: Side) -> Any:
        """with a cache the inverse of a result is the value itself"""
        made = side.call(*side.value(CASES[name][0][0]), cache_size=1)
        value = side.value(CASES[name][0][1])
        return made.inv(made(value)) is value

    for one in (known, cached):
        scenario(f"torch.distributions.{name}")(one)


for _name in CASES:
    of(_name)


def made_by(side: Side, name: str, *args: Any) -> Any:
    """Another class of torch.distributions, of the same side."""
    if side.declared is None:
        return getattr(torch.distributions, name)(*args)
    from mindport.evidence.knowledge import declaration

    return declaration(load().find(f"torch.distributions.{name}")[0]).target(*side.value(args))


@scenario("torch.distributions.ComposeTransform")
def one_after_another(side: Side) -> Any:
    """parts with and without axes of an event"""
    first, second, third = made_by(side, "AffineTransform", LOC, POSITIVE), made_by(side, "TanhTransform"), made_by(side, "AffineTransform", 1.0, -2.0, 1)
    return [told(side, side.call(parts), side.value(NUMBERS / 6)) for parts in ([], [first, second], [second, third], [first, second, third])]


@scenario("torch.distributions.IndependentTransform")
def of_one_event(side: Side) -> Any:
    """the derivative summed over an axis or two"""
    return [told(side, side.call(made_by(side, "SigmoidTransform"), axes), side.value(NUMBERS)) for axes in (1, 2)]


def _densities(side: Side, make: Callable[[Any], Any], value: torch.Tensor) -> list[Any]:
    made = make(side)
    found = [tuple(made.batch_shape), tuple(made.event_shape), made.has_rsample, made.log_prob(side.value(value))]
    for name in ("cdf", "icdf"):
        found.append(attempted(lambda name=name: getattr(made, name)(side.value(UNIT * 0.3 + 0.35))))  # type: ignore[misc]
    return [*found, tuple(made.sample((2,)).shape), tuple(made.rsample((2, 1)).shape), tuple(made.expand((5, 3)).batch_shape)]


@scenario("torch.distributions.TransformedDistribution")
def densities(side: Side) -> Any:
    """densities, distribution functions and shapes: rising, falling, broadcast, several transforms"""
    return [
        _densities(side, lambda s: s.call(made_by(s, "Normal", LOC, POSITIVE), made_by(s, "ExpTransform")), UNIT + 0.1),
        _densities(side, lambda s: s.call(made_by(s, "Normal", LOC, POSITIVE), [made_by(s, "TanhTransform")]), UNIT * 0.9),
        _densities(side, lambda s: s.call(made_by(s, "Uniform", torch.zeros(3), torch.ones(3)), [made_by(s, "AffineTransform", 1.0, -2.0), made_by(s, "SigmoidTransform")]), UNIT * 0.3 + 0.35),
        _densities(side, lambda s: s.call(made_by(s, "Normal", torch.zeros(3), torch.ones(3)), [made_by(s, "AffineTransform", LOC, POSITIVE)]), UNIT),
    ]


@scenario("torch.distributions.TransformedDistribution")
def several_axes(side: Side) -> Any:
    """an independent base: the density of a row; parameters that broadcast the base"""
    rows = made_by(side, "Independent", made_by(side, "Normal", LOC, POSITIVE), 1)
    wide = side.call(made_by(side, "Normal", torch.zeros(3), torch.ones(3)), [made_by(side, "AffineTransform", torch.zeros(4, 1), torch.ones(4, 1) * 2)])
    made = side.call(rows, [made_by(side, "TanhTransform")])
    return [made.log_prob(side.value(UNIT * 0.9)), tuple(made.event_shape), tuple(wide.batch_shape), wide.log_prob(side.value(UNIT[:4])), tuple(wide.sample((2,)).shape)]


@scenario("torch.distributions.TransformedDistribution")
def samples(side: Side) -> Any:
    """where the quantiles of many samples lie"""
    drawn = plain(side, side.call(made_by(side, "Normal", LOC, POSITIVE), [made_by(side, "TanhTransform")]).sample((20000,)))
    wanted = torch.tanh(LOC + POSITIVE * torch.tensor([-0.67449, 0.0, 0.67449])[:, None])
    found = drawn.quantile(torch.tensor([0.25, 0.5, 0.75]), 0)
    return tuple(drawn.shape), bool(((found - wanted).abs() < 0.04).all())
