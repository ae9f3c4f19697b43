"""A program gives PyTorch's own classes methods that they do not have (``torch.nn.Module.add = f``): MindSpore's classes get them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """import torch
import torch.nn as nn


def named_by_number(self, module):
    self.add_module(str(len(self) + 1), module)


torch.nn.Module.add = named_by_number
nn.Linear.wide, torch.Tensor.twice = property(lambda self: self.out_features > 2), lambda self: self * 2
model = nn.Sequential()
model.add(nn.Linear(2, 3))
model.add(nn.ReLU())
names = [name for name, _ in model.named_parameters()]
found = [model(torch.ones(1, 2)).shape[1], model[0].wide, torch.ones(2).twice().tolist()]
"""


@pytest.mark.frameworks
def test_both_sides_have_the_methods(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import mindspore
    import torch

    for cls, name in ((torch.nn.Module, "add"), (torch.nn.Linear, "wide"), (torch.Tensor, "twice"), (mindspore.nn.Cell, "add"), (mindspore.nn.Dense, "wide"), (mindspore.Tensor, "twice")):
        monkeypatch.setattr(cls, name, None, raising=False)  # taken back after the test
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert mindspore_side.names == torch_side.names == ["1.weight", "1.bias"]
    assert mindspore_side.found == torch_side.found == [3, True, [2.0, 2.0]]
