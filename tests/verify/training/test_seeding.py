"""A script that sets no seed is comparable: the ladder seeds every stream by itself, and says so."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from mindport.verify.training.launch import watched
from mindport.verify.training.recorded import load_run

SCRIPT = """import random

import numpy as np
import torch
from torch import nn

model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    x = torch.tensor(np.random.rand(4, 3), dtype=torch.float32) + random.random()
    optimizer.zero_grad()
    model(x).pow(2).mean().backward()
    optimizer.step()
"""


def losses(folder: Path, script: str) -> tuple[list[list[float]], bool | None]:
    folder.mkdir()
    (folder / "train.py").write_text(script)
    job = {"framework": "torch", "detail": True, "share": True, "steps": 0, "dropout": True, "seed": 0}
    ending = watched([sys.executable, "train.py"], folder, folder / "out", job, environment={}, path=[], timeout=300)
    run = load_run(folder / "out")
    assert ending.code == 0 and run is not None, json.dumps(ending.sentence())
    return [step.losses for step in run.steps], run.start["seeded"]


@pytest.mark.frameworks
def test_two_runs_of_a_script_without_a_seed_are_the_same(tmp_path: Path) -> None:
    one, told = losses(tmp_path / "one", SCRIPT)
    two, _ = losses(tmp_path / "two", SCRIPT)
    assert one == two and len(one) == 2
    assert told is False
    own, told = losses(tmp_path / "own", SCRIPT.replace("model =", "torch.manual_seed(3)\nmodel =", 1))
    assert told is True and own != one
