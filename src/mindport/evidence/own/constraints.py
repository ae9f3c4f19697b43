"""Constraints of distributions, and the transforms that they ask for."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

C = "torch.distributions.constraints."
NUMBERS = torch.tensor([[-1.5, 0.0, 0.25, 1.0], [2.0, 3.0, float("nan"), 0.75], [0.0, 0.0, 1.0, 0.0], [0.25, 0.25, 0.5, 0.0]])
MATRICES = torch.tensor([
    [[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.5], [0.5, 1.0]], [[1.0, 2.0], [2.0, 1.0]], [[1.0, 0.0], [3.0, 2.0]], [[1.0, 0.0], [0.6, 0.8]], [[-1.0, 0.0], [0.0, 1.0]], [[0.0, 0.0], [0.0, 1.0]],
])  # fmt: skip


def told(side: Side, one: Any, values: torch.Tensor) -> Any:
    """What a constraint says of itself and of values."""
    return [repr(one).lstrip("_"), one.is_discrete, one.event_dim, one.check(side.value(values))]


@scenario(C + "integer_interval", C + "interval", C + "half_open_interval")
def between(side: Side) -> Any:
    """two bounds"""
    one = side.call(0, 1)
    return [one.check(side.value(NUMBERS)), one.check(side.value(torch.tensor([0, 1, 2]))), one.is_discrete, one.event_dim, one.lower_bound, one.upper_bound]


@scenario(C + "greater_than", C + "greater_than_eq", C + "less_than", C + "multinomial")
def one_bound(side: Side) -> Any:
    """one bound"""
    one = side.call(1.0)
    return [one.check(side.value(NUMBERS)), one.is_discrete, one.event_dim]


@scenario(C + "independent", C + "MixtureSameFamilyConstraint")
def grouped(side: Side) -> Any:
    """events of several numbers"""
    inner = side.make(C + "greater_than", 0.1)
    if side.name.endswith("independent"):
        found = [side.call(inner, axes) for axes in (0, 1, 2)]
        return [(one.check(side.value(NUMBERS)), one.event_dim, one.is_discrete) for one in found]
    return [side.call(inner).check(side.value(NUMBERS)), side.call(side.make(C + "independent", inner, 1)).check(side.value(NUMBERS))]


@scenario(C + "cat", C + "stack")
def by_part(side: Side) -> Any:
    """a constraint for each part"""
    parts = [side.make(C + "greater_than", 0.1), side.make(C + "interval", 0.0, 1.0), side.make(C + "less_than", 0.5), side.make(C + "integer_interval", 0, 3)]
    return [(one.check(side.value(NUMBERS)), one.event_dim, one.is_discrete) for one in (side.call(parts, 0), side.call(parts, dim=-1))]


@scenario(C + "dependent_property", C + "is_dependent")
def dependent(side: Side) -> Any:
    """a property of objects that is a constraint of the class"""
    make = side.make if side.name.endswith("is_dependent") else lambda name, *args, **kwargs: side.call(*args, **kwargs)
    prop = make(C + "dependent_property", is_discrete=False, event_dim=1)

    class Holder:
        scale = 3.0

        @prop
        def support(self) -> Any:
            return side.make(C + "less_than", self.scale)

    answers = [Holder().support.check(side.value(NUMBERS)), Holder.support.event_dim, Holder.support.is_discrete]
    return [*answers, side.make(C + "is_dependent", Holder.support), side.make(C + "is_dependent", Holder().support)]


@scenario("torch.distributions.biject_to", "torch.distributions.transform_to")
def chosen(side: Side) -> Any:
    """the transform, its values, inverse and derivative"""
    given = side.value(torch.tensor([[0.3, -1.2, 0.8]]))
    found = []
    for one in (side.make(C + "greater_than", 2.0), side.make(C + "greater_than_eq", 0.0), side.make(C + "less_than", -1.0), side.make(C + "interval", 0, 1), side.make(C + "half_open_interval", 2.0, 5.0),
                side.make(C + "independent", side.make(C + "greater_than", 0.0), 1), side.make(C + "cat", [side.make(C + "greater_than", 0.0), side.make(C + "interval", 0.0, 2.0)], -1, [1, 2])):  # fmt: skip
        made = side.call(one)
        there = made(given)
        found.append([there, made.inv(there), made.log_abs_det_jacobian(given, there), made.bijective])
    return found


@scenario("torch.distributions.biject_to.register", "torch.distributions.transform_to.register")
def entered(side: Side) -> Any:
    """a class of the project"""
    base = type(side.make(C + "greater_than", 1.0)).__mro__[1]

    class Own(base):  # type: ignore[misc,valid-type]
        pass

    side.call(Own, lambda one: side.make("torch.distributions.ExpTransform"))
    asked = side.make(side.name.rpartition(".")[0], Own())
    return asked(side.value(torch.tensor([0.5, 1.0])))


@scenario("torch.distributions.identity_transform")
def unchanged(side: Side) -> Any:
    """a call"""
    return side.call(side.value(NUMBERS))


@scenario(C + "Constraint")
def base(side: Side) -> Any:
    """what every constraint has"""
    one = side.call()
    return [one.is_discrete, one.event_dim]
