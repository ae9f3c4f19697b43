"""``y = f(x); x.requires_grad_()``: torch's graph of x begins there, so y leads no gradient to x; MindSpore's tape had noted y already."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """
import numpy as np
import torch
from torch import nn
x = torch.arange(3.0)
y = x * 2
x.requires_grad_()
z = (x * y).sum()
z.backward()
print(x.grad.tolist())
a = torch.tensor([1.0, 2.0])
b = a + 1
a.requires_grad = True
(a * b).sum().backward()
print(a.grad.tolist())
base = torch.arange(4.0)
v = base[1:]
w = v.reshape(3) * 3
v.requires_grad_()
(v * w).sum().backward()
print(v.grad.tolist())
with torch.no_grad():
    v[0] = 9.0
print(base.tolist())
net = nn.Linear(2, 2)
with torch.no_grad():
    net.weight.fill_(0.5); net.bias.zero_()
images = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
before = net(images)
images.requires_grad = True
out = net(images)
loss = (out * before).sum()
loss.backward()
print(images.grad.tolist(), net.weight.grad.tolist())
h = net(images)
h.requires_grad_()
(h * h).sum().backward()
print(net.bias.grad.tolist())
array = np.zeros(2, dtype=np.float32)
t = torch.from_numpy(array)
k = t + 1
t.requires_grad_()
(t * k).sum().backward()
array[0] = 5
print(t.grad.tolist(), t.tolist())
"""


@pytest.mark.frameworks
def test_what_was_computed_before_leads_no_gradient(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs == ours and theirs.count("\n") >= 7
