"""Tuples that are written as the data of torch's first constructors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script


@pytest.mark.parametrize(("call", "expected"), [
    ("torch.Tensor((n,))", "float_tensor([n])"),
    ("torch.FloatTensor((1, 2 * n)).to('cpu')", "float_tensor([1, 2 * n])"),
    ("torch.LongTensor(((1), (n)))", "long_tensor([(1), (n)])"),
    ("torch.Tensor((torch.tensor(1.0).item(), n))", "float_tensor([ms.tensor(1.0).item(), n])"),
    ("torch.Tensor(2, 3)", "float_tensor(2, 3)"),
    ("torch.Tensor(size)", "float_tensor(size)"),
])  # fmt: skip
def test_a_written_tuple_becomes_a_list(tmp_path: Path, call: str, expected: str) -> None:
    assert converted_script(tmp_path, f"import torch\nn, size = 3, (2, 3)\nx = {call}\n").endswith(f"x = {expected}\n")
