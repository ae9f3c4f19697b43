"""A file keeps the names of PyTorch's under which other files put something of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

TRAINER = """import torch
from tensorboardX import SummaryWriter
from torch.nn.functional import mse_loss, relu


def main(x, y):
    board = SummaryWriter("logs")
    board.add_scalar("loss", mse_loss(relu(x), y).item(), 0)
    return mse_loss
"""
BY_NAME = "import importlib\n\nmodule = importlib.import_module('trainer')\n"


@pytest.mark.parametrize(
    ("main", "kept"),
    [
        ("import trainer\n\ntrainer.SummaryWriter = print\n", "import XSummaryWriter as SummaryWriter"),
        (BY_NAME + "module.SummaryWriter = print\n", "import XSummaryWriter as SummaryWriter"),
        ("import sys\nimport trainer\n\nsetattr(sys.modules['trainer'], 'mse_loss', print)\n", "mse_loss(ops.relu(x), y).item()"),
    ],
)
def test_replaced_names_are_kept(tmp_path: Path, main: str, kept: str) -> None:
    text = converted(tmp_path, main)
    assert kept in text
    assert 'SummaryWriter("logs")' in text


@pytest.mark.parametrize("main", ["import trainer\n\ntrainer.main = print\n", "class A:\n    pass\n\n\na = A()\na.mse_loss = print\n"])
def test_other_names_are_written_out(tmp_path: Path, main: str) -> None:
    text = converted(tmp_path, main)
    assert 'XSummaryWriter("logs")' in text and "ops.mse_loss(ops.relu(x), y)" in text


def converted(folder: Path, main: str) -> str:
    (folder / "trainer.py").write_text(TRAINER)
    (folder / "main.py").write_text(main)
    return {path.name: text for path, text in convert(discover(folder)).files.items()}["trainer.py"]
