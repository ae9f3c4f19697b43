"""Arguments that go although they call something: the library's calls that are nothing but their value."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

HEAD = "import torch\nimport torch.nn as nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        return x\n\n\n"


@pytest.mark.parametrize(("line", "expected"), [
    ('net = Net().to("cuda" if torch.cuda.is_available() else "cpu")', "net = Net().set_train()"),
    ('net = Net().to(torch.device("cuda:0" if torch.cuda.is_available() else "cpu"))', "net = Net().set_train()"),
    ('net = Net().to(device=torch.device("cpu"))', "net = Net().set_train()"),
    ('y = torch.ones(2).to("cuda" if torch.cuda.is_available() else "cpu")', "y = ops.ones(2)"),
    ('y = torch.zeros(3, device=torch.device("cuda" if torch.cuda.is_available() else "cpu"))', "y = ops.zeros(3)"),
])  # fmt: skip
def test_devices_go(tmp_path: Path, line: str, expected: str) -> None:
    """``to(Net().set_train(), "cpu")`` said nothing."""
    (tmp_path / "a.py").write_text(f"{HEAD}{line}\n", encoding="utf-8")
    assert next(iter(convert(discover(tmp_path)).files.values())).rstrip().endswith(expected)


def test_what_does_something_stays(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"{HEAD}def chosen():\n    print('asked')\n    return 'cpu'\n\n\nnet = Net().to(chosen())\n", encoding="utf-8")
    made = convert(discover(tmp_path)).files
    assert any("chosen())" in text for text in made.values())
