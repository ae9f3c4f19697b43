"""A class that derives from a batch normalisation and looks at its input as PyTorch's own forward pass does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import torch
from torch import nn


class Norm(nn.BatchNorm1d):
    def forward(self, x):
        self._check_input_dim(x)
        return nn.functional.batch_norm(x, self.running_mean, self.running_var, self.weight, self.bias, self.training, self.momentum, self.eps)


x = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
result = Norm(2)(x).tolist()
try:
    Norm(2)(torch.ones(2))
    raised = False
except ValueError:
    raised = True
"""


@pytest.mark.frameworks
def test_its_own_forward_pass(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert ours.result == [pytest.approx(row, abs=1e-5) for row in theirs.result]
    assert ours.raised and theirs.raised


def test_a_method_of_the_projects_own_is_left_alone(tmp_path: Path) -> None:
    text = "from torch import nn\n\n\nclass Norm(nn.BatchNorm1d):\n    def _check_input_dim(self, x):\n        pass\n\n    def forward(self, x):\n        self._check_input_dim(x)\n        return x\n"
    assert "self._check_input_dim(x)\n" in converted_script(tmp_path, text)
