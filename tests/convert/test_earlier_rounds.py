"""A step in a loop that reads what an earlier round of the loop left (a teacher's scores of the widest network, for all narrower ones)."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import printed_by_both

pytestmark = pytest.mark.frameworks


def same(folder: Path, text: str) -> None:
    theirs, ours = (json.loads(f"[{printed.strip().replace(chr(10), ',').replace(' ', ',')}]".replace(",,", ",")) for printed in printed_by_both(folder, text))
    np.testing.assert_allclose(np.hstack(ours), np.hstack(theirs), rtol=2e-4, atol=2e-4)


SLIM = """
import torch
from torch import nn, optim
import torch.nn.functional as F

net = nn.Linear(4, 3)
with torch.no_grad():
    net.weight.copy_(torch.linspace(-0.5, 0.5, 12).reshape(3, 4))
    net.bias.zero_()
opt = optim.SGD(net.parameters(), lr=0.1)
x, y = torch.linspace(-1, 1, 24).reshape(6, 4), torch.tensor([0, 1, 2, 0, 1, 2])


def main():
    for _ in range(2):
        opt.zero_grad()
        for width in (4, 3, 2):
            out = F.linear(x[:, :width], net.weight[:, :width], net.bias)
            if width == 4:
                loss = F.cross_entropy(out, y)
                soft = F.softmax(out, dim=1).detach()
            else:
                loss = -(soft * F.log_softmax(out, dim=1)).sum(1).mean()
            loss.backward()
            print(round(loss.item(), 4))
        opt.step()
    print(round(net.weight.abs().sum().item(), 4), [round(v, 4) for v in net.bias.tolist()])


main()
"""


def test_what_another_round_of_the_loop_bound(tmp_path: Path) -> None:
    same(tmp_path, SLIM)


NESTED = """
import torch
from torch import nn, optim
import torch.nn.functional as F

net = nn.Linear(4, 3)
with torch.no_grad():
    net.weight.copy_(torch.linspace(-0.5, 0.5, 12).reshape(3, 4))
    net.bias.zero_()
opt = optim.SGD(net.parameters(), lr=0.5)
x = torch.linspace(-1, 1, 24).reshape(6, 4).sin()


def unlike(net, x):
    with torch.no_grad():
        wanted = F.softmax(net(x), dim=1)
    d = torch.full_like(x, 0.5).cos()
    d.requires_grad_()
    F.kl_div(F.log_softmax(net(x + d), dim=1), wanted, reduction="batchmean").backward()
    d = d.grad * 20.0
    net.zero_grad()
    return F.kl_div(F.log_softmax(net(x + d), dim=1), wanted, reduction="batchmean")


for _ in range(3):
    loss = unlike(net, x) + net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    print(round(loss.item(), 4), round(net.weight.grad.abs().sum().item(), 4))
    opt.step()
print([round(v, 4) for v in net.weight.flatten().tolist()])
"""


def test_no_gradient_goes_through_the_gradients_of_an_inner_backward(tmp_path: Path) -> None:
    same(tmp_path, NESTED)
