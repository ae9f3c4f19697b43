"""Gradients that go into one flat tensor, are averaged there, and come back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """
import torch
from torch import nn
from torch._utils import _flatten_dense_tensors, _unflatten_dense_tensors

net = nn.Linear(3, 2)
for p in net.parameters():
    p.data.fill_(0.5)
net(torch.arange(6.0).reshape(2, 3)).pow(2).sum().backward()
grads = [p.grad.data for p in net.parameters()]
flat = _flatten_dense_tensors(grads)
flat /= 4
print(flat.tolist(), grads[1].tolist())
for g, part in zip(grads, _unflatten_dense_tensors(flat, grads)):
    g.copy_(part)
print([p.grad.tolist() for p in net.parameters()])
parts = torch._utils._unflatten_dense_tensors(torch.arange(9.0), grads)
print([part.tolist() for part in parts])
flat = torch.arange(8.0)
parts = _unflatten_dense_tensors(flat, grads)
flat.mul_(2)
print(parts[0].tolist(), parts[1].tolist())
parts[1].zero_()
print(flat.tolist())
weights = [torch.ones(2, requires_grad=True), torch.ones(1, 2, requires_grad=True)]
joined = _flatten_dense_tensors(weights)
(joined * torch.arange(4.0)).sum().backward()
print([w.grad.tolist() for w in weights])
"""


@pytest.mark.frameworks
def test_flat_tensors_share_what_torch_shares(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs
