"""Numbers that NumPy draws beside a gradient by inputs are drawn once, as in torch."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import printed_by_both  # noqa: E402

START = """
import numpy as np
import torch

rng = np.random.RandomState(0)
net = torch.nn.Linear(2, 2)
torch.nn.init.eye_(net.weight)
torch.nn.init.zeros_(net.bias)


def like(x):
    return torch.from_numpy(rng.standard_normal(tuple(x.shape))).float()
"""

SLICED_SCORE = (
    START
    + """

def score(x):
    x = x.detach().requires_grad_(True)
    vectors = like(x).sign()
    out = torch.tanh(net(x))
    total = (out * vectors).sum()
    grad = torch.autograd.grad(total, x, create_graph=True)[0]
    return ((out * out).sum(-1) / 2 + (vectors * grad).sum(-1)).mean()


opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    loss = score(torch.tensor([[0.5, -1.0], [2.0, 0.3]]))
    loss.backward()
    opt.step()
    print(round(loss.item(), 4))
print(round(net.weight.sum().item(), 4), round(rng.rand(), 5))
"""
)

ALONE = (
    START
    + """

def sensitivity(x):
    x = x.detach().requires_grad_(True)
    noise = like(x)
    total = (torch.tanh(net(x)) * noise).sum()
    grad = torch.autograd.grad(total, x)[0]
    return (grad * noise).sum().item(), total.item()


for _ in range(3):
    print(*(round(v, 4) for v in sensitivity(torch.tensor([[0.5, -1.0], [2.0, 0.3]]))))
print(round(rng.rand(), 5))
"""
)

CARRYING = (
    START
    + """

def blurred(x):
    x = x.detach().requires_grad_(True)
    moved = x + like(x)
    total = torch.tanh(net(moved)).sum()
    grad = torch.autograd.grad(total, x)[0]
    return grad + moved


for v in blurred(torch.ones(2, 2)).flatten().tolist():
    print(round(v, 4))
print(round(rng.rand(), 5))
"""
)


@pytest.mark.parametrize("program", [SLICED_SCORE, ALONE, CARRYING])
def test_drawn_once(tmp_path: Path, program: str) -> None:
    theirs, ours = printed_by_both(tmp_path, program)
    assert ours == theirs
