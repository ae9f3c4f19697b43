"""What no model's call shows is shared and judged all the same, and nothing passes where nothing was compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert, write
from mindport.source.discover import discover
from mindport.verify.training.ladder import climb_ladder
from mindport.verify.training.plan import TrainSide, TrainSpec
from mindport.verify.training.result import Ladder

OWN_METHOD = """import torch
from torch import nn

torch.manual_seed(0)


class Layer(nn.Linear):
    def forward(self, x):
        return torch.relu(torch.mm(x, self.weight.T) + self.bias)

    def fit(self, x):
        optimizer = torch.optim.Adam(self.parameters(), lr=0.1)
        for _ in range(10):
            loss = (self.forward(x) - 1).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


Layer(3, 2).fit(torch.rand(8, 3))
"""
BY_HAND = """import torch

torch.manual_seed(0)
x, w = torch.randn(8, 3), torch.randn(3, 1, requires_grad=True)
for step in range(12):
    loss = (x @ w - 1).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        w -= RATE * w.grad
        w.grad.zero_()
"""


def climb(folder: Path, script: str, other: str | None = None, steps: int = 10) -> Ladder:
    (folder / "project").mkdir()
    (folder / "project" / "train.py").write_text(other or script)
    write(convert(discover([folder / "project"])), folder / "converted")
    (folder / "project" / "train.py").write_text(script)
    plan = TrainSpec("train.py", TrainSide(str(folder / "project")), TrainSide(str(folder / "converted")), steps=steps, noise=1, float64=False)
    return climb_ladder(plan, folder / "work")


@pytest.mark.frameworks
def test_a_layer_that_is_never_called_as_a_module_starts_from_torchs_values(tmp_path: Path) -> None:
    ladder = climb(tmp_path, OWN_METHOD)
    assert ladder.troubles == []
    found = {rung.name: rung for rung in ladder.rungs}
    assert len(found["initial state"].tensors) == 2 and found["initial state"].verdict == "passes"
    assert found["forward by layer"].verdict == "not reached" and "nothing to compare" in found["forward by layer"].message
    assert len(found["gradients"].tensors) == 2
    assert found["loss curve"].verdict == "passes"


@pytest.mark.frameworks
def test_steps_without_an_optimizer_are_followed_by_their_losses(tmp_path: Path) -> None:
    script = BY_HAND.replace("RATE", "0.1")
    ladder = climb(tmp_path, script)
    assert ladder.troubles == [] and ladder.exit_code == 0
    found = {rung.name: rung.verdict for rung in ladder.rungs}
    assert found["initial state"] == found["gradients"] == "not reached"
    assert found["loss of step 1"] == found["loss curve"] == "passes"
    assert len(ladder.curves["mindspore"]) == 10


@pytest.mark.frameworks
def test_a_wrong_step_without_an_optimizer_is_found(tmp_path: Path) -> None:
    ladder = climb(tmp_path, BY_HAND.replace("RATE", "0.1"), BY_HAND.replace("RATE", "0.11"))
    assert {r.name: r.verdict for r in ladder.rungs}["loss curve"] == "fails"


CHECKPOINTED = """import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.head = nn.Linear(3, 4), nn.Linear(4, 1)

    def forward(self, x):
        return self.head(torch.tanh(checkpoint(self.inner, x, use_reentrant=False)))


net, x = Net(), torch.rand(8, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(10):
    optimizer.zero_grad()
    net(x).pow(2).mean().backward()
    optimizer.step()
"""


@pytest.mark.frameworks
def test_a_module_that_the_backward_pass_calls_again_is_no_model(tmp_path: Path) -> None:
    ladder = climb(tmp_path, CHECKPOINTED)
    assert ladder.troubles == [] and {r.name: r.verdict for r in ladder.rungs}["loss curve"] == "passes"


REMEMBERED = """import copy

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.LazyLinear(1))
x = torch.randn(8, 3, generator=torch.Generator().manual_seed(1))
net(x)
first = copy.deepcopy(net.state_dict())
shadow = {name: parameter.data.clone() for name, parameter in net.named_parameters()}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(10):
    optimizer.zero_grad()
    net(x + torch.randn(8, 3)).pow(2).mean().backward()
    optimizer.step()
    net.load_state_dict({name: value + 0.5 * (first[name] - value) for name, value in net.state_dict().items()})
    for name, parameter in net.named_parameters():
        shadow[name] = 0.5 * shadow[name] + 0.5 * parameter.data
print("shadow %.4f" % sum(v.abs().sum() for v in shadow.values()).item())
"""


@pytest.mark.frameworks
def test_values_kept_before_the_first_call_are_torchs_too(tmp_path: Path) -> None:
    ladder = climb(tmp_path, REMEMBERED, steps=0)
    assert ladder.troubles == [] and ladder.exit_code == 0
    assert ladder.rungs[-1].verdict == "passes", "the shadows are printed at the end"


SAMPLED = """import torch
from torch import nn
from torch.utils.data import random_split
from torch.utils.data.sampler import BatchSampler, SubsetRandomSampler

torch.manual_seed(0)
net, data = nn.Linear(3, 1), torch.randn(20, 3)
data = torch.stack(list(random_split(data, [12, 8])[0]))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for rows in BatchSampler(SubsetRandomSampler(range(12)), 3, drop_last=True):
        optimizer.zero_grad()
        (net(data[rows]) - 1).pow(2).mean().backward()
        optimizer.step()
"""


@pytest.mark.frameworks
def test_a_sampler_without_a_loader_gives_torchs_order(tmp_path: Path) -> None:
    ladder = climb(tmp_path, SAMPLED)
    assert ladder.troubles == [] and {r.name: r.verdict for r in ladder.rungs}["loss curve"] == "passes"


WEIGHTED = """import torch
from torch import nn

torch.manual_seed(0)
critic = nn.Linear(3, 1)
optimizer = torch.optim.RMSprop(critic.parameters(), lr=0.01)
minus = -torch.ones(1)
for step in range(3):
    optimizer.zero_grad()
    score = critic(torch.randn(8, 3)).mean(0)
    score.backward(minus)
    optimizer.step()
"""


@pytest.mark.frameworks
def test_a_loss_that_is_given_a_gradient_is_what_is_differentiated(tmp_path: Path) -> None:
    ladder = climb(tmp_path, WEIGHTED, steps=3)
    rungs = {rung.name: rung.verdict for rung in ladder.rungs}
    assert rungs["loss of step 1"] == "passes" and rungs["loss curve"] == "passes", rungs
