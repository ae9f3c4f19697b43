"""The last rung: a program that is right operator by operator, and as a graph is right, wrong, or nothing at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert, write
from mindport.source.discover import discover
from mindport.verify.training.as_run import _without_draws
from mindport.verify.training.ladder import climb_ladder
from mindport.verify.training.plan import TrainSide, TrainSpec
from mindport.verify.training.recorded import Run, Step
from mindport.verify.training.result import Rung

TORCH = """import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
np.random.seed(0)
DRAWS = DRAWN
x, y = torch.rand(16, 3), torch.rand(16, 1)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Dropout(0.5), nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(12):
    noise = {"torch": torch.rand, "normal": torch.randn}[DRAWS](16, 1) if DRAWS in ("torch", "normal") else torch.randint(0, 9, (16, 1)) if DRAWS == "whole" else float(np.random.rand()) if DRAWS == "numpy" else 0.0
    loss = (1 if step < 6 else 3) * (net(x) - y + 0.1 * noise).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
#: By hand. `net` is called in what is compiled alone.
MINDSPORE = """import mindspore as ms
import numpy as np
from mindspore import nn, ops
from mindspore.experimental import optim

x, y = ops.rand(16, 3), ops.rand(16, 1)
other = nn.Dense(3, 4)
net = nn.SequentialCell(nn.Dense(3, 4), nn.Tanh(), nn.Dropout(p=0.5), nn.Dense(4, 1))
net.set_train()
optimizer = optim.SGD(net.trainable_params(), lr=0.1)
scale = {"value": 1.0}
np.random.seed(0)  # MindSpore's initialisers draw from NumPy's numbers


def forward(x, y, factor):
    BODY


step = COMPILING(ms.value_and_grad(forward, None, optimizer.parameters))
for number in range(12):
    scale["value"] = 1.0 if number < 6 else 3.0
    loss, grads = step(x, y, ms.Tensor(scale["value"]))
    optimizer(grads)
"""
#: Operator by operator MindSpore loses a part of its gradients; conversion compiles the step.
SECOND = """import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.02)
positions = torch.rand(16, 2)
for step in range(10):
    x = positions.clone().requires_grad_(True)
    energy = (net(x * x.sum(1, keepdim=True)).sum(1) ** 2).sum()
    (slope,) = torch.autograd.grad(energy, x, create_graph=True)
    loss = ((slope - 1) ** 2).mean() + energy / 16
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
#: The model itself gives a derivative: operator by operator MindSpore's is zero.
FORCES = """import torch
from torch import nn

torch.manual_seed(0)


class Potential(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, positions):
        positions = positions.detach().requires_grad_(True)
        energy = self.net(positions * positions.sum(1, keepdim=True)).sum()
        (slope,) = torch.autograd.grad(energy, positions, create_graph=True)
        return energy, -slope


net = Potential()
optimizer = torch.optim.SGD(net.parameters(), lr=0.02)
positions = torch.rand(16, 2)
for step in range(10):
    energy, forces = net(positions)
    loss = ((forces - 1) ** 2).mean() + energy / 16
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
RIGHT = "return factor * ((net(x) - y) ** 2).mean()"


def rung(folder: Path, body: str, draws: str = "", compiling: str = "ms.jit") -> Rung:
    for name, text in (("torch", TORCH.replace("DRAWN", repr(draws))), ("mindspore", MINDSPORE.replace("BODY", body).replace("COMPILING", compiling))):
        (folder / name).mkdir()
        (folder / name / "train.py").write_text(text)
    plan = TrainSpec("train.py", TrainSide(str(folder / "torch")), TrainSide(str(folder / "mindspore")), steps=12, noise=1, float64=False)
    ladder = climb_ladder(plan, folder / "work")
    assert [(r.name, r.verdict, r.message) for r in ladder.rungs[:-1] if r.verdict not in ("passes", "not reached")] == []
    assert ladder.troubles == []
    return ladder.rungs[-1]


@pytest.mark.frameworks
def test_a_graph_that_computes_the_same_passes(tmp_path: Path) -> None:
    found = rung(tmp_path, RIGHT)
    assert found.verdict == "passes" and found.message.startswith("12 steps within the band"), found
    line = MINDSPORE[: MINDSPORE.index("loss, grads = step")].count("\n") + 1
    assert any(f"train.py:{line}" in note for note in found.notes), found.notes


@pytest.mark.frameworks
def test_what_a_graph_takes_for_constant_fails_where_it_changes(tmp_path: Path) -> None:
    found = rung(tmp_path, RIGHT.replace("factor", 'scale["value"]'))
    assert found.verdict == "fails" and "with its graphs on: it departs at step 7" in found.message, found


@pytest.mark.frameworks
def test_what_does_not_compile_fails(tmp_path: Path) -> None:
    body = "try:\n        result = ((net(x) - y) ** 2).mean()\n    except ValueError:\n        result = 0\n    return factor * result"
    found = rung(tmp_path, body)
    assert found.verdict == "fails" and "with its graphs on the command ended with code 1" in found.message, found


@pytest.mark.frameworks
def test_numpys_draw_in_a_graph_is_drawn_once_and_fails(tmp_path: Path) -> None:
    found = rung(tmp_path, "return factor * ((net(x) - y + 0.1 * float(np.random.rand())) ** 2).mean()", "numpy")
    assert found.verdict == "fails" and "with its graphs on: it departs at step 2" in found.message, found


@pytest.mark.frameworks
@pytest.mark.parametrize(("draws", "function"), [("torch", "rand"), ("normal", "randn")])
def test_a_draw_of_a_shape_is_torchs_draw_in_a_graph_too(tmp_path: Path, draws: str, function: str) -> None:
    found = rung(tmp_path, f"noise = ops.{function}(16, 1)\n    return factor * ((net(x) - y + 0.1 * noise) ** 2).mean()", draws)
    assert found.verdict == "passes" and found.message.startswith("12 steps within the band"), found


@pytest.mark.frameworks
def test_a_fault_beside_such_a_draw_is_not_blamed_on_the_graph(tmp_path: Path) -> None:
    found = rung(tmp_path, 'noise = ops.rand(16, 1)\n    return scale["value"] * ((net(x) - y + 0.1 * noise) ** 2).mean()', "torch")
    assert found.verdict == "could not judge" and "it departs at step 7" in found.message and "rand at train.py:16 draws inside compiled code" in found.message, found


@pytest.mark.frameworks
def test_another_draw_in_a_graph_cannot_be_judged_and_says_where_it_stands(tmp_path: Path) -> None:
    found = rung(tmp_path, "noise = ops.randint(0, 9, (16, 1))\n    return factor * ((net(x) - y + 0.1 * noise) ** 2).mean()", "whole")
    assert found.verdict == "could not judge" and "randint at train.py:16 draws inside compiled code" in found.message, found
    assert "ran to its end (12 steps" in found.message


@pytest.mark.frameworks
@pytest.mark.parametrize("program", [SECOND, FORCES], ids=["a derivative in the loss", "a derivative in the forward pass"])
def test_what_is_right_as_a_graph_alone_is_judged_as_a_graph(tmp_path: Path, program: str) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "train.py").write_text(program)
    write(convert(discover([tmp_path / "torch"])), tmp_path / "mindspore")
    plan = TrainSpec("train.py", TrainSide(str(tmp_path / "torch")), TrainSide(str(tmp_path / "mindspore")), steps=10, noise=1, float64=False)
    ladder = climb_ladder(plan, tmp_path / "work")
    assert ladder.verdict == "passes" and ladder.rungs[-1].verdict == "passes", ladder.rungs
    assert any("judged with its graphs on" in note for rung in ladder.rungs for note in rung.notes)


@pytest.mark.parametrize(("losses", "verdict"), [([2.0, 1.5, 1.2], "could not judge"), ([2.0, 2.0, 2.0], "fails"), ([2.0, "nan", 1.2], "fails"), ([2.0, 1.5], "fails")])
def test_where_draws_differ_a_run_still_has_to_train(losses: list[float | str], verdict: str) -> None:
    first, run = (
        Run(Path("."), steps=[Step(n, 0, n, [], [loss], {}) for n, loss in enumerate(found, 1)], drawn=["rand at train.py:3"])
        for found in ([2.0, 1.6, 1.3], losses)
    )
    found = Rung("as run")
    _without_draws(found, run, first)
    assert found.verdict == verdict, found
