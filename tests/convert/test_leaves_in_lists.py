"""Tensors that want their gradient where a list for an optimizer is written: ``LBFGS([image.requires_grad_()])``, ``[torch.zeros(n, requires_grad=True) for n in sizes]``."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import printed_by_both  # noqa: E402

PROGRAMS = {
    "groups that grow": """
import torch


def fit(start, rate):
    scale = torch.tensor(0.9, requires_grad=True)
    x = start.requires_grad_(True)
    groups = [{"params": x}]
    if rate > 0:
        groups += [{"params": scale, "lr": rate}]
    optimizer = torch.optim.Adam(groups, lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = ((scale * x - 1) ** 2).mean()
        loss.backward()
        optimizer.step()
    return [round(v, 4) for v in [*x.tolist(), scale.item()]]


print(fit(torch.tensor([1.0, 2.0, 3.0]), 0.05), fit(torch.tensor([1.0, 2.0, 3.0]), 0))
""",
    "asked in the list": """
import torch


def stylise(content, steps):
    image = content.clone()
    optimizer = torch.optim.LBFGS([image.requires_grad_()], max_iter=4)
    for _ in range(steps):
        def closure():
            optimizer.zero_grad()
            loss = ((image - 0.5) ** 2).sum() + image[0].abs()
            loss.backward()
            return loss
        optimizer.step(closure)
    return image.detach()


x = torch.tensor([1.0, -2.0, 0.25])
print([round(v, 4) for v in stylise(x, 2).tolist()])
u, w = torch.zeros_like(x), torch.ones_like(x)
if True: opt = torch.optim.SGD(params=[u.requires_grad_(), w.requires_grad_(True)], lr=0.05)
for _ in range(3):
    opt.zero_grad()
    loss = ((x + u * w) ** 2).sum()
    loss.backward()
    opt.step()
print(u.tolist(), w.tolist(), x.tolist())
""",
    "asked in the list, on the tape": """
import torch

x = torch.tensor([1.0, -2.0, 0.25])
u = torch.zeros_like(x)
opt = torch.optim.Adam([u.requires_grad_()], lr=0.05)
losses = []
for step in range(3):
    loss = 0
    for k in range(step + 1):
        loss = loss + ((x + u) ** 2).sum() / (k + 1)
        losses.append(loss)
    opt.zero_grad()
    losses[-1].backward()
    opt.step()
print(u.tolist(), [one.item() for one in losses])
""",
    "made in a comprehension": """
import torch

sizes = [3, 4, 2]
weights = [torch.full((a, b), 0.1 * (i + 1), requires_grad=True) for i, (a, b) in enumerate(zip(sizes, sizes[1:]))]
shifts = [torch.full((n,), 0.5) for n in sizes[1:]]
shifts = [one.clone().requires_grad_() for one in shifts]
opt = torch.optim.SGD(weights, lr=0.1)
other = torch.optim.Adam(shifts, lr=0.01)
x = torch.linspace(0, 1, 6).view(2, 3)
for step in range(3):
    h = x
    for w, b in zip(weights, shifts):
        h = (h @ w + b).clamp(min=0)
    loss = ((h - 1) ** 2).sum()
    opt.zero_grad()
    other.zero_grad()
    loss.backward()
    opt.step()
    other.step()
    print(loss.item())
print(weights[0].tolist(), shifts[1].tolist())
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_steps(tmp_path: Path, name: str) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAMS[name])
    np.testing.assert_allclose(*([float(one) for one in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)] for text in (ours, theirs)), rtol=2e-4, atol=1e-6)
