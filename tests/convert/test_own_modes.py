"""Modules that decide about their own mode keep it: what holds them asks them, and a construction does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, converted_script

FROZEN = """import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(3, 4)
        self.norm = nn.BatchNorm1d(4)
        self.drop = nn.Dropout(0.0)

    def train(self, mode: bool = True) -> "Backbone":
        super().train(mode)
        for part in self.modules():
            if isinstance(part, nn.BatchNorm1d):
                part.eval()
        return self

    def forward(self, x):
        return self.drop(self.norm(self.stem(x)))


class Detector(nn.Module):
    def __init__(self, parts):
        super().__init__()
        self.parts = nn.ModuleList(parts)
        self.neck = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.neck(sum(part(x) for part in self.parts))


def modes(net):
    return [type(part).__name__ for part in net.modules() if isinstance(part, (nn.BatchNorm1d, nn.Dropout)) and part.training]


def start(model):
    model.train()
    return modes(model)


net = Detector([Backbone(), Backbone()])
seen = [modes(net)]
seen.append(start(net))
net.eval()
seen.append(modes(net))
net.parts[0].train(mode=True)
seen.append(modes(net))
net.parts[1].train()
seen.append(modes(net))
net.train()
for _ in range(2):
    out = net(torch.tensor([[1.0, 2.0, 3.0], [0.5, 0.0, -1.0]]))
moved = [[float(net.parts[0].norm.running_mean.abs().sum()) > 0, float(net.neck.running_mean.abs().sum()) > 0]]
"""

FROZEN_PARTS = """import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)).eval()
        for p in self.features.parameters():
            p.requires_grad = False
        self.head = nn.Sequential(nn.Linear(2, 1), nn.Dropout(0.5))

    def forward(self, x):
        return self.head(self.features(x))


class Quiet(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(2)
        self.eval()


class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.quiet = Quiet()
        self.loud = nn.BatchNorm1d(2)


def modes(net):
    return [part.training for part in net.modules()]


seen = [modes(Critic()), modes(Holder()), modes(Quiet()), modes(nn.Dropout(0.5))]
critic = Critic()
critic.train()
seen.append(modes(critic))
"""

JOINED = """import torch
from torch import nn


class Frozen:
    frozen = False

    def freeze(self):
        self.frozen = True
        return self

    def train(self, mode=True):
        super().train(mode and not self.frozen)
        return self


class Net(Frozen, nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(x)


net = Net()
seen = [(net.training, net.drop.training)]
net.freeze().train()
seen.append((net.training, net.drop.training))
net.frozen = False
nn.Sequential(net).train()
seen.append((net.training, net.drop.training))
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("program", [FROZEN, FROZEN_PARTS, JOINED], ids=["frozen normalisation", "frozen parts", "joined class"])
def test_modes_are_torchs(tmp_path: Path, program: str) -> None:
    """At birth, after `train` and `eval` of the whole and of parts. Without it a child's own `train` was never asked, which MP107 said."""
    theirs, ours = both_sides(tmp_path, program)
    assert ours.seen == theirs.seen
    assert getattr(ours, "moved", None) == getattr(theirs, "moved", None)


def test_own_train_is_set_train_wherever_it_is_called(tmp_path: Path) -> None:
    text = converted_script(tmp_path, FROZEN)
    assert "def set_train(self, mode: bool = True)" in text
    assert ".train(" not in text
    assert "Detector([Backbone(), Backbone()])\n" in text


def test_nothing_is_left_to_tell(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(FROZEN + FROZEN_PARTS, encoding="utf-8")
    assert not [f for f in convert(discover(tmp_path)).findings if f.code == "MP107"]


def test_a_train_that_trains_stays_and_is_told(tmp_path: Path) -> None:
    """``agent.train(batches)`` is no mode: MindSpore would never ask for it, and neither does the project's `set_train`."""
    (tmp_path / "program.py").write_text(
        "from torch import nn\n\nclass Agent(nn.Module):\n    def train(self, batches, epochs):\n        return len(batches) * epochs\n\nAgent().train([1], 2)\n",
        encoding="utf-8",
    )
    conversion = convert(discover(tmp_path))
    assert "def train(self, batches, epochs)" in next(iter(conversion.files.values()))
    assert [f.code for f in conversion.findings] == ["MP107"]
