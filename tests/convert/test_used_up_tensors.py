"""A tensor that a method without gradients uses up: its name is bound or goes, as nobody reads it again."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
pytest.importorskip("torch", reason="this file compares the frameworks")
pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import both_sides, converted_script  # noqa: E402

PROGRAM = """import torch
import torch.nn as nn


class Agent:
    def __init__(self):
        self.actor = nn.Linear(3, 2)
        nn.init.constant_(self.actor.weight, 0.5)
        nn.init.constant_(self.actor.bias, 0.25)

    def explore(self, state):
        state = torch.tensor(state, dtype=torch.float)
        with torch.no_grad():
            action, scale = self.actor(state.unsqueeze_(0)), 2
        return (action * scale).numpy()[0]

    def clipped(self, state):
        state = torch.tensor(state, dtype=torch.float)
        with torch.no_grad():
            return self.actor(state.clamp_(0, 1)).tolist()

    def read_again(self, state):
        state = torch.tensor(state, dtype=torch.float)
        with torch.no_grad():
            action = self.actor(state.clamp_(0, 1))
        return action.tolist(), state.tolist()

    def with_axis(self, state):
        state = torch.tensor(state, dtype=torch.float)
        with torch.no_grad():
            total = self.actor(state.unsqueeze_(0)).sum()
        return [float(total), *state.shape]


agent = Agent()
out = [agent.explore([0.1, 2.0, -1.0]).tolist(), agent.clipped([0.1, 2.0, -1.0]), *agent.read_again([0.1, 2.0, -1.0]), agent.with_axis([0.1, 2.0, -1.0])]
"""


def test_both_sides_agree(tmp_path: Path) -> None:
    """``self.actor(state.unsqueeze_(0))`` was refused: a tensor from before ``no_grad`` would have lost its gradient."""
    torch, mindspore = both_sides(tmp_path, PROGRAM)
    for ours, theirs in zip(mindspore.out, torch.out, strict=True):
        assert ours == pytest.approx(theirs, rel=1e-6)


def test_the_text(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "self.actor(state.unsqueeze(0))" in text and "MP109" not in text and "clamp_(state, 0, 1)" in text
    assert "state = state.unsqueeze(0)\n            total = self.actor(state).sum()" in text  # was refused: it is read again


def test_what_is_read_beside_or_not_always_keeps_its_finding(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\n\n\ndef f(x, wide):\n    y, z = x + 1, x + 2\n    total = y.sum() + y.t_().sum()\n    total += z.t_().sum() if wide else 0\n    return total, y.shape, z.shape\n")
    assert text.count("MP109") == 2
