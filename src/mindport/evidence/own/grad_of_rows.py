"""Scenarios of derivatives by dictionaries and lists inside of what is differentiated."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

W = {"a": torch.tensor([[0.4, -0.2, 0.1], [0.3, 0.8, -0.5]]), "b": torch.tensor([0.7, -0.6])}
X = torch.tensor([[1.0, 0.5, -1.0], [0.2, -0.3, 2.0]])
V = {"a": torch.tensor([[1.0, 0.0, -1.0], [0.5, 0.5, 2.0]]), "b": torch.tensor([-1.0, 0.5])}


def energy(weights: Any, x: Any) -> Any:
    """One number, whose second derivatives mix the weights."""
    hidden = x @ weights["a"].T
    return ((hidden * hidden) * weights["b"]).sum() + (weights["b"] * weights["b"] * weights["b"]).sum()


def of_list(weights: Any, x: Any) -> Any:
    """The same of a list."""
    return energy({"a": weights[0], "b": weights[1]}, x)


def values(side: Side, row: dict[str, torch.Tensor]) -> dict[str, Any]:
    """A dictionary of one side's tensors."""
    return {name: side.value(tensor) for name, tensor in row.items()}


@scenario("torch.func.grad_of_rows")
def adapted(side: Side) -> Any:
    """two steps of an inner loop, then the gradient by what it began with: dictionary, list, data, rates from around"""
    derivative = side.call if side.declared is not None else torch.func.grad
    x, rate = side.value(X), 0.1

    def outer(weights: Any, x: Any) -> Any:
        for _ in range(2):
            slopes = derivative(energy)(weights, x)
            weights = {name: weights[name] - rate * slopes[name] for name in weights}
        return energy(weights, x)

    def outer_of_list(weights: Any, x: Any) -> Any:
        slopes = derivative(of_list)(weights, x)
        return of_list([w - rate * s for w, s in zip(weights, slopes, strict=True)], x)

    def by_data(x: Any, weights: Any) -> Any:
        slopes = derivative(energy, argnums=1)(weights, x)
        return (slopes * slopes).sum()

    def around(rate: Any) -> Any:
        slopes = derivative(lambda weights: energy(weights, x) * rate.sum())(weights)
        return (slopes["a"] * slopes["a"]).sum() + slopes["b"].sum()

    weights = values(side, W)
    found = derivative(outer)(weights, x)
    listed = derivative(outer_of_list)([weights["a"], weights["b"]], x)
    return found["a"], found["b"], *listed, derivative(by_data)(x, weights), derivative(around)(side.value(torch.tensor([0.5, 0.2])))


@scenario("torch.func.grad_and_value_of_rows")
def adapted_with_values(side: Side) -> Any:
    """the inner loop's loss counts, too, and its auxiliary result"""
    derivative = side.call if side.declared is not None else torch.func.grad_and_value
    x = side.value(X)

    def with_more(weights: Any, x: Any) -> Any:
        loss = energy(weights, x)
        return loss, loss * loss

    def outer(weights: Any, x: Any) -> Any:
        slopes, loss = derivative(energy)(weights, x)
        more, (_, square) = derivative(with_more, has_aux=True)(weights, x)
        weights = {name: weights[name] - 0.1 * slopes[name] - 0.05 * more[name] for name in weights}
        return energy(weights, x) + 0.5 * loss + 0.01 * square

    found, value = derivative(outer)(values(side, W), x)
    return found["a"], found["b"], value


@scenario("torch.func.jvp_of_rows")
def hessian_product(side: Side) -> Any:
    """the product of a Hessian by a dictionary"""
    product: Any = side.call if side.declared is not None else torch.func.jvp
    x = side.value(X)

    def of_weights(weights: Any) -> Any:
        return energy(weights, x)

    slope = side.make("torch.func.grad_of_rows", of_weights) if side.declared is not None else torch.func.grad(of_weights)
    slopes, products = product(slope, (values(side, W),), (values(side, V),))
    return slopes["a"], slopes["b"], products["a"], products["b"]
