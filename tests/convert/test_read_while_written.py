"""Statements whose right side is a view of what they change: torch's result hangs on the order of its loops."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

TOLD = [
    "x -= x[:, :1]",
    "x[:, :, :] -= x[:, :1, :]",
    "x -= x[:, 0].unsqueeze(1)",
    "x /= x[:, 1:2]",
    "x[:, 1:] += x[:, :-1]",
    "x[..., 1:] = x[..., :-1]",
    "x[:, k:] = x[:, :-k]",
    "x.sub_(x[:, :1])",
    "v = x[:, :1]; x -= v",
    "v = x[:, 0].unsqueeze(1); x[:, :] -= v",
    "x[:, 1:].copy_(x[:, :-1])",
]
KEPT = [
    "x *= x",
    "x[:, 1:] -= x[:, :1]",
    "x[..., :2] -= x[..., 2:]",
    "x[:, :k] -= x[:, k:]",
    "x[0::2] += x[1::2]",
    "x[0] += x[1]",
    "x[:, -1] = x[:, 0]",
    "x[:-1] -= x[-1:]",
    "x[:, :-1] = x[:, 1:]",
    "x /= x[:, -1:]",
    "x[:] = x[:, :1]",
    "x -= x[:, :1] * 1",
    "x -= x[:, :1].clone()",
    "x -= y[:, :1]",
    "x -= x[[0, 1]]",
    "x.copy_(x[:, :1])",
    "v = x[:, :1]; x[:, 1:] -= v",
    "v = x[:, :1].clone(); x -= v",
    "v = x[:, :1]; x = x * 2; x -= v",
    "x.add_(y[:, :1])",
    "x.index_fill_(0, y.long(), 1)",
]


def told(tmp_path: Path, statement: str) -> bool:
    (tmp_path / "m.py").write_text(f"import torch\n\n\ndef f(y, k: int):\n    x = torch.sin(torch.ones(4, 4, 4))\n    {statement}\n    return x\n")
    return any(f.code == "MP103" and f.risk == "silent" and "while it changes it" in f.message for f in convert(discover(tmp_path)).findings)


@pytest.mark.parametrize("statement", TOLD)
def test_what_is_read_behind_its_change_is_told(tmp_path: Path, statement: str) -> None:
    assert told(tmp_path, statement)


@pytest.mark.parametrize("statement", KEPT)
def test_other_elements_and_those_read_in_time_are_not(tmp_path: Path, statement: str) -> None:
    assert not told(tmp_path, statement)


def test_arrays_are_not(tmp_path: Path) -> None:
    """NumPy copies where memory overlaps."""
    (tmp_path / "m.py").write_text("import numpy as np\nimport torch\n\nx = np.ones((3, 4))\nx -= x[:, :1]\ny = torch.from_numpy(x)\n")
    assert not [f for f in convert(discover(tmp_path)).findings if "while it changes it" in f.message]
