"""Steps by hand, in old code's ways: changes of `.data`, of list members, of tensors that keep their gradients, are torch's on both sides."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import both_sides  # noqa: E402

PROGRAM = '''
import torch


def past_autograd(start):
    w = torch.tensor(start, requires_grad=True)
    x = w * 2
    x.data.mul_(3.0)
    x.data += 1
    x.detach().sub_(0.5)
    (x * x).sum().backward()
    return w.grad, x.detach()


class Layer:
    def __init__(self, start):
        self.weight = torch.tensor(start)
        self.weight.requires_grad_()


def momentum(start):
    layers = [Layer(start), Layer(start)]
    params = [layer.weight for layer in layers]
    velocity = [torch.zeros_like(p) for p in params]
    losses = []
    for _ in range(3):
        for p in params:
            p.grad = None
        loss = (params[0] * params[1] - 1).pow(2).sum()
        loss.backward()
        for p, v in zip(params, velocity):
            v.mul_(0.9).add_(p.grad)
            p.data.add_(v, alpha=-0.1)
            p.data = p.data * 0.9
        losses.append(loss.detach())
    return losses


def two_at_once(start):
    x, w = torch.tensor(start), torch.tensor(start, requires_grad=True)
    losses = []
    for _ in range(3):
        loss = (x * w - 1).pow(2).mean()
        loss.backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
            w.grad.zero_()
        losses.append(loss.detach())
    return losses
'''


@pytest.mark.parametrize("name", ["past_autograd", "momentum", "two_at_once"])
def test_the_same_numbers(tmp_path: Path, name: str) -> None:
    before, after = both_sides(tmp_path, PROGRAM)
    start = [0.5, -1.5, 2.0]
    for ours, theirs in zip(getattr(after, name)(start), getattr(before, name)(start), strict=True):
        torch.testing.assert_close(torch.from_numpy(ours.asnumpy()), theirs, rtol=1e-5, atol=1e-6)
