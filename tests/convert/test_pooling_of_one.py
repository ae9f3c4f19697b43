"""Pooling of (C, H, W) and (C, D, H, W), which MindSpore's functions do not take: computed where the axes show or the function is vendored, told elsewhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch
import torch.nn.functional as F

seen = torch.tensor([[[0.5, -1.0, 2.0, 0.1], [1.5, 0.2, 0.3, -2.0], [0.7, 0.9, 4.0, 3.0]]])
plane, volume = torch.sin(torch.arange(72.0)).view(2, 6, 6), torch.sin(torch.arange(128.0)).view(2, 4, 4, 4)
table = {"max": F.max_pool2d, "mean": F.avg_pool2d, "most": F.max_pool3d, "means": F.avg_pool3d}
values, places = F.max_pool2d(seen, 2, return_indices=True)
found = [
    F.max_pool2d(seen, 3, stride=1, padding=1), values, places, F.avg_pool2d(seen, 3, 2, 1), F.avg_pool2d(seen, 2, divisor_override=3), F.max_pool2d(seen[None], 2),
    table["max"](plane, 2), table["mean"](plane, 3, 2, 1), table["most"](volume, 2), table["means"](volume, 2), table["max"](plane[None], 2), table["means"](volume[None], 2),
]
for one in found:
    print(*one.shape, *one.flatten().tolist())
"""


@pytest.mark.frameworks
def test_both_sides_agree(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    np.testing.assert_allclose([float(one) for one in ours.split()], [float(one) for one in theirs.split()], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("call", ["max_pool2d(x, 2)", "max_pool3d(x, 2)", "avg_pool2d(x, 2)"])
def test_what_nothing_is_known_of_is_told(call: str, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(f"import torch.nn.functional as F\n\n\ndef f(x):\n    return F.{call}\n", encoding="utf-8")
    assert any("batch axis" in finding.message for finding in convert(discover(tmp_path)).findings)
