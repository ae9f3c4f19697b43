"""Views that a script writes into, views whose index may have moved on, and results written into a part (`out=`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script

VIEWS = """
import torch

x = torch.arange(24.0).reshape(4, 6)
chunked = x.chunk(2, dim=1)[0]
chunked.add_(1)
split = x.split([1, 3])[1]
split[0] = 3
row = x.unbind(0)[2]
row *= 2
diagonal = x.diagonal()
diagonal += 4
narrowed = x.narrow(1, 0, 2)
narrowed.sub_(1)
permuted = x.permute(1, 0)
permuted[0, 1] = 7
selected = x.select(0, 1)
selected.mul_(2)
part = x.transpose(0, 1)[1:3]
part.zero_()
kept = [x, chunked, split, row, diagonal, narrowed, permuted, selected, part]
"""

RING = """
import torch


class Ring:
    def __init__(self):
        self.rows = torch.zeros(4, 2)
        self.at = 0

    def put(self, values):
        self.rows[self.at] = values
        self.at += 1


ring = Ring()
ring.put(torch.ones(2))
last = ring.rows[ring.at - 1]
ring.put(torch.ones(2) * 3)
newest = ring.rows[ring.at - 1]
newest *= 2
kept = [ring.rows, last, newest]
"""

OUT = """
import torch

a = torch.arange(6.0).reshape(2, 3)
rows = torch.zeros(4, 3)
torch.mul(a[0], 2, out=rows[1])
torch.cumsum(a[1], 0, out=rows[2])
wider = torch.zeros(5).index_put_((torch.tensor([1, 3, 1]),), torch.tensor([1.0, 2.0, 3.0]), accumulate=True)
put = torch.arange(6).reshape(2, 3).put_(torch.tensor([1, 4]), torch.tensor([-1, -4]))
kept = [rows, wider, put]
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("text", [VIEWS, RING, OUT])
def test_every_tensor_is_as_in_torch(tmp_path: Path, text: str) -> None:
    theirs, ours = both_sides(tmp_path, text)
    assert [v.tolist() for v in ours.kept] == [v.tolist() for v in theirs.kept]


def test_scripts_need_no_context(tmp_path: Path) -> None:
    converted = converted_script(tmp_path, VIEWS)
    assert "mindport:" not in converted
    assert "no_grad" not in converted


def test_a_view_is_not_made_again_by_an_index_that_moves(tmp_path: Path) -> None:
    assert "last = ring.rows" in converted_script(tmp_path, RING)
    assert converted_script(tmp_path, RING).count("last = ring.rows") == 1


def test_several_tensors_are_told(tmp_path: Path) -> None:
    assert "MP109" in converted_script(tmp_path, "import torch\na = torch.ones(2, 3)\nv, i = torch.empty(2), torch.empty(2).long()\ntorch.max(a, 1, out=(v, i))\nprint(v)\n")
