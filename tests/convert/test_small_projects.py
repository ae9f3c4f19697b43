"""What small projects of several files do that a file alone does not show."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import printed_by_both  # noqa: E402

CLASSES_BY_TEXTS = '''
import importlib
from dataclasses import asdict, dataclass

from torch import nn, tensor


@dataclass
class Adam:
    target: str = "torch.optim.Adam"
    lr: float = 0.1
    betas: tuple = (0.8, 0.9)


@dataclass
class Decay:
    target: str = 'torch.optim.lr_scheduler.ExponentialLR'
    gamma: float = 0.5


def made(config, *args):
    options = asdict(config)
    module, _, name = options.pop("target").rpartition(".")
    return getattr(importlib.import_module(module), name)(*args, **options)


net = nn.Linear(2, 1)
nn.init.constant_(net.weight, 0.5)
nn.init.zeros_(net.bias)
optimizer = made(Adam(), net.parameters())
scheduler = made(Decay(), optimizer)
for _ in range(3):
    optimizer.zero_grad()
    loss = ((net(tensor([[1.0, 2.0]])) - 3) ** 2).mean()
    loss.backward()
    optimizer.step()
    scheduler.step()
    print(f"{loss.item():.4f} {optimizer.param_groups[0]['lr']:.4f}")
'''

NUMBERS_FROM_ELSEWHERE = '''
import numpy as np

from storage import Storage

held = Storage()
for part in held.parts(np.random.RandomState(0)):
    print(part.tolist())
# ==== storage.py
import torch


class Storage:
    def __init__(self):
        self.seen = torch.arange(24.0).view(3, 4, 2)

    def parts(self, rng):
        order = rng.permutation(4)
        for start in range(2):
            place = order[start]
            yield self.seen[:, place]
            yield self.seen[:-1, place:]
            self.seen[0, place] = -1
'''


LOSS_OR_MORE = '''
import torch
from steps import Trainer

net = torch.nn.Linear(2, 1)
torch.nn.init.constant_(net.weight, 0.5)
torch.nn.init.zeros_(net.bias)
trainer = Trainer(net)
for _ in range(3):
    print(f"{trainer.step({'x': torch.tensor([[1.0, 2.0]])}).item():.4f} {trainer.seen({'x': torch.ones(1, 2)}):.4f}")
# ==== steps.py
import torch


class Trainer:
    def __init__(self, net):
        self.net, self.optimizer = net, torch.optim.SGD(net.parameters(), lr=0.05)

    def compute(self, batch, more=False):
        out = dict(self.found(batch).items())
        return (out["loss"], out) if more else out["loss"]

    def found(self, batch):
        y = self.net(batch["x"])
        return {"y": y, "loss": ((y - 3) ** 2).mean()}

    def step(self, batch):
        self.optimizer.zero_grad()
        loss = self.compute(batch)
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    def seen(self, batch):
        loss, out = self.compute(batch, more=True)
        return loss.item()
'''

NOTES_OF_PENALTIES = '''
import torch
from problem import Problem

net = torch.nn.Linear(1, 1)
torch.nn.init.constant_(net.weight, 0.5)
torch.nn.init.zeros_(net.bias)
problem = Problem(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = problem.loss()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f} {problem.calls} {problem.parts['slope']:.4f}")
# ==== problem.py
import torch


class Problem:
    def __init__(self, net):
        self.net, self.calls, self.parts = net, 0, {}

    def loss(self):
        x = torch.linspace(0, 1, 4).view(-1, 1).requires_grad_()
        y = torch.tanh(self.net(x))
        slope, = torch.autograd.grad(y.sum(), x, create_graph=True)
        self.calls += 1
        self.parts = {"slope": slope.mean().item()}
        return (slope - y).pow(2).mean()
'''

CUT_OFF_BY_A_FUNCTION = '''
import torch
from utils import repackage

cell = torch.nn.GRUCell(2, 3)
for p in cell.parameters():
    torch.nn.init.constant_(p, 0.3)
optimizer = torch.optim.SGD(cell.parameters(), lr=0.5)
hidden = (torch.zeros(1, 3),)
for step in range(4):
    hidden = repackage(hidden)
    optimizer.zero_grad()
    state = cell(torch.full((1, 2), 0.5 * step), hidden[0])
    hidden = (state,)
    loss = (state - 0.2).pow(2).sum()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.5f} {cell.weight_hh.sum().item():.5f}")
# ==== utils.py
import torch


def repackage(h):
    """Cut off from what came before."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage(v) for v in h)
'''


PROGRAMS = {
    "classes that texts name": CLASSES_BY_TEXTS, "numbers of NumPy's from another file": NUMBERS_FROM_ELSEWHERE, "a loss or a tuple with it": LOSS_OR_MORE,
    "attributes stored where a gradient is differentiated": NOTES_OF_PENALTIES, "cut off by a function": CUT_OFF_BY_A_FUNCTION,
}  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_both_sides_print_the_same(tmp_path: Path, program: str) -> None:
    theirs, ours = printed_by_both(tmp_path, program)
    assert theirs == ours


def test_a_function_that_cuts_off_keeps_a_step_from_the_tape(tmp_path: Path) -> None:
    theirs, _ = printed_by_both(tmp_path, CUT_OFF_BY_A_FUNCTION)
    assert theirs
    assert "grad_fn(" in (tmp_path / "after" / "program.py").read_text()
