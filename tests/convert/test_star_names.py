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


HELPERS = "import torch\n\n\ndef run(model, x):\n    model.train()\n    return torch.relu(model(x))\n"
MIDDLE = "from helpers import *\n"


def test_what_conversion_imports_replaces_no_name_elsewhere(tmp_path: Path) -> None:
    """`from helpers import *` takes along what the converted helpers import; ``train`` above it stays the project's."""
    (tmp_path / "train.py").write_text("def fit():\n    return 1\n")
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "middle.py").write_text(MIDDLE)
    (tmp_path / "main.py").write_text("import torch\nimport train\nfrom middle import *\n\nprint(train.fit())\n")
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["helpers.py"]
    assert "train as ms_train" in text and "None, ms_train)()" in text


def test_names_below_the_star_or_of_torch_ask_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "main.py").write_text("import torch\nfrom torch import nn\nfrom helpers import *\n\n\ndef train(model):\n    return run(model, nn)\n")
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["helpers.py"]
    assert "ms_" not in text


def test_names_of_an_earlier_star_stay(tmp_path: Path) -> None:
    (tmp_path / "loops.py").write_text("def train():\n    return 2\n")
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "main.py").write_text("import torch\nfrom loops import *\nfrom helpers import *\n\nprint(train())\n")
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["helpers.py"]
    assert "train as ms_train" in text


def test_a_file_that_lists_its_names_hands_on_no_other(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("def fit():\n    return 1\n")
    (tmp_path / "helpers.py").write_text("__all__ = ['run']\n" + HELPERS)
    (tmp_path / "main.py").write_text("import train\nfrom helpers import *\n\nprint(train.fit())\n")
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["helpers.py"]
    assert "ms_" not in text
