"""Scenarios of what tensors say of the graph of their gradient, inside of a function that is differentiated."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

X = torch.arange(12.0).reshape(3, 4).sin()


@scenario("torch.Tensor.requires_grad", "torch.Tensor.is_leaf", "torch.Tensor.grad_fn")
def asked(side: Side) -> Any:
    """Of an input, results, views, what is detached, a constant, whole numbers and truth values, parameters that are trained or frozen."""
    said: list[bool] = []
    trained, frozen = (side.make("torch.nn.Linear", 4, 2) for _ in range(2))
    frozen.weight.requires_grad = False

    def compute(x: Any) -> Any:
        inner = x * 2
        constant = side.value(torch.ones(3))
        for tensor in (x * 1, inner, inner.reshape(4, 3), inner[0], constant, constant * 2, inner.argmax(), inner > 1, trained.weight, frozen.weight, trained(inner)):
            said.append(answer(side, tensor))
        return inner * inner

    gradients = side.gradients(compute, X)
    return said, gradients, answer(side, trained.weight), answer(side, side.value(torch.ones(2)))


def answer(side: Side, tensor: Any) -> bool:
    """What an attribute says; of a node, which can be called and therefore is not asked for by `Side.call`, whether there is none."""
    found = getattr(tensor, side.name.rpartition(".")[2]) if side.declared is None else side.call(tensor)
    return found if isinstance(found, bool) else found is None


@scenario("torch.Tensor.retain_grad", "torch.Tensor.retains_grad")
def kept(side: Side) -> Any:
    """The gradient of a result that is read twice; asked for once more; behind a hook; of a parameter, whose own it is anyway."""
    held: list[Any] = []
    is_asking = side.name.endswith("retain_grad")
    weight = side.make("torch.nn.Linear", 3, 2).weight

    def compute(x: Any) -> Any:
        inner, other = x * x.sin(), x.cos()
        other.register_hook(lambda gradient: gradient * 3)
        for tensor in (inner, inner, other, weight) if is_asking else (inner, weight):
            held.append(side.call(tensor))
        if is_asking:
            inner.register_hook(lambda gradient: gradient * 2)  # registered later: what is kept has gone through it all the same
            held.extend((inner, other))
        return inner * inner + inner + other

    gradients = side.gradients(compute, X)
    return gradients, [part.grad if hasattr(part, "grad") else part for part in held]
