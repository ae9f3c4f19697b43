"""What feeds a training step without a gradient of its own: command lines, and what NumPy draws."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.source.discover import discover

SCRIPT = """import argparse

import numpy as np
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--size", type=int, default=4)
args = parser.parse_args()
rng = np.random.default_rng(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def get_batch():
    places = rng.integers(0, 9, args.size)
    return torch.stack([torch.from_numpy(rng.random(4).astype(np.float32)) for _ in places])


def train(options, noise):
    for step in range(3):
        loss = model(noise + options.size).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


x = get_batch()
for step in range(3):
    loss = (model(x) * args.size).mean()
    x = get_batch()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
train(args, torch.tensor(rng.normal(0, 1, (args.size, 4)), dtype=torch.float32))
"""


def test_options_and_drawn_numbers_carry_no_gradient(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    conversion = convert(discover(tmp_path))
    assert not [f for f in conversion.findings if f.code == "MP401"]
    assert not any("backward" in text for path, text in conversion.files.items() if path.name == "script.py")
