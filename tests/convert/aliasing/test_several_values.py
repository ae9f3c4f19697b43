"""``a.data, b.data = b.data, a.data``, views made in comprehensions, and copies that `reshape` makes of transposed tensors."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, equal_tensors

PROGRAM = """
import torch
from torch import nn


def swap(net, shadow):
    for p, s in zip(net.parameters(), shadow.parameters()):
        p.data, s.data = s.data, p.data


a, b = nn.Linear(2, 2), nn.Linear(2, 2)
for net, k in ((a, 1.0), (b, 2.0)):
    for p in net.parameters():
        p.data.fill_(k)
swap(a, b)
kept = [t.clone().detach() for t in (a.weight, b.weight, a.bias, b.bias)]
a.weight.data, b.weight.data = b.weight.data, a.weight.data
kept += [a.weight.detach(), b.weight.detach(), a.bias.detach()]
held = {"m": torch.ones(3, 3)}
rows = torch.tensor([1, 0])
held["m"][rows, 1].mul_(3)
held["m"][0, rows].mul_(3)
kept.append(held["m"])
"""


@pytest.mark.frameworks
def test_both_take_the_others_numbers(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    equal_tensors(theirs.kept, ours.kept)


@pytest.mark.parametrize("body", [
    "rows = [h[i] for i in range(len(h))]\n    i = 0\n    h.mul_(2)\n    return h[i], rows",
    "c = h.t()\n    f = c.reshape(-1)\n    f[0] = 100\n    return h, f",
    "f = h[:, 1:].flatten()\n    h[0, 0] = 1\n    return h, f",
])  # fmt: skip
def test_what_only_a_run_tells_is_told(tmp_path: Path, body: str) -> None:
    (tmp_path / "program.py").write_text(f"import torch\n\n\ndef f(x: torch.Tensor):\n    h = x * 1\n    {body}\n")
    assert [f.code for f in convert(discover(tmp_path)).findings if f.code == "MP109"]
