"""A gradient that jumps at a kink within rounding of the first values, and gradients that are wrong there."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mindport.verify.recordings import CaseRecord, Record
from mindport.verify.result import TensorResult
from mindport.verify.training import kinks
from mindport.verify.training.result import Ladder, Rung
from tests.verify.training.test_without_calls import climb

# The first sums of three units lie 2e-7 below zero, which is within rounding.
SCRIPT = """import numpy as np
import torch
from torch import nn

draw = np.random.RandomState(0)
weight, bias, x = draw.randn(200, 8), draw.randn(200), draw.randn(40, 8)
weight, bias = weight.astype(np.float32), bias.astype(np.float32)
for unit in range(3):
    weight[unit, 0] = 2.0
    rest = (x[unit, 1:].astype(np.float32).astype(float) * weight[unit, 1:]).sum() + bias[unit]
    x[unit, 0] = -(rest + 2e-7) / float(weight[unit, 0])
x = torch.from_numpy(x.astype(np.float32))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(8, 200), nn.Linear(200, 1)
        with torch.no_grad():
            self.first.weight.copy_(torch.from_numpy(weight))
            self.first.bias.copy_(torch.from_numpy(bias))
            self.last.weight.fill_(0.05)

    def forward(self, x):
        z = self.first(x)
        return self.last(RELU)


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(12):
    optimizer.zero_grad()
    loss = ((net(x) - x.sum(1, keepdim=True)) ** 2).mean()
    loss.backward()
    optimizer.step()
"""
#: A ReLU that rounds: it lets through what is a millionth below zero.
ROUNDED = "z * (z > -1e-6).float()"
#: The same, with gradients that are half a thousandth too large.
WRONG = f"({ROUNDED}) * 1.0005 - 0.0005 * ({ROUNDED}).detach()"


def _result(difference: float, verdict: str = "differs") -> TensorResult:
    return TensorResult("parameter gradient", "w", verdict, "", "", "float32", [2], difference=difference, scale=1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("tensors", "figures", "expected"),
    [
        ([_result(0.001), _result(0.0, "equal")], {}, True),
        ([_result(0.6)], {}, False),
        ([_result(0.001)], {"factor": 2.0}, False),
        ([_result(0.001, "shape")], {}, False),
        ([_result(0.0, "equal")], {}, False),
    ],
)
def test_small_differences_of_values_alone_are_suspected(tensors: list[TensorResult], figures: dict[str, float], expected: bool) -> None:
    assert kinks.suspected(Rung("gradients", "fails", tensors=tensors, figures=figures)) is expected


def test_layers_with_elements_above_zero_on_one_side_are_told() -> None:
    def case(*values: float) -> CaseRecord:
        return CaseRecord("forward 0", records=[Record("layer", "conv1", "Conv2d", dtype="float32", shape=[len(values)], values=np.array(values))])

    pair: Any = SimpleNamespace(torch=SimpleNamespace(roots=[SimpleNamespace(number=0)]), case=lambda what, number: (case(1.0, 1e-9, -1.0), case(1.0, -1e-9, -1.0)))
    assert kinks.flipped(pair) == ["conv1 (Conv2d): 1 of 3"]


def _climb(folder: Path, theirs: str, mine: str = "torch.relu(z)") -> Ladder:
    return climb(folder, SCRIPT.replace("RELU", mine), SCRIPT.replace("RELU", theirs))


@pytest.mark.frameworks
def test_a_flip_within_rounding_of_zero_is_no_fault(tmp_path: Path) -> None:
    ladder = _climb(tmp_path, ROUNDED)
    assert ladder.verdict == "passes", ladder
    gradients = ladder.rungs[4]
    assert "moved by a thousandth" in gradients.message
    assert "a value lies within rounding of a kink" in gradients.notes[-1]
    assert (tmp_path / "work" / "moved-1").is_dir()


@pytest.mark.frameworks
def test_a_wrong_gradient_beside_a_kink_stays_wrong(tmp_path: Path) -> None:
    ladder = _climb(tmp_path, WRONG)
    assert (ladder.verdict, ladder.rungs[4].verdict) == ("fails", "fails")


@pytest.mark.frameworks
def test_a_wrong_gradient_without_a_kink_is_not_looked_at_again(tmp_path: Path) -> None:
    ladder = _climb(tmp_path, "torch.tanh(z) * 1.0005 - 0.0005 * torch.tanh(z).detach()", "torch.tanh(z)")
    assert (ladder.verdict, ladder.rungs[4].verdict) == ("fails", "fails")
    assert not (tmp_path / "work" / "moved-1").exists()
