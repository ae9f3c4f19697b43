"""Sums, means and losses of what the data leave of a tensor, which may be nothing: MindSpore gives what was in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.report.scan import scan
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, converted_script, equal_tensors

PROGRAM = """
import torch
import torch.nn.functional as F


def losses(pred, target, conf):
    positive = conf > 0.5
    chosen = pred[positive]
    rows = torch.nonzero(positive).squeeze(1)
    return [
        F.l1_loss(chosen, target[positive], reduction="sum"), chosen.sum(), torch.sum((pred - target)[positive] ** 2),
        pred.masked_select(positive.unsqueeze(1)).sum(0), pred[rows].sum(), (pred[positive] * 2).sum(0, keepdim=True),
    ]


x, y = torch.arange(6.0).reshape(3, 2), torch.ones(3, 2)
kept = [*losses(x, y, torch.tensor([0.1, 0.2, 0.3])), *losses(x, y, torch.tensor([0.9, 0.2, 0.7]))]
"""


def test_what_has_its_size_from_elsewhere_keeps_its_text(tmp_path: Path) -> None:
    text = "import torch\nx = torch.ones(3)\nmask = x > 2\na = x.sum()\nb = torch.where(mask, x, 0).mean()\nc = x[1:].sum()\nd = x[mask].sum()\n"
    lines = converted_script(tmp_path, text).splitlines()
    assert not [record for record in convert(discover(tmp_path)).log if "_of_counted" in record.api]
    assert lines[-4] == "a = x.sum()" and lines[-3].endswith(".mean()") and lines[-2:] == ["c = x[1:].sum()", "d = sum_of_counted(x[mask])"]


def test_a_scan_reads_it_too(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    assert not [problem for problem in scan(discover([tmp_path])).problems if problem.code == "MP909"]


@pytest.mark.frameworks
def test_both_sides_some_and_none(tmp_path: Path) -> None:
    import mindspore as ms
    import numpy as np

    held = [ms.Tensor(np.full((size,), 7e30, np.float32)) + 1 for size in (1, 4, 16, 64) for _ in range(8)]
    held[-1].asnumpy()  # freed memory that holds large numbers
    del held
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    equal_tensors(torch_side.kept, mindspore_side.kept)
