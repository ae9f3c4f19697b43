"""``partition.masked_scatter_(mask, new.masked_select(mask))``: steps of a sequence labeller where a mask may hold no place at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch


def kept(partition, new, mask):
    partition.masked_scatter_(mask, new.masked_select(mask))
    return partition


p = torch.zeros(2, 2)
w = torch.ones(2, 2, requires_grad=True)
for mask in (torch.tensor([[True, False], [True, True]]), torch.zeros(2, 2).bool(), torch.ones(2, 2).bool()):
    p = kept(p.clone(), w * torch.arange(4.0).view(size=(2, 2)), mask)
    print(p.tolist(), p.masked_scatter(~mask, torch.ones(4)).tolist())
(p.sum() + w.masked_scatter(torch.zeros(2, 2).bool(), torch.ones(0)).sum()).backward()
print(w.grad.tolist())
"""


@pytest.mark.frameworks
def test_nothing_is_put_where_the_mask_is_empty(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs
