"""Ranges as indices of tensors."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both


@pytest.mark.parametrize(("line", "expected"), [
    ("t[range(3), c] = 1.0", "t[list(range(3)), c] = 1.0"),
    ("y = t[range(len(c)), c].sum()", "y = t[list(range(len(c))), c].sum()"),
    ("d[range(3)] = 1", "d[range(3)] = 1"),
])  # fmt: skip
def test_a_range_becomes_a_list(tmp_path: Path, line: str, expected: str) -> None:
    (tmp_path / "script.py").write_text(f"import torch\nt = torch.zeros(3, 2)\nc = torch.tensor([0, 1, 1])\nd = {{}}\n{line}\n", encoding="utf-8")
    texts = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}
    assert texts["script.py"].endswith(expected + "\n")


HANDED_ON = """
import torch
from torch import nn


class Rows(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(5, 2)
        self.bias = nn.Parameter(torch.arange(5.0))
        self.table.weight.data.copy_(torch.arange(10.0).reshape(5, 2))

    def forward(self, u, v):
        return (self.table.weight[u] * self.table.weight[v]).sum(-1) + self.bias[v]


net = Rows()
scores = net.forward(torch.tensor(2).repeat(5), range(5))
scores[torch.tensor(1)] = -9
print(scores.tolist())
"""


@pytest.mark.frameworks
def test_a_range_that_is_handed_on(tmp_path: Path) -> None:
    """Nothing shows at the index that it is one: it is asked when the program runs."""
    theirs, ours = printed_by_both(tmp_path, HANDED_ON)
    assert ours == theirs


NAMED = """
import torch


def marked(values, which, rest):
    values["r"][which] = 1 / 3
    values["r"][rest] = -1.0 * (2 > torch.ceil(values["s"][rest] / 4)).to(torch.float32)
    return values["r"]


for which, rest in ((range(6), []), ([], range(6)), (range(3), range(3, 6)), ([0, 2], range(1, 6, 2))):
    print(marked({"r": torch.zeros(6), "s": torch.arange(6.0)}, which, rest).tolist())
x = torch.arange(12.0).reshape(3, 4)
rows = range(2)
print(x[rows].tolist(), x[:, rows].tolist())
for i in ([], range(0)):
    x[i] = 9
    x[:, i] = 9
w = torch.ones(3, requires_grad=True)
columns = {"used": range(1, 3)}
(x[:, columns["used"]].sum(1) * w)[rows].sum().backward()
print(x.tolist(), w.grad.tolist())
"""


@pytest.mark.frameworks
def test_ranges_that_have_a_name(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, NAMED)
    assert ours == theirs


def test_loops_alone_need_no_setting(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import torch\nfor i in range(3):\n    torch.zeros(3)[f(i)] = list(range(i))\n", encoding="utf-8")
    assert "TAKES_RANGES" not in "".join(convert(discover(tmp_path)).files.values())
