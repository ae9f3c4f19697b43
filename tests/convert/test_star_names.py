"""A name that a star import brings from the project stays the project's, though an equivalent is called the same."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.source.discover import discover

OWN = "import torch\n\n\nclass StepLR:\n    def __init__(self, steps):\n        self.steps = steps\n\n\ndef clamp(a):\n    return a\n\n\nzero_ = 3\n"
TRAIN = """import torch
from own import *
from torch import nn

net = nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, StepLR(3).steps)
with torch.no_grad():
    net.bias.zero_()
total = clamp(zero_)
"""


def test_the_projects_names_are_taken(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "train.py").write_text(TRAIN)
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["train.py"]
    assert "StepLR as ms_StepLR" in text and "ms_StepLR(optimizer, StepLR(3).steps)" in text
    assert "zero_ as ms_zero_" in text and "total = clamp(zero_)" in text
    assert "from mindspore import nn\n" in text
