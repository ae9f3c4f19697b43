"""Scenarios of classes that a program names or derives from, whose members count more than what they compute."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario


@scenario("torchvision.transforms.InterpolationMode", "torchvision.transforms.AutoAugmentPolicy", "torchvision.io.ImageReadMode")
def members(side: Side) -> Any:
    """Every name and value, by value and by name, and a value that is none."""
    kind = side.named(side.name)
    try:
        wrong: Any = side.call("no such")
    except ValueError as error:
        wrong = type(error).__name__
    return [[one.name, one.value, side.call(one.value) is one, kind[one.name] is one, one == one.value] for one in kind], wrong


@scenario("torch.distributions.Distribution")
def base_of_distributions(side: Side) -> Any:
    """A distribution of one's own: its shapes, what it samples, what it does not say."""

    class Point(side.named(side.name)):  # type: ignore[misc]
        arg_constraints: dict[str, Any] = {}

        def __init__(self, place: Any, event: tuple[int, ...]) -> None:
            self.place = place
            super().__init__(tuple(place.shape), event, validate_args=False)

        def sample(self, sample_shape: tuple[int, ...] = ()) -> Any:
            return self.place.expand(self._extended_shape(sample_shape)) if side.declared is None else self.place.broadcast_to(tuple(self._extended_shape(sample_shape)))

    made = Point(side.value(torch.arange(3.0)), ())
    silent = []
    for name in ("mean", "variance", "entropy"):
        try:
            value = getattr(made, name)
            silent.append(value() if callable(value) else value)
        except NotImplementedError:
            silent.append("NotImplementedError")
    return tuple(made.batch_shape), tuple(made.event_shape), made.sample((2,)).tolist(), silent, tuple(Point(side.value(torch.ones(2, 3)), (4,))._extended_shape((5,)))


@scenario("torch.distributions.register_kl")
def own_divergences(side: Side) -> Any:
    """A formula for two classes of one's own, and for one beside a library's."""
    normal = side.named("torch.distributions.Normal")

    class Mine(normal):  # type: ignore[misc,valid-type]
        pass

    @side.call(Mine, Mine)  # type: ignore[untyped-decorator]
    def of_two(p: Any, q: Any) -> Any:
        return p.loc - q.loc

    one, other = (Mine(side.value(torch.tensor([place, 2.0])), side.value(torch.tensor([1.0, 3.0]))) for place in (0.5, -1.0))
    return side.make("torch.distributions.kl_divergence", one, other).tolist(), of_two.__name__
