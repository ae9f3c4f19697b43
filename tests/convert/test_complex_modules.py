"""Casts of modules beside complex tensors are told: MindSpore's make complex parameters real."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import Discovery
from mindport.source.file import SourceFile

TEXT = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(2, 2, dtype=torch.{dtype}))

    def forward(self, x):
        return x @ self.weight


net = Net().{cast}()
"""


@pytest.mark.parametrize(("dtype", "cast", "told"), [("cfloat", "float", True), ("complex64", "double", True), ("float32", "float", False), ("cfloat", "eval", False)])
def test_it_is_told_where_complex_dtypes_are_named(dtype: str, cast: str, told: bool) -> None:
    result = convert(Discovery(root=Path("."), files=[SourceFile.of(TEXT.format(dtype=dtype, cast=cast), "m.py")]))
    found = [f for f in result.findings if f.code == "MP103" and "become real" in f.message]
    assert bool(found) is told and all(f.risk == "silent" for f in found)
