"""Binary cross entropy weighted by a mask of whole numbers or truth values, which MindSpore's kernel does not take."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """
import torch
import torch.nn.functional as F

x = torch.tensor([[1.1, -2.2, 3.3, -4.4]] * 2)
t = torch.tensor([[1.0, 0, 0, 0], [1, 1, 0, 0]])
m = torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0]])
kept = []
for r in ("none", "mean", "sum"):
    kept += [F.binary_cross_entropy_with_logits(x, t, weight=m, reduction=r), F.binary_cross_entropy_with_logits(x, t, m > 0, reduction=r)]
    kept += [F.binary_cross_entropy(torch.sigmoid(x), t, weight=m, reduction=r)]
"""


@pytest.mark.frameworks
def test_both_sides(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    for theirs, ours in zip(torch_side.kept, mindspore_side.kept, strict=True):
        np.testing.assert_allclose(ours.asnumpy(), theirs.numpy(), 1e-5, 1e-6)
