"""Scenarios of torch.func and torch.autograd.functional, over functions that both frameworks can run."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

X, Y, V = torch.tensor([1.0, -2.0, 0.5]), torch.tensor([0.3, 2.0, -1.0]), torch.tensor([1.0, 0.5, -2.0])


def cubes(x: Any) -> Any:
    """Elementwise."""
    return x * x * x


def products(x: Any, y: Any) -> Any:
    """Of two arguments."""
    return x * x * y


def total(x: Any) -> Any:
    """One number."""
    return (x * x * x).sum()


def paired(x: Any) -> Any:
    """One number and an auxiliary result."""
    return (x * x * x).sum(), x * 2


def mixed(x: Any, y: Any) -> Any:
    """One number of two arguments."""
    return (x * x * y).sum()


@scenario("torch.func.grad")
def gradients(side: Side) -> Any:
    """of one argument, of several, with an auxiliary result"""
    x, y = side.value(X), side.value(Y)
    return side.call(mixed)(x, x), side.call(mixed, (0, 1))(x, x), side.call(total)(x), side.call(mixed, 1)(x, y), side.call(mixed, argnums=(0, 1))(x, y), side.call(paired, has_aux=True)(x)


@scenario("torch.func.grad_and_value")
def gradients_and_values(side: Side) -> Any:
    """with and without an auxiliary result"""
    return side.call(total)(side.value(X)), side.call(paired, has_aux=True)(side.value(X))


def of_parts(parts: Any, x: Any) -> Any:
    """One number of tensors in a dict, and of a list in it."""
    return (parts["a"] * x * x).sum() + (parts["rest"][0] * parts["rest"][1] * x).sum()


def of_parts_with_more(parts: Any, x: Any) -> Any:
    """The same with an auxiliary result."""
    return of_parts(parts, x), x * 2


@scenario("torch.func.grad", "torch.func.grad_and_value")
def gradients_of_containers(side: Side) -> Any:
    """of a dict that holds a list, together with a tensor, with an auxiliary result"""
    x, y, v = side.value(X), side.value(Y), side.value(V)
    parts = {"rest": [x, y], "a": v}
    return side.call(of_parts)(parts, x), side.call(of_parts, argnums=(0, 1))(parts, y), side.call(of_parts_with_more, has_aux=True)(parts, x)


@scenario("torch.func.grad", "torch.func.grad_and_value", "torch.func.jacrev", "torch.func.jacfwd", "torch.func.vjp", "torch.func.hessian")
def of_a_tensor_used_elsewhere(side: Side) -> Any:
    """the argument is used inside the function, too, where it counts as a constant"""
    x = side.value(X)

    def inside(z: Any) -> Any:
        return (z * z * x).sum()

    if side.name.endswith("vjp"):
        return side.call(inside, x)[1](side.value(torch.tensor(1.0)))
    return side.call(inside)(x)


@scenario("torch.func.grad")
def gradients_of_gradients(side: Side) -> Any:
    """one in another, and the gradient of each sample of a batch"""

    def slope(x: Any) -> Any:
        return side.call(total)(x).sum()

    rows = side.value(torch.stack([X, Y, V]))
    each = side.make("torch.func.vmap", side.call(mixed), in_dims=(None, 0))(side.value(X), rows)
    return side.call(slope)(side.value(X)), each, side.call(mixed, -1)(side.value(X), side.value(Y))


@scenario("torch.func.grad", "torch.func.grad_and_value", "torch.func.vjp")
def of_functions_that_take_derivatives(side: Side) -> Any:
    """a step along an inner gradient through a mean and a sum, and what stands around the inner function"""
    x, y = side.value(X), side.value(Y)

    def loss(w: Any) -> Any:
        return ((w * y).sum() - 1) ** 2 + (w * w).mean()

    def stepped(w: Any) -> Any:
        return loss(w - 0.1 * side.make("torch.func.grad", loss)(w)) * w.sum()

    if side.name.endswith("vjp"):
        return side.call(stepped, x)[1](side.value(torch.tensor(1.0)))
    return side.call(stepped)(x)


@scenario("torch.func.vjp")
def backwards(side: Side) -> Any:
    """one argument and two"""
    x, y, v = side.value(X), side.value(Y), side.value(V)
    one, pull = side.call(cubes, x)
    two, pull_both = side.call(products, x, y)
    return one, pull(v), two, pull_both(v)


@scenario("torch.func.jvp")
def forwards(side: Side) -> Any:
    """one argument and two"""
    x, y, v = side.value(X), side.value(Y), side.value(V)
    return side.call(cubes, (x,), (v,)), side.call(products, (x, y), (v, v))


@scenario("torch.func.jacrev", "torch.func.jacfwd")
def jacobians(side: Side) -> Any:
    """of the first argument, the second, both"""
    x, y = side.value(X), side.value(Y)
    return side.call(cubes)(x), side.call(products, 1)(x, y), side.call(products, argnums=(0, 1))(x, y)


@scenario("torch.func.hessian")
def second_derivatives(side: Side) -> Any:
    """of a sum of cubes; by two arguments"""
    return side.call(total)(side.value(X)), side.call(mixed, argnums=(0, 1))(side.value(X), side.value(Y))


@scenario("torch.vmap")
def batches(side: Side) -> Any:
    """over the first axis, another axis, one of two arguments"""
    rows = side.value(torch.arange(6.0).reshape(2, 3))
    return (
        side.call(cubes)(rows), side.call(products)(rows, rows), side.call(cubes, in_dims=1, out_dims=1)(rows),
        side.call(products, in_dims=(0, None))(rows, side.value(X)), side.call(total)(rows),
    )  # fmt: skip


@scenario("torch.vmap_of_structures", "torch.func.vmap_of_structures")
def batches_of_structures(side: Side) -> Any:
    """a dict for all members, a list with one each, and tensors alone"""
    rows = side.value(torch.arange(6.0).reshape(2, 3))
    mapped = side.call if side.declared is not None else torch.vmap

    def scaled(weights: Any, row: Any) -> Any:
        return {"row": row * weights["w"]}

    def joined(parts: Any) -> Any:
        return parts[0] * parts[1], parts[0] + parts[1]

    weights = {"w": side.value(X)}
    return mapped(scaled, in_dims=(None, 0))(weights, rows)["row"], mapped(joined, out_dims=1)([rows, rows]), mapped(cubes)(rows)


@scenario("torch.vmap_of_closures", "torch.func.vmap_of_closures")
def batches_of_closures(side: Side) -> Any:
    """a tensor from around the function, and the gradient by it"""
    rows = side.value(torch.arange(6.0).reshape(2, 3))
    mapped = side.call if side.declared is not None else torch.vmap

    def squares(w: Any) -> Any:
        def product(row: Any) -> Any:
            return (row * w).sum()

        return (mapped(product)(rows) ** 2).sum()

    return squares(side.value(X)), side.make("torch.func.grad", squares)(side.value(X))


@scenario("torch.vmap_of_partials", "torch.func.vmap_of_partials")
def batches_of_partials(side: Side) -> Any:
    """arguments bound to the function, given by name where it is called, and the gradient by one of them"""
    rows, w = side.value(torch.arange(6.0).reshape(2, 3)), side.value(X)
    mapped = side.call if side.declared is not None else torch.vmap

    def scaled(x: Any, row: Any, shift: Any = 0.0) -> Any:
        return (x * row).sum() + shift

    def squares(x: Any) -> Any:
        return (mapped(partial(scaled, x, shift=1.0))(rows) ** 2).sum()

    return mapped(partial(scaled, w))(rows), mapped(scaled, in_dims=(None, 0))(w, rows, shift=2.0), squares(w), side.make("torch.func.grad", squares)(w)


@scenario("torch.vmap_of_state", "torch.func.vmap_of_state")
def batches_of_state(side: Side) -> Any:
    """a number that changes between two calls"""
    rows, factor = side.value(torch.arange(6.0).reshape(2, 3)), [1.0]

    def scaled(row: Any) -> Any:
        return row * factor[0]

    mapped = (side.call if side.declared is not None else torch.vmap)(scaled)
    one = mapped(rows)
    factor[0] = 3.0
    return one, mapped(rows)


@scenario("torch.autograd.functional.jacobian")
def jacobians_at(side: Side) -> Any:
    """at one tensor and at two"""
    x, y = side.value(X), side.value(Y)
    return side.call(cubes, x), side.call(products, (x, y))


@scenario("torch.autograd.functional.hessian")
def hessians_at(side: Side) -> Any:
    """at one tensor and at two"""
    return side.call(total, side.value(X)), side.call(mixed, (side.value(X), side.value(Y)))


@scenario("torch.autograd.functional.vjp", "torch.autograd.functional.jvp")
def products_at(side: Side) -> Any:
    """with a vector"""
    return side.call(cubes, side.value(X), side.value(V))


@scenario("torch.autograd.functional.hvp", "torch.autograd.functional.vhp")
def second_products(side: Side) -> Any:
    """with a vector, and with two at two tensors"""
    x, y, v = side.value(X), side.value(Y), side.value(V)
    return side.call(total, x, v), side.call(mixed, (x, y), (v, x))
