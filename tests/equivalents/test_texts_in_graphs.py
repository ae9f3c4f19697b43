"""Methods whose keywords are other ones in graphs than in PyNative: the text that conversion writes compiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, seen_by_graphs

PROGRAM = """import torch


def compute(x):
    most = x.amax(dim=-1, keepdim=True) - x.amin(dim=0, keepdim=True)
    return x.where(condition=x > 0, other=most), torch.zeros(3).scatter(0, torch.tensor(1), 2.0)


def bins(x):
    return (torch.histc(x, bins=3, min=-1.0, max=1.0) * 2).sum() + x.square().sum()
"""


@pytest.mark.frameworks
def test_amax_amin_and_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import mindspore as ms
    import torch

    theirs, ours = both_sides(tmp_path, PROGRAM)
    seen_by_graphs(ours, monkeypatch)
    rows = [[1.0, -2.0, 0.5], [3.0, 0.25, -1.0]]
    for expected, found in zip(theirs.compute(torch.tensor(rows)), ms.jit(ours.compute)(ms.tensor(rows)), strict=True):
        assert found.asnumpy().tolist() == expected.tolist()
    x = torch.tensor(rows[0], requires_grad=True)
    theirs.bins(x).backward()
    assert x.grad is not None and ms.grad(ours.bins)(ms.tensor(rows[0])).asnumpy().tolist() == x.grad.tolist()
