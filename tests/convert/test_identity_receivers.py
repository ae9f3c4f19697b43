"""Calls that leave their object as it is: what stood in parentheses before them keeps them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover


@pytest.mark.parametrize(("line", "expected"), [
    ("z = (x / n).cpu().sum()", "z = (x / n).sum()"),
    ("z = (x / 2).cpu().contiguous().sum()", "z = (x / 2).contiguous().sum()"),
    ("z = (x - 2).cpu() * 3", "z = (x - 2) * 3"),
    ("z = -(x - 2).cpu()", "z = -(x - 2)"),
    ("z = (x - 2).cpu()", "z = x - 2"),
    ("z = (x\n     - 2).cpu()", "z = (x\n     - 2)"),
    ("z = x.cpu().sum()", "z = x.sum()"),
])  # fmt: skip
def test_parentheses(tmp_path: Path, line: str, expected: str) -> None:
    (tmp_path / "script.py").write_text(f"import torch\nn = 3\nx = torch.ones(3)\n{line}\n", encoding="utf-8")
    texts = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}
    assert texts["script.py"].endswith(f"\n{expected}\n")


@pytest.mark.parametrize(("call", "expected"), [
    ("return super().to('cpu')", "return self"),
    ("return super(Net, self).to('cpu')", "return self"),
    ("net = super().cuda()", "net = self"),
    ("return super().train(device)", "return super().set_train(device)"),
])  # fmt: skip
def test_what_a_base_gives_back_is_the_object(tmp_path: Path, call: str, expected: str) -> None:
    text = f"import torch.nn as nn\nclass Net(nn.Module):\n    def moved(self, device):\n        {call}\n"
    (tmp_path / "script.py").write_text(text, encoding="utf-8")
    texts = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}
    assert texts["script.py"].endswith(f"        {expected}\n")
