"""Scenarios of modules that are called with other tensors, and of the state of several modules stacked."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

IMAGES = torch.linspace(-2, 2, 20).reshape(2, 2, 5).cos()


def net(side: Side) -> Any:
    """Convolution, normalisation, a linear layer that comes twice."""
    linear = side.make("torch.nn.Linear", 5, 5)
    parts = [side.make("torch.nn.Conv1d", 2, 3, 3, padding=1), side.make("torch.nn.LayerNorm", 5), linear, side.make("torch.nn.ReLU"), linear]
    return side.make("torch.nn.Sequential", *parts)


def numbered(names: list[str], shapes: list[tuple[int, ...]]) -> dict[str, torch.Tensor]:
    """A tensor of each shape, no two alike."""
    return {
        name: (torch.arange(float(torch.Size(shape).numel())) * 0.7 + place).sin().reshape(shape)
        for place, (name, shape) in enumerate(zip(names, shapes, strict=True))
    }


WHOLE = numbered(["0.weight", "0.bias", "1.weight", "1.bias", "2.weight", "2.bias"], [(3, 2, 3), (3,), (5,), (5,), (5, 5), (5,)])


@scenario("torch.func.functional_call", "torch.nn.utils.stateless.functional_call")
def with_other_tensors(side: Side) -> Any:
    """all tensors, in one dict and in two; the module keeps its own; a weight that has two names"""
    module, x = net(side), side.value(IMAGES)
    given = {name: side.value(value) for name, value in WHOLE.items()}
    mine = {name: value for name, value in given.items() if name[0] in "01"}
    found = [side.call(module, given, x), side.call(module, given, (x,), {})]
    if "stateless" not in side.name:
        found.append(side.call(module, (mine, {name: value for name, value in given.items() if name not in mine}), (x,)))
    module[2].weight.requires_grad  # noqa: B018 - the module's own parameter is in its place again
    for name in ("5.weight", "2.nothing"):
        try:
            side.call(module, {name: given["2.bias"]}, (x,))
        except (KeyError, AttributeError):
            found.append("no such tensor")
    try:
        side.call(module, mine, (x,), strict=True)
    except RuntimeError:
        found.append("strict")
    return found


@scenario("torch.func.functional_call")
def statistics(side: Side) -> Any:
    """a buffer, in evaluation mode"""
    module = side.make("torch.nn.BatchNorm1d", 5)
    side.trains(module, False)
    x = side.value(IMAGES[:, 0])
    return [side.call(module, {"running_mean": side.value(torch.arange(5.0)), "weight": side.value(torch.arange(5.0) + 1)}, (x,)), module(x)]


@scenario("torch.func.stack_module_state")
def stacked(side: Side) -> Any:
    """names and shapes, buffers apart; none and several kinds are errors"""
    modules = [side.make("torch.nn.Sequential", side.make("torch.nn.Conv1d", 2, 3, 3), side.make("torch.nn.BatchNorm1d", 3)) for _ in range(4)]
    parameters, buffers = side.call(modules)
    found: list[Any] = [list(parameters), [tuple(value.shape) for value in parameters.values()]]
    found.append([(name, tuple(value.shape)) for name, value in buffers.items() if "num_batches" not in name])
    found += [parameters["1.weight"], buffers["1.running_var"]]
    for wrong in ([], [modules[0], side.make("torch.nn.ReLU")]):
        try:
            side.call(wrong)
        except RuntimeError:
            found.append("not stacked")
    return found
