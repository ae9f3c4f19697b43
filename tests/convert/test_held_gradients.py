"""Gradients lie in memory of their own, and who holds one sees what is added to it, as in torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script

APART = """
import torch
from torch import nn

one, other, third = nn.Linear(3, 2), nn.Linear(3, 2), nn.Parameter(torch.ones(2, 3))
for k, layer in enumerate((one, other)):
    nn.init.constant_(layer.weight, 0.1 * (k + 1))
    nn.init.constant_(layer.bias, 0.3)
x = torch.arange(6.).reshape(2, 3)
(one(x) + other(x) + x @ third.t()).sum().backward()
for p in (one.weight, one.bias, other.weight, other.bias, third):
    p.grad.data.mul_(0.5)
first = one.bias.grad.clone()
second, turned = other.bias.grad.clone(), third.grad.clone()
"""

HELD = """
import torch
from torch import nn

net = nn.Linear(3, 2)
nn.init.constant_(net.weight, 0.1)
nn.init.constant_(net.bias, 0.3)
x = torch.arange(6.).reshape(2, 3)
net(x).sum().backward()
held = net.weight.grad
net(x).pow(2).sum().backward()
added = held.clone()
nn.utils.clip_grad_norm_(net.parameters(), 0.5)
clipped = held.clone()
net.zero_grad(set_to_none=False)
"""

CHANGED = """
import torch
from torch import nn

net = nn.Linear(3, 2)
nn.init.constant_(net.weight, 0.1)
nn.init.constant_(net.bias, 0.3)
net(torch.arange(6.).reshape(2, 3)).pow(2).sum().backward()


def centralised(params):
    for p in params:
        g = p.grad
        if g.dim() > 1:
            g.add_(-g.mean(dim=1, keepdim=True))


def scaled(p, f):
    g = p.grad.data
    g *= f


centralised(net.parameters())
scaled(net.weight, 2)
gs = [p.grad for p in net.parameters()]
for one in gs:
    one.mul_(3)
g = net.bias.grad
g[0] = 7.
g.sub_(1)
g = g * 5
weight, bias = net.weight.grad, net.bias.grad
"""


@pytest.mark.frameworks
@pytest.mark.parametrize(("text", "names"), [(APART, ("first", "second", "turned")), (CHANGED, ("weight", "bias", "g")), (HELD, ("added", "clipped", "held"))])
def test_gradients_as_in_torch(tmp_path: Path, text: str, names: tuple[str, ...]) -> None:
    theirs, ours = both_sides(tmp_path, text)
    for name in names:
        assert getattr(ours, name).asnumpy() == pytest.approx(getattr(theirs, name).numpy(), rel=1e-5), name


def test_what_the_program_calls_underscore_stays(tmp_path: Path) -> None:
    text = (
        "import torch\nnet = torch.nn.Linear(3, 1)\nopt = torch.optim.SGD(net.parameters(), 0.1)\n"
        "for _ in range(3):\n    opt.zero_grad()\n    net(torch.ones(2, 3)).mean().backward()\n    opt.step()\n"
    )
    assert "_, grads = " in converted_script(tmp_path, text)
    read = converted_script(tmp_path, text + "print(_)\n")
    assert "_, grads = " not in read
    assert "loss, grads = " in read
