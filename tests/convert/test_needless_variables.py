"""``x = Variable(x)`` of a batch goes; what would have a gradient, or goes on under another name, is cut off as before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """
import torch
from torch import nn
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset

net = nn.Linear(3, 2)
with torch.no_grad():
    net.weight.copy_(torch.arange(6.0).view(2, 3) / 8)
    net.bias.zero_()
opt = torch.optim.SGD(net.parameters(), 0.25)
loader = DataLoader(TensorDataset(torch.arange(12.0).view(4, 3) / 8, torch.tensor([[0.5, 1.0], [1.0, 0.25], [1.0, 1.0], [0.0, 2.0]])), batch_size=2)


def to_var(x):
    return Variable(x)


for x, y in loader:
    x, y = Variable(x), Variable(y)
    opt.zero_grad()
    out = net(x)
    kept = Variable(out)
    loss = ((out - y) ** 2).mean() + (out * kept).mean()
    loss.backward()
    opt.step()
    row = Variable(x[0])
    row.unsqueeze_(0)
    print([round(v, 4) for v in net.weight.grad.flatten().tolist()], tuple(row.shape), tuple(x.shape))
    print([round(v, 4) for v in net(to_var(y.new_ones(1, 3))).flatten().tolist()])
"""


@pytest.mark.frameworks
def test_the_same_gradients(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs == ours and theirs.count("\n") >= 4


def test_what_stays(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "Variable" not in text and "stop_gradient(x)" not in text and "stop_gradient(y)" not in text
    assert "kept = ops.stop_gradient(out)" in text and "row = ops.stop_gradient(x[0])" in text
