"""The runs that show torch's noise: they train as the reference does, graphs that are still alive included, on the same random numbers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mindport.verify.training.launch import watched
from mindport.verify.training.recorded import load_run

GAN = """import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
make, judge = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)), nn.Linear(2, 1)
first, second = torch.optim.Adam(judge.parameters(), lr=0.1), torch.optim.Adam(make.parameters(), lr=0.1)
for x in DataLoader(torch.randn(12, 3), batch_size=4, shuffle=True):
    made = make(x)
    label = torch.ones(4, 1, dtype=x.dtype)
    first.zero_grad()
    nn.functional.binary_cross_entropy_with_logits(judge(made.detach()), label).backward()
    first.step()
    second.zero_grad()
    nn.functional.binary_cross_entropy_with_logits(judge(made + torch.rand(4, 2)), label).backward()
    second.step()
"""
DRAWS = """import torch

from mindport.verify.training import torch_draws


def draw():
    torch.manual_seed(0)
    x = torch.zeros(3)
    return [
        torch.rand(3), torch.randn(2, 2, requires_grad=True), torch.normal(torch.zeros(3), torch.ones(3)), torch.normal(0.0, 1.0, (2,)),
        torch.rand_like(x), x.clone().uniform_(-1, 1), torch.empty(3).normal_(2, 0.5), torch.bernoulli(torch.full((5,), 0.5)),
        torch.randperm(5), torch.nn.Linear(3, 2).weight, torch.rand(2, dtype=torch.float32),
    ]


narrow = draw()
torch.set_default_dtype(torch.float64)
torch_draws.in_float32()
wide = draw()
for one, two in zip(narrow, wide):
    assert torch.allclose(one.double(), two.double(), atol=1e-6), (one, two)
assert wide[1].requires_grad and wide[1].is_leaf and wide[0].dtype == torch.float64
"""
#: A number of no axis is drawn alike, and stays without axes, on either side.
NUMBERS = """import sys
from types import SimpleNamespace

if sys.argv[1] == "torch":
    import torch as drawing
    from mindport.verify.training import torch_draws
    torch_draws.share()
else:
    from mindspore import ops as drawing
    from mindport.verify.training import mindspore_draws
    mindspore_draws.share(SimpleNamespace(compiling=False))
for number in (drawing.randn(()), drawing.rand(())):
    print(tuple(number.shape), round(number.item(), 5))
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("extra", [{"perturb": 1}, {"double": True}])
def test_a_step_beside_a_graph_that_is_alive(tmp_path: Path, extra: dict[str, object]) -> None:
    (tmp_path / "train.py").write_text(GAN)
    losses = {}
    for name, job in (("reference", {}), ("other", {**extra, "reference": str(tmp_path / "reference")})):
        ending = watched([sys.executable, "train.py"], tmp_path, tmp_path / name, {"framework": "torch", "detail": True, "share": True, **job})
        assert ending.code == 0, ending.sentence()
        run = load_run(tmp_path / name)
        assert run is not None and len(run.steps) == 6
        losses[name] = [v for s in run.steps for v in s.losses]
    assert losses["other"] == pytest.approx(losses["reference"], rel=1e-4)
    assert losses["other"] != losses["reference"], "nothing was varied"


@pytest.mark.frameworks
def test_a_run_in_float64_draws_the_same_numbers() -> None:
    done = subprocess.run([sys.executable, "-c", DRAWS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.frameworks
def test_numbers_are_drawn_without_axes() -> None:
    theirs, ours = (subprocess.run([sys.executable, "-c", NUMBERS, side], capture_output=True, text=True, check=True).stdout for side in ("torch", "mindspore"))
    assert theirs == ours and theirs.startswith("() ")
