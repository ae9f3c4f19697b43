"""Ranges as indices of tensors."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover


@pytest.mark.parametrize(("line", "expected"), [
    ("t[range(3), c] = 1.0", "t[list(range(3)), c] = 1.0"),
    ("y = t[range(len(c)), c].sum()", "y = t[list(range(len(c))), c].sum()"),
    ("d[range(3)] = 1", "d[range(3)] = 1"),
])  # fmt: skip
def test_a_range_becomes_a_list(tmp_path: Path, line: str, expected: str) -> None:
    (tmp_path / "script.py").write_text(f"import torch\nt = torch.zeros(3, 2)\nc = torch.tensor([0, 1, 1])\nd = {{}}\n{line}\n", encoding="utf-8")
    texts = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}
    assert texts["script.py"].endswith(expected + "\n")
