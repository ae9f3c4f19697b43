"""``p._grad``, the older name of ``p.grad``, as shared optimizers set it: the step took no gradient, silently."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """
import torch
from torch import nn

shared, worker = nn.Linear(2, 1), nn.Linear(2, 1)
with torch.no_grad():
    shared.weight.fill_(0.5)
    shared.bias.fill_(0.25)
optimizer = torch.optim.SGD(shared.parameters(), lr=0.5)
kept = []
for turn in range(3):
    worker.load_state_dict(shared.state_dict())
    loss = worker(torch.ones(4, 2) * turn).pow(2).mean()
    loss.backward()
    for mine, theirs in zip(worker.parameters(), shared.parameters()):
        theirs._grad = mine.grad.clone()
    optimizer.step()
    worker.zero_grad()
    kept.append(shared.weight.detach().clone())
alone = nn.Linear(2, 1)
with torch.no_grad():
    alone.weight.fill_(0.5)
    alone.bias.fill_(0.25)
optimizer = torch.optim.SGD(alone.parameters(), lr=0.5)
for turn in range(2):
    optimizer.zero_grad()
    alone(torch.ones(4, 2)).pow(2).mean().backward()
    optimizer.step()
    kept.append(alone.weight._grad.clone())
"""


@pytest.mark.frameworks
def test_gradients_under_the_older_name(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, PROGRAM)
    equal_tensors(expected.kept, actual.kept)


def test_a_member_of_the_projects_own_stays(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("class Meter:\n    def __init__(self):\n        self._grad = 1\n        self.grad = 2\n")
    (tmp_path / "user.py").write_text("import torch\nfrom own import Meter\nm = Meter()\nprint(m._grad, torch.ones(m.grad))\n")
    assert "m._grad" in next(text for path, text in convert(discover(tmp_path)).files.items() if path.name == "user.py")
