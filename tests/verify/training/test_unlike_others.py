"""What the ladder must bear of programs that are put together unlike others: what a run leaves, models that are loaded, copied, built late, parametrized."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert, write
from mindport.source.discover import discover
from mindport.verify.training.ladder import climb_ladder
from mindport.verify.training.left_files import set_aside
from mindport.verify.training.plan import TrainSide, TrainSpec

PROGRAM = """import copy
import os

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import parametrize

torch.manual_seed(0)


class Dense(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width

    def build(self, size):
        self.kernel = nn.Parameter(torch.randn(size, self.width) * 0.3)
        self.offset = nn.Parameter(torch.zeros(self.width))
        return self.width

    def forward(self, x):
        return x @ self.kernel + self.offset


class Dropout(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        return F.dropout(x, self.rate, training=self.training)


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Dense(4), Dropout(0.5), Dense(3)])
        size = 3
        for layer in self.layers:
            size = layer.build(size) if hasattr(layer, "build") else size

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).tanh()
        return x


class Symmetric(nn.Module):
    def forward(self, w):
        return w.triu() + w.triu(1).T


class Positive(nn.Module):
    def forward(self, b):
        return b.exp()


x, y, words = torch.rand(8, 3), torch.rand(8, 3), torch.tensor([0, 3, 1, 5, 2, 0, 4, 1])
if os.path.isfile("stack.pt"):
    raise SystemExit("nothing to do")
stack = Stack()
names = []
hooks = [layer.register_forward_hook(lambda m, i, o: names.append(type(m).__name__)) for layer in stack.layers]
optimizer = torch.optim.SGD(stack.parameters(), lr=0.1)


def closure():
    stack.train()
    optimizer.zero_grad()
    loss = F.mse_loss(stack(x), y)
    loss.backward()
    return loss


for _ in range(3):
    optimizer.step(closure)
print("hooks", len(names))
torch.save(stack.state_dict(), "stack.pt")
again = Stack()
again.load_state_dict(torch.load("stack.pt"))
with torch.no_grad():
    stack.eval(), again.eval()
    print("same", torch.equal(stack(x), again(x)))
reference = copy.deepcopy(stack)
for _ in range(3):
    optimizer.zero_grad()
    out = stack(x)
    with torch.no_grad():
        old = reference(x)
    loss = F.mse_loss(out, y) + (out - old).pow(2).mean()
    loss.backward()
    optimizer.step()

layer = nn.Linear(3, 3)
parametrize.register_parametrization(layer, "weight", Symmetric())
parametrize.register_parametrization(layer, "bias", Positive())
head = nn.AdaptiveLogSoftmaxWithLoss(3, 6, cutoffs=[2, 4], div_value=1.0)
both = torch.optim.SGD([*layer.parameters(), *head.parameters()], lr=0.1)
for _ in range(3):
    both.zero_grad()
    loss = head(layer(x), words).loss + 0.01 * layer.weight.pow(2).sum()
    loss.backward()
    both.step()
print("symmetric", torch.equal(layer.weight, layer.weight.T))


class Twice(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x) * 2


adapted = nn.Sequential(Twice(nn.Linear(3, 3)), nn.Tanh())
optimizer = torch.optim.SGD(adapted.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    loss = F.mse_loss(adapted(x), y)
    loss.backward()
    optimizer.step()
adapted[0] = adapted[0].inner  # as adapters are merged: its parameters have other paths now
"""


@pytest.mark.frameworks
def test_every_rung_passes(tmp_path: Path) -> None:
    """A program that finds its training done (`stack.pt`) would leave the noise unmeasured, and the run with graphs without a step."""
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "train.py").write_text(PROGRAM)
    write(convert(discover(tmp_path / "torch")), tmp_path / "mindspore")
    plan = TrainSpec("train.py", TrainSide(str(tmp_path / "torch")), TrainSide(str(tmp_path / "mindspore")), steps=0, noise=1, float64=False)
    ladder = climb_ladder(plan, tmp_path / "work")
    assert ladder.troubles == []
    assert [(rung.name, rung.verdict, rung.message) for rung in ladder.rungs if rung.verdict != "passes"] == []
    assert (tmp_path / "torch" / "stack.pt").is_file()
    assert '"loss"' in (tmp_path / "work" / "perturbed-1" / "run.jsonl").read_text()


def test_only_what_a_run_made_is_set_aside(tmp_path: Path) -> None:
    project, keep = tmp_path / "project", tmp_path / "work" / "left" / "torch"
    project.mkdir()
    (project / "data.txt").write_text("the user's")
    with set_aside(project, keep):
        (project / "runs").mkdir()
        (project / "runs" / "last.pt").write_text("first")
    (project / "later.py").write_text("the user's, too")
    with pytest.raises(KeyboardInterrupt), set_aside(project, keep):
        assert sorted(p.name for p in project.rglob("*") if p.is_file()) == ["data.txt", "later.py"]
        (project / "runs" / "last.pt").write_text("second")
        raise KeyboardInterrupt
    assert (project / "runs" / "last.pt").read_text() == "first"
    (keep / "aside" / "runs").mkdir(parents=True)  # mindport was killed while a command ran
    (project / "runs" / "last.pt").rename(keep / "aside" / "runs" / "last.pt")
    with set_aside(project, keep):
        assert not (project / "runs" / "last.pt").exists()
    assert (project / "runs" / "last.pt").read_text() == "first"
    assert sorted(p.name for p in project.rglob("*") if p.is_file()) == ["data.txt", "last.pt", "later.py"]


FUNCTIONS = """import torch
from torch import nn
from torch.func import functional_call, grad

net = nn.Linear(3, 1)
values = {name: p.detach() for name, p in net.named_parameters()}
x = torch.ones(4, 3)
for _ in range(2):
    found = grad(lambda v: functional_call(net, v, (x,)).pow(2).mean())(values)
    values = {name: value - 0.1 * found[name] for name, value in values.items()}
"""


@pytest.mark.frameworks
def test_functions_of_values_are_no_calls_of_the_model(tmp_path: Path) -> None:
    """Training by functions alone: no step is seen, which is said, and the watch bears the wrapped tensors in the parameters' place."""
    for side in ("torch", "mindspore"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "train.py").write_text(FUNCTIONS)
    plan = TrainSpec("train.py", TrainSide(str(tmp_path / "torch")), TrainSide(str(tmp_path / "mindspore")), steps=2, noise=0, float64=False)
    ladder = climb_ladder(plan, tmp_path / "work")
    assert [trouble.side for trouble in ladder.troubles] == ["torch"]
    assert ladder.troubles[0].message.startswith(("no optimizer took a step", "the command ended without training"))
