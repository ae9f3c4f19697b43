"""Tuples that are written as the data of torch's first constructors."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover


@pytest.mark.parametrize(("call", "expected"), [
    ("torch.Tensor((n,))", "float_tensor([n])"),
    ("torch.FloatTensor((1, 2 * n)).to('cpu')", "float_tensor([1, 2 * n])"),
    ("torch.LongTensor(((1), (n)))", "long_tensor([(1), (n)])"),
    ("torch.Tensor((torch.tensor(1.0).item(), n))", "float_tensor([ms.tensor(1.0).item(), n])"),
    ("torch.Tensor(2, 3)", "float_tensor(2, 3)"),
    ("torch.Tensor(size)", "float_tensor(size)"),
])  # fmt: skip
def test_a_written_tuple_becomes_a_list(tmp_path: Path, call: str, expected: str) -> None:
    (tmp_path / "script.py").write_text(f"import torch\nn, size = 3, (2, 3)\nx = {call}\n", encoding="utf-8")
    texts = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}
    assert texts["script.py"].endswith(f"x = {expected}\n")
