"""Gradients of gradients by tensors that a module is called with (`functional_call` of adapted weights): Parameters stand in their places."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import autograd, optim
from torch.func import functional_call


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 5), nn.Tanh())
        self.head = nn.Linear(5, 1)

    def forward(self, x):
        return self.head(self.body(x))


def wave(*shape, by=0.9):
    return torch.sin(torch.arange(float(torch.Size(shape).numel())) * by + by).reshape(shape)


def filled(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(wave(*p.shape, by=0.5 + 0.1 * i))
    return net


net, other = filled(Net()), filled(Net())
opt = optim.SGD(net.parameters(), lr=0.1)
xs, ys, xq, yq = wave(6, 3), wave(6, 1, by=0.4), wave(6, 3, by=1.3), wave(6, 1, by=0.7)
for step in range(2):
    fast = dict(net.named_parameters())
    for turn in range(3):
        INNER
    loss = F.mse_loss(functional_call(net, fast, (xq,)), yq)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(loss.item(), 4), [round(p.grad.sum().item(), 4) for p in net.parameters()])
print([round(p.sum().item(), 4) for p in net.parameters()])
"""
TAKEN = """grads = autograd.grad(inner, list(fast.values()), create_graph=True)
        fast = {k: p - 0.1 * g for (k, p), g in zip(fast.items(), grads)}"""
ALIKE = {
    "one call": "inner = F.mse_loss(functional_call(net, fast, (xs,)), ys)",
    "two calls": "inner = F.mse_loss(functional_call(net, fast, (xs,)), ys) + functional_call(net, fast, xq).abs().mean()",
    "its tensors alone, too": "inner = F.mse_loss(functional_call(net, fast, (xs,)), ys) + 0.1 * sum((p ** 2).sum() for p in fast.values())",
    "other parameters beside it": "inner = F.mse_loss(functional_call(net, fast, (xs,)), other(xs))",
    "by name": "inner = F.mse_loss(functional_call(module=net, parameter_and_buffer_dicts=fast, args=(xs,)), ys)",
}


@pytest.mark.frameworks
@pytest.mark.parametrize("inner", ALIKE.values(), ids=ALIKE)
def test_of_adapted_weights(inner: str, tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM.replace("INNER", f"{inner}\n        {TAKEN}"))
    assert theirs == ours


@pytest.mark.frameworks
@pytest.mark.parametrize(
    "inner",
    [
        "inner = F.mse_loss(functional_call(net, fast, (xs,)), net(xs).flip(0))",
        "inner = F.mse_loss(functional_call(net, fast, (xs,)), ys) + functional_call(net, {k: 2 * v for k, v in fast.items()}, (xs,)).mean()",
    ],
    ids=["the module itself beside it", "other tensors, too"],
)
def test_what_a_parameter_cannot_stand_for_is_refused(inner: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="another than operator by operator|calls a module with other tensors"):
        printed_by_both(tmp_path, PROGRAM.replace("INNER", f"{inner}\n        {TAKEN}"))


@pytest.mark.frameworks
def test_a_parameter_that_the_step_makes_is_not_made_again(tmp_path: Path) -> None:
    program = PROGRAM.replace("xs, ys, xq", "rate = nn.Parameter(torch.tensor(0.1))\nxs, ys, xq").replace("INNER", f"inner = rate * F.mse_loss(functional_call(net, fast, (xs,)), ys)\n        {TAKEN}")
    theirs, ours = printed_by_both(tmp_path, program.replace("print([round(p.sum()", "print(round(rate.grad.item(), 4))\nprint([round(p.sum()"))
    assert theirs == ours
