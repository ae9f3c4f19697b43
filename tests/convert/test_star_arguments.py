"""Calls with ``*``: an overload that takes its arguments by keyword alone is not meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover


@pytest.mark.parametrize(("line", "expected"), [
    ("y = x.permute(*order)", "y = x.permute(*order)"),
    ("y = x.permute(*reversed(range(3)))", "y = x.permute(*reversed(range(3)))"),
    ("y = x.permute(dims=order)", "y = x.permute(order)"),
    ("y = x.expand(*order)", "y = expand(x, *order)"),
    ("y = x.expand(size=(3, 2, 2))", "y = ops.broadcast_to(x, shape=(3, 2, 2))"),
    ("y = x.view(size=(1, 4))", "y = x.view((1, 4))"),
])  # fmt: skip
def test_the_text(tmp_path: Path, line: str, expected: str) -> None:
    (tmp_path / "script.py").write_text(f"import torch\nx = torch.zeros(1, 2, 2)\norder = (2, 0, 1)\n{line}\n", encoding="utf-8")
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["script.py"]
    assert "MP106" not in text
    assert text.endswith(expected + "\n")
