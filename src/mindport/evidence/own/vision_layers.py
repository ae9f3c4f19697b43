"""Scenarios for torchvision's layers that are written in Python."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

X = torch.rand(4, 3, 5, 6, generator=torch.Generator().manual_seed(2)) - 0.3


@scenario("torchvision.ops.Permute")
def permuted(side: Side) -> Any:
    """Axes counted from either end."""
    return [side.call(dims)(side.value(X)) for dims in ([0, 2, 3, 1], (-1, 0, 1, 2))]


@scenario("torchvision.ops.FrozenBatchNorm2d")
def frozen(side: Side) -> Any:
    """Values and gradients with statistics of its own, in either mode; the names of the state; nothing to train."""
    layer = side.call(3, eps=1e-3)
    state = {name: side.value(torch.rand(3, generator=torch.Generator().manual_seed(i)) + 0.2) for i, name in enumerate(("weight", "bias", "running_mean", "running_var"))}
    layer.load_state_dict(state) if side.declared is None else side.make("torch.nn.Module.load_state_dict", layer, state)
    return [layer(side.value(X)), side.gradients(lambda x: layer(x).sin(), X), list(side.state(layer)), list(side.parameters(layer))]


@scenario("torchvision.ops.StochasticDepth")
def dropped(side: Side) -> Any:
    """Rows that go are zero, the others are scaled; about as many as asked for; none in evaluation, all at one."""
    found: list[Any] = []
    ones = side.value(torch.ones(4000, 2))
    for p, mode in ((0.2, "row"), (0.5, "batch"), (1.0, "row"), (0.0, "row")):
        layer = side.call(p, mode)
        kept = layer(ones).sum(1) / 2
        values = sorted({round(float(v), 4) for v in kept.tolist()})
        found.append(values if mode == "row" else len(values))
        found.append(abs(sum(v > 0 for v in kept.tolist()) / 4000 - (1 - p)) < 0.03 if mode == "row" else None)
        side.trains(layer, False)
        found.append(layer(side.value(X)))
    return found
