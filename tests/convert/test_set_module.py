"""Modules that take places in sequences by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script, printed_by_both

PROGRAM = """
from collections import OrderedDict
import torch
from torch import nn


class Adapted(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base = base
        self.extra = nn.Parameter(torch.ones(base.out_features))

    def forward(self, x):
        return self.base(x) + self.extra


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(OrderedDict([("fc0", nn.Linear(2, 3)), ("act", nn.Tanh())]))
        self.blocks = nn.ModuleList([nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3), nn.ReLU()) for _ in range(2)])

    def forward(self, x):
        x = self.features(x)
        for block in self.blocks:
            x = block(x)
        return x


def inject(model):
    for name, child in list(model.named_children()):
        if isinstance(child, nn.Linear):
            setattr(model, name, Adapted(child))
        else:
            inject(child)


net = Net()
net.features.fc0 = nn.Linear(2, 3, bias=False)
net.features._modules["act"] = nn.Identity()
inject(net.blocks)
for i, p in enumerate(net.parameters()):
    p.data.fill_(0.1 * (i + 1))
y = net(torch.tensor([[1.0, -2.0]])).detach()
names = [name for name, _ in net.named_parameters()]
"""


@pytest.mark.frameworks
def test_the_new_module_runs(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert torch_side.names == mindspore_side.names
    assert torch_side.y.numpy() == pytest.approx(mindspore_side.y.asnumpy(), rel=1e-4)
    kept = [p.name for p in mindspore_side.net.get_parameters()]
    assert len(set(kept)) == len(kept)


def test_a_head_keeps_its_text(tmp_path: Path) -> None:
    text = "from torch import nn\n\ndef build(model, n):\n    model.fc = nn.Linear(8, n)\n    setattr(model, 'n', n)\n    return model\n"
    assert "model.fc = nn.Dense(8, n)\n    setattr(model, 'n', n)" in converted_script(tmp_path, text)


GROWN = """import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2, bias=False))
net.tail = nn.Linear(2, 1, bias=False)
net.act = nn.ReLU()
for p in net.parameters():
    p.data.fill_(0.5)
print(len(net), net(torch.tensor([[1.0, 3.0]])).tolist(), list(net.state_dict()))
del net[1]
print(len(net), net(torch.tensor([[1.0, 3.0]])).tolist())
"""


@pytest.mark.frameworks
def test_a_module_under_a_new_name_is_a_sequences_last_part(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, GROWN)
    assert ours == theirs


PLACED = """
import torch
from torch import nn

net = nn.Sequential(nn.Sequential(nn.Linear(2, 2), nn.ReLU()), nn.Linear(2, 1))
for i, p in enumerate(net.parameters()):
    p.data.fill_(-0.1 * (i + 1))
for name, module in list(net.named_modules()):
    if isinstance(module, nn.ReLU):
        net.set_submodule(name, nn.Tanh(), strict=True)
new = nn.Linear(2, 1, bias=False)
new.weight.data.fill_(0.5)
net.set_submodule("1", new)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(torch.tensor([[1.0, -2.0]])).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("%.6f" % loss.item())
print([name for name, _ in net.named_parameters()], ["%.5f" % p.norm().item() for p in net.parameters()])
"""


@pytest.mark.frameworks
def test_a_module_is_put_at_a_dotted_path(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PLACED)
    assert ours == theirs
