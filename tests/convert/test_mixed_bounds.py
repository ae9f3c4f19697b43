"""`clamp` between a number and a tensor without axes, which torch takes as a number."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

HEAD = "import torch\nx = torch.tensor([-1.0, 0.5, 5.0])\nlow, high = eval(input())\n"


@pytest.mark.parametrize(("line", "expected"), [
    ("y = torch.clamp(x, 0, torch.tensor([3.0])[0])", "y = ops.clamp(x, 0, ms.tensor([3.0])[0].item())"),
    ("y = x.clamp(torch.tensor(0.0), max=1)", "y = x.clamp(ms.tensor(0.0).item(), max=1)"),
    ("y = torch.clamp(x, torch.tensor(0.0), torch.tensor(1.0))", "y = ops.clamp(x, ms.tensor(0.0), ms.tensor(1.0))"),
    ("y = torch.clamp(x, low, high)", "y = ops.clamp(x, low, high)"),
    ("y = x.clamp(0, high)", "y = x.clamp(0, high)"),
])  # fmt: skip
def test_the_text(tmp_path: Path, line: str, expected: str) -> None:
    assert converted_script(tmp_path, f"{HEAD}{line}\n").endswith(expected + "\n")


@pytest.mark.frameworks
def test_the_values(tmp_path: Path) -> None:
    text = "import torch\nx = torch.tensor([-1.0, 0.5, 5.0])\nprint(torch.clamp(x, 0, torch.tensor([3.0])[0]).tolist(), x.clamp(torch.tensor(0.0), max=1).tolist())\n"
    theirs, ours = printed_by_both(tmp_path, text)
    assert ours == theirs
