"""The same project gives the same report, byte by byte, whatever seed Python hashes strings with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

NET = """\
import torch.nn as nn


def activation(name):
    if name == "silu":
        return nn.SiLU()
    elif name == "relu":
        return nn.ReLU()
    elif name == "lrelu":
        return nn.LeakyReLU(0.1)
    return nn.Identity()


class A(nn.Module):
    pass


class B(nn.Module):
    pass


class Block(nn.Module):
    def __init__(self, act, deep):
        super().__init__()
        self.act = activation(act)
        kind = A if deep else B
        self.body = kind()

    def forward(self, x):
        return self.act(self.body(x))
"""


HOLDERS = """

class Keeper(nn.Module):
    def forward(self, x, y, flag):
        if flag:
            first, second, third = x[0], x[1:], x.view(-1)
        else:
            first, second, third = y[0], y[1:], y.view(-1)
        x.add_(1)
        return first + second + third
"""


@pytest.mark.parametrize("command", [["analyze", "."], ["scan", "."], ["convert", ".", "--dry-run"]])
def test_two_runs_give_the_same_report(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "net.py").write_text(NET + HOLDERS)
    outputs = set()
    for seed in ("1", "2", "3"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-m", "mindport", *command, "--format", "json"],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.stdout, done.stderr
        outputs.add(done.stdout)
    assert len(outputs) == 1
