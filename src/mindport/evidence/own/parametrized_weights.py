"""Scenarios of weights that are computed: weight and spectral normalisation in both forms, parametrisations of one's own, fused batch normalisation."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

UTILS = "torch.nn.utils."
CASES: list[tuple[str, tuple[Any, ...], tuple[int, ...]]] = [
    ("torch.nn.Linear", (5, 4), (3, 5)), ("torch.nn.Conv2d", (2, 4, 3), (1, 2, 5, 5)), ("torch.nn.ConvTranspose2d", (2, 3, 3), (1, 2, 4, 4)), ("torch.nn.Conv1d", (2, 4, 3), (1, 2, 6)),
]  # fmt: skip


def given(shape: tuple[int, ...]) -> torch.Tensor:
    """An input."""
    return torch.arange(float(torch.Size(shape).numel())).reshape(shape).sin()


def seen(side: Side, module: Any, shape: tuple[int, ...]) -> list[Any]:
    """The state and its keys, the parameters' names, the output, the gradients of the input and the parameters (a one-dimensional
    convolution's weight has an axis more in MindSpore: their elements)."""
    held, parameters = side.state(module), side.parameters(module)
    gradients = side.gradients(lambda x: module(x) * module(x).sin(), given(shape), weights=list(parameters.values()))
    return [list(held), [value + 0 for value in held.values()], list(parameters), module(side.value(given(shape))), [gradient.reshape((-1,)) for gradient in gradients]]


@scenario(UTILS + "weight_norm", UTILS + "parametrizations.weight_norm")
def normalised(side: Side) -> Any:
    """Four layers, the default axis, another one, the whole weight; the bias; the weight itself."""
    found: list[Any] = []
    for name, args, shape in CASES:
        for extra in ((), ("weight", 1), ("weight", None)):
            if extra == ("weight", 1) and name.endswith("1d"):
                continue  # MindSpore's weight has an axis more; said in the equivalent
            module = side.layer(name, *args)
            found.append(side.call(module, *extra) is module)
            found += seen(side, module, shape)
            found.append(side.value(torch.zeros(1)) + module.weight.reshape((-1,)))
    return found


@scenario(UTILS + "remove_weight_norm")
def plain_again(side: Side) -> Any:
    """State, names, output and gradients after it; what has none raises."""
    found: list[Any] = []
    for name, args, shape in CASES:
        module = side.make(UTILS + "weight_norm", side.layer(name, *args))
        found.append(side.call(module) is module)
        found += seen(side, module, shape)
        try:
            side.call(module)
        except ValueError:
            found.append("no weight norm")
    return found


@scenario(UTILS + "spectral_norm", UTILS + "parametrizations.spectral_norm")
def largest_singular_value(side: Side) -> Any:
    """After many steps the start is forgotten: the weight's largest singular value is one; the names of what is held."""
    found: list[Any] = []
    for name, args, shape in CASES[:2]:
        module = side.call(side.layer(name, *args), n_power_iterations=200)
        (module.train if side.declared is None else module.set_train)()
        x = side.value(given(shape))
        found += [module(x), list(side.state(module)), list(side.parameters(module))]
        side.trains(module, False)
        found.append(module(x))
    return found


@scenario(UTILS + "remove_spectral_norm")
def plain_after_spectral(side: Side) -> Any:
    """The names, the normalised weight."""
    module = side.make(UTILS + "spectral_norm", side.layer("torch.nn.Linear", 5, 4), n_power_iterations=200)
    (module.train if side.declared is None else module.set_train)()
    module(side.value(given((3, 5))))
    same = side.call(module) is module
    return same, list(side.parameters(module)), module.weight + 0, module(side.value(given((3, 5))))


def doubling(side: Side) -> Any:
    """A parametrisation: twice the symmetric part."""
    base = torch.nn.Module if side.declared is None else __import__("mindspore").nn.Cell

    class Symmetric(base):  # type: ignore[misc, valid-type]
        """w + wᵀ."""

        def forward(self, w: Any) -> Any:
            """Square matrices."""
            return w + w.T

        construct = forward

    return Symmetric()


def parametrised(side: Side, *, times: int = 1) -> Any:
    """A square linear layer whose weight is computed."""
    module = side.layer("torch.nn.Linear", 4, 4)
    for _ in range(times):
        side.make(UTILS + "parametrize.register_parametrization", module, "weight", doubling(side))
    return module


@scenario(UTILS + "parametrize.register_parametrization")
def registered(side: Side) -> Any:
    """Once, twice."""
    module = side.layer("torch.nn.Linear", 4, 4)
    found: list[Any] = []
    for _ in range(2):
        found.append(side.call(module, "weight", doubling(side)) is module)
        found += [*seen(side, module, (3, 4)), module.weight + 0]
    return found


@scenario(UTILS + "parametrize.is_parametrized")
def asked(side: Side) -> Any:
    """Before and after, by name."""
    plain, computed = side.layer("torch.nn.Linear", 4, 4), parametrised(side)
    return side.call(plain), side.call(plain, "weight"), side.call(computed), side.call(computed, "weight"), side.call(computed, "bias")


@scenario(UTILS + "parametrize.remove_parametrizations")
def unregistered(side: Side) -> Any:
    """The computed weight stays, or the original comes back."""
    found: list[Any] = []
    for times, leave in ((1, True), (1, False), (2, True)):
        module = parametrised(side, times=times)
        found.append(side.call(module, "weight", leave_parametrized=leave) is module)
        found += seen(side, module, (3, 4))
        found.append(side.make(UTILS + "parametrize.is_parametrized", module))
    return found


@scenario(UTILS + "parametrize.cached")
def once(side: Side) -> Any:
    """The values inside are those of outside."""
    module = parametrised(side)
    with side.call():
        inside = module(side.value(given((3, 4)))), module.weight + 0
    return inside, module.weight + 0


def fused(side: Side, bias: bool) -> Any:
    """The output of the fused layer, that of the two, its state."""
    linear = side.name.endswith("linear_bn_eval")
    first = side.layer("torch.nn.Linear", 5, 4, bias=bias) if linear else side.layer("torch.nn.Conv2d", 2, 4, 3, bias=bias)
    second = side.layer("torch.nn.BatchNorm1d" if linear else "torch.nn.BatchNorm2d", 4)
    x = side.value(given((6, 5) if linear else (3, 2, 5, 5)))
    (second.train if side.declared is None else second.set_train)()
    second(first(x))  # running statistics of their own
    for module in (first, second):
        side.trains(module, False)
    made = side.call(first, second)
    return [made(x), second(first(x)), list(side.state(made))]


@scenario(UTILS + "fuse_conv_bn_eval", UTILS + "fuse_linear_bn_eval")
def fused_with_bias(side: Side) -> Any:
    """A layer with a bias"""
    return fused(side, True)


@scenario(UTILS + "fuse_conv_bn_eval", UTILS + "fuse_linear_bn_eval")
def fused_without_bias(side: Side) -> Any:
    """A layer without bias"""
    return fused(side, False)
