"""Scenarios of windows whose gradient is differentiated: values, gradients and the gradients of a penalty, compiled as converted steps are."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

import mindspore as ms
import torch

from mindport.evidence.scenarios import Side, scenario
from mindport.forms import OF_WINDOWS

#: What registers the rules; named, so that scenarios can be read where the knowledge is another.
RULES = "mindport.equivalents.registered_gradients"
X = torch.sin(torch.arange(2 * 3 * 7 * 9.0) * 1.3).reshape(2, 3, 7, 9)
#: Window, step, padding and whether windows over the end count, and whether the second gradient is asked, too.
WINDOWS: tuple[tuple[tuple[Any, ...], bool], ...] = (
    ((2,), True), (((3, 2), (2, 1)), True), ((3, 1), True), (([2, 3], 2), True), ((3, 2, 1), False), ((2, None, 0, True), False),
)  # fmt: skip


def penalty(side: Side, pool: Callable[[Any], Any]) -> list[Any]:
    """The gradient of the sum of cubes of the gradient of a sum of squares."""
    if side.declared is None:
        x = X.clone().requires_grad_()
        (first,) = torch.autograd.grad((pool(x * x) ** 2).sum(), x, create_graph=True)
        return list(torch.autograd.grad((first**3).sum(), x))
    importlib.import_module(RULES)

    def squares(x: Any) -> Any:
        return (pool(x * x) ** 2).sum()

    def cubes(x: Any) -> Any:
        return (ms.grad(squares)(x) ** 3).sum()

    return [ms.jit(ms.grad(cubes), fullgraph=True)(side.value(X))]


def found(side: Side, made: Callable[..., Callable[[Any], Any]]) -> Iterator[Any]:
    for window, twice in WINDOWS:
        pool = made(*window)
        yield pool(side.value(X))
        yield from side.gradients(lambda x, pool=pool: pool(x * x) * pool(x), X)
        if twice:
            yield from penalty(side, pool)


@scenario(f"torch.nn.functional.avg_pool2d{OF_WINDOWS}")
def means(side: Side) -> Any:
    """Windows of several sizes and steps; over borders by value alone; of another divisor."""
    target = torch.nn.functional.avg_pool2d if side.declared is None else side.declared.target

    def made(kernel: Any, stride: Any = None, padding: int = 0, ceil: bool = False) -> Callable[[Any], Any]:
        def pool(x: Any) -> Any:
            return target(x, kernel, stride, padding, ceil)

        return pool

    return [*found(side, made), side.call(side.value(X), 2, divisor_override=3), side.call(side.value(X), 3, 2, 1, count_include_pad=False)]


@scenario(f"torch.nn.MaxPool2d{OF_WINDOWS}")
def maxima(side: Side) -> Any:
    """Windows of several sizes and steps, over borders, with gaps, with the places of the maxima."""

    def made(kernel: Any, stride: Any = None, padding: int = 0, ceil: bool = False) -> Callable[[Any], Any]:
        return side.call(kernel, stride, padding, ceil_mode=ceil)  # type: ignore[no-any-return]

    more = [side.call(2, dilation=2)(side.value(X)), *side.call(2, return_indices=True)(side.value(X))]
    return [*found(side, made), *penalty(side, side.call(3, 2, padding=1)), *more]
