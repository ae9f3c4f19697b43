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
    ("torch.Tensor(size)", "float_tensor(list(size))"),
])  # fmt: skip
def test_a_written_tuple_becomes_a_list(tmp_path: Path, call: str, expected: str) -> None:
    assert converted_script(tmp_path, f"import torch\nn, size = 3, (2, 3)\nx = {call}\n").endswith(f"x = {expected}\n")


@pytest.mark.parametrize(("bound", "data"), [
    ("row = rows[k]", True),
    ("row = self.rows[k]", True),
    ("row, _ = zip(*rows)", "list"),
    ("row = (1,) + tuple(x.shape)", False),
    ("row = self.shapes[k]", False),
    ("row = x.shape[1:]", False),
    ("row = rows", False),
    ("row = make()", False),
])  # fmt: skip
def test_items_of_containers_and_tuples_are_data(tmp_path: Path, bound: str, data: bool | str) -> None:
    text = f"import torch\n\n\nclass Rows:\n    def __getitem__(self, k, rows, x, make):\n        {bound}\n        a, b = row\n        row = torch.LongTensor(row)\n        return row, a\n"
    written = converted_script(tmp_path, text)
    assert ("long_tensor(list(row) if isinstance(row, tuple) else row)" in written) is (data is True)
    assert ("long_tensor(list(row))" in written) is (data == "list")
