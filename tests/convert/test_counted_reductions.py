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


def test_what_gives_one_number_has_its_size(tmp_path: Path) -> None:
    text = (
        "import torch\nimport torch.nn.functional as F\nx = torch.ones(3)\nmask = x > 2\na = x[mask].sum()\nb = torch.max(a, x)\n"
        "c = F.l1_loss(x[mask], x[mask], reduction='sum')\nd = torch.maximum(c, x)\ne = F.l1_loss(x[mask], x[mask], reduction='none').max()\n"
    )
    lines = converted_script(tmp_path, text).splitlines()
    assert lines[-4:-2] == ["b = ops.maximum(a, x)", "c = l1_loss_of_counted(x[mask], x[mask], reduction='sum')"]
    assert lines[-2] == "d = ops.maximum(c, x)" and "max_of_counted(" in lines[-1]


BOXES = """
import torch
import torch.nn.functional as F


def boxes(pred, conf, truth):
    keep = pred[conf > 0.5]
    score, label = keep[:, 4:].max(1)
    low = torch.max(keep[:, None, :2], truth[:, :2])
    high = torch.minimum(truth[:, 2:4], keep[:, None, 2:4])
    size = (high - low).clamp(min=0)
    return [
        score, label, keep[:, 4:].min(dim=1).values, keep.argmax(1), torch.max(keep, 1)[1], size[..., 0] * size[..., 1],
        F.one_hot(label, 3), torch.cumsum(keep, 0), keep.repeat(1, 2),
    ]


p, t = ((torch.arange(35.0) * 11) % 35 / 32).reshape(5, 7), torch.tensor([[0.0, 0, 1, 1], [0.25, 0.25, 0.5, 0.75]])
kept = [*boxes(p, torch.tensor([0.9, 0.1, 0.7, 0.2, 0.6]), t), *boxes(p, torch.zeros(5), t)]
"""


@pytest.mark.frameworks
def test_pairs_and_positions_of_some_and_of_nothing(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, BOXES)
    equal_tensors(torch_side.kept, mindspore_side.kept)


@pytest.mark.frameworks
def test_both_sides_some_and_none(tmp_path: Path) -> None:
    import mindspore as ms
    import numpy as np

    held = [ms.Tensor(np.full((size,), 7e30, np.float32)) + 1 for size in (1, 4, 16, 64) for _ in range(8)]
    held[-1].asnumpy()  # freed memory that holds large numbers
    del held
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    equal_tensors(torch_side.kept, mindspore_side.kept)
