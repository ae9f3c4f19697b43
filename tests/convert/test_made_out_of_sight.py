"""What is made or saved by a name, a path or a table is treated as torch treats it: its mode, its state, its gradients."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

BY_PATH = """import torch

from make import instantiate

net = instantiate({"_target_": "nets.Average", "size": 3, "inner": {"_target_": "torch.nn.Dropout", "p": 0.0}})
print([part.training for part in net.modules()])
for step in range(3):
    net(torch.full((2, 3), float(step)))
print([round(value, 5) for value in net.mean.tolist()])
# ==== make.py
import functools
import importlib


def instantiate(settings):
    module, _, name = settings["_target_"].rpartition(".")
    made = getattr(importlib.import_module(module), name)
    return made(**{k: instantiate(v) if isinstance(v, dict) else v for k, v in settings.items() if k != "_target_"})
# ==== nets.py
import torch
from torch import nn


class Average(nn.Module):
    def __init__(self, size, inner):
        super().__init__()
        self.inner = inner
        self.register_buffer("mean", torch.zeros(size))

    def forward(self, x):
        if self.training:
            self.mean.mul_(0.5).add_(x.mean(0), alpha=0.5)
        return self.inner(x - self.mean)
"""


@pytest.mark.frameworks
def test_what_a_path_names_is_in_training_mode(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, BY_PATH)
    assert theirs == ours
    assert "False" not in theirs


@pytest.mark.parametrize(("line", "asked"), [
    ("made = getattr(importlib.import_module(sys.argv[1]), 'Net')()", True),
    ("importlib.import_module(sys.argv[1])", False),
    ("made = importlib.import_module('nets').Net()", False),
])  # fmt: skip
def test_a_file_that_is_only_run_asks_for_nothing(tmp_path: Path, line: str, asked: bool) -> None:
    (tmp_path / "nets.py").write_text("from torch import nn\n\n\nclass Net(nn.Module):\n    pass\n")
    (tmp_path / "train.py").write_text(f"import importlib\nimport sys\n\nimport torch\n\n{line}\n")
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["train.py"]
    assert ("BORN_IN_TRAINING" in text) is asked


SAVED = """import torch
from torch import nn


class Saver:
    def __init__(self, to_save):
        self.to_save = to_save

    def __call__(self, path):
        torch.save({k: v.state_dict() for k, v in self.to_save.items()}, path)


class Clock:
    def state_dict(self):
        return {"ticks": 3}


REGISTRY = {}


def register(name, cls):
    REGISTRY[name] = cls


for name in ("SGD", "Adam"):
    register(name, getattr(torch.optim, name))
register("LN", nn.LayerNorm)
net = nn.Sequential(nn.Linear(2, 3), nn.LayerNorm(3), nn.BatchNorm1d(3))
optimizer = REGISTRY["SGD"](net.parameters(), lr=0.1, momentum=0.9)
net(torch.ones(2, 2)).sum().backward()
optimizer.step()
Saver({"net": net, "norm": REGISTRY["LN"](2), "clock": Clock(), "optimizer": optimizer})("all.pt")
saved = torch.load("all.pt", weights_only=False)
print({k: sorted(n for n in state if "num_batches" not in str(n)) for k, state in saved.items()})
torch.save({"optimizer": optimizer.state_dict()}, "one.pt")
print(sorted(torch.load("one.pt")["optimizer"]), len(torch.load("one.pt")["optimizer"]["state"]))
"""


@pytest.mark.frameworks
def test_tables_of_what_is_saved(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, SAVED)
    assert theirs == ours


SCALED = """import torch
from torch import nn


class Scaler:
    def __call__(self, loss, optimizer, create_graph=False):
        loss.backward(create_graph=create_graph)
        optimizer.step()


net = nn.Linear(3, 1)
nn.init.constant_(net.weight, 0.5)
nn.init.zeros_(net.bias)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
second = hasattr(optimizer, "is_second_order") and optimizer.is_second_order
scaler = Scaler()
for step in range(3):
    loss = net(torch.ones(2, 3) * step).pow(2).mean()
    optimizer.zero_grad()
    scaler(loss, optimizer, create_graph=second)
    print(round(loss.item(), 5), round(net.weight.sum().item(), 5))
try:
    scaler(net(torch.ones(1, 3)).sum(), optimizer, create_graph=1 > 0)
except NotImplementedError as error:
    print(error)
"""


@pytest.mark.frameworks
def test_gradients_of_gradients_are_kept_where_the_run_says_so(tmp_path: Path) -> None:
    """timm's scaler: `create_graph` is handed on, and false with most optimizers."""
    theirs, ours = printed_by_both(tmp_path, SCALED)
    *steps, refusal = ours.splitlines()
    assert steps == theirs.splitlines()
    assert "create_graph=True" in refusal


KEPT = """import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x ** 3
y.retain_grad()
z = (y * x.detach()).sum()
z.backward(retain_graph=True)
first, leaf = y.grad, x.grad
z.backward()
print(first.tolist(), y.grad.tolist(), leaf.tolist(), x.grad.tolist())
"""


@pytest.mark.frameworks
def test_a_kept_gradient_does_not_change_in_its_place(tmp_path: Path) -> None:
    """A computed tensor's gradient is a new tensor after another backward pass, a leaf's changes where it is."""
    theirs, ours = printed_by_both(tmp_path, KEPT)
    assert theirs == ours


def test_a_change_inside_a_lambda_is_told(tmp_path: Path) -> None:
    """It stands in no line of its own."""
    (tmp_path / "train.py").write_text(
        "import torch\nfrom torch import nn\n\nm = nn.Sequential(nn.Linear(2, 2))\n"
        "m.apply(lambda l: l.weight.data.zero_() if isinstance(l, nn.Linear) else None)\nprint(m(torch.ones(1, 2)))\n"
    )
    assert "MP909" not in {finding.code for finding in convert(discover(tmp_path)).findings}
