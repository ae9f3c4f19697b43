"""Dropout draws with a probability that is set later, and draws the same mask again where the generator is set back."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides

SET_LATER = """import torch
import torch.nn as nn

net = nn.Sequential(nn.Linear(4, 300), nn.Dropout(0.5)).train()
given = torch.ones(100, 4)
shares = []
for p in (0.9, 0.0, 1.0):
    for m in net.modules():
        if isinstance(m, nn.Dropout):
            m.p = p
    shares.append(round((net(given) == 0).float().mean().item(), 1))
"""
REPLAYED = """import torch
import torch.nn as nn


class Reversible(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5))

    def forward(self, x):
        self.state = torch.get_rng_state()
        return x + self.f(x)

    def back(self, y, x):
        with torch.random.fork_rng():
            torch.set_rng_state(self.state)
            return y - self.f(x)


net = Reversible().train()
x = torch.arange(800.0).reshape(100, 8) / 800
y = net(x)
other = net(x)
again = (net.back(other, x) - x).abs().max().item() < 1e-5
differs = (other - y).abs().max().item() > 0.01
"""
SEEDED_TWICE = """import torch
import torch.nn as nn

lstm = nn.LSTM(4, 6, 2, dropout=0.5)
drop = nn.Dropout(0.3)
x = torch.ones(5, 3, 4)
torch.manual_seed(3)
first = drop(lstm(x)[0])
torch.manual_seed(3)
equal = (drop(lstm(x)[0]) - first).abs().max().item() == 0
other = (drop(lstm(x)[0]) - first).abs().max().item() > 0
"""


@pytest.mark.frameworks
def test_a_probability_set_later(tmp_path: Path) -> None:
    torch, mindspore = both_sides(tmp_path, SET_LATER)
    assert mindspore.shares == torch.shares == [0.9, 0.0, 1.0]


@pytest.mark.frameworks
def test_masks_come_again(tmp_path: Path) -> None:
    from mindspore import nn

    plain = nn.Dropout.construct
    try:
        for name, text in (("state", REPLAYED), ("seed", SEEDED_TWICE)):
            (tmp_path / name).mkdir()
            torch, mindspore = both_sides(tmp_path / name, text)
        assert torch.equal and torch.other and mindspore.equal and mindspore.other
        _, mindspore = both_sides(tmp_path, REPLAYED)
        assert mindspore.again and mindspore.differs
    finally:
        nn.Dropout.construct = plain


@pytest.mark.parametrize(("text", "set_up"), [
    (REPLAYED, True), (SEEDED_TWICE, True), (SET_LATER, False), (SEEDED_TWICE.replace("torch.manual_seed(3)\nequal", "equal"), False),
    ("import torch\nfrom torch import nn\n\ndef seed():\n    torch.manual_seed(1)\n\nseed()\nseed()\nd = nn.Dropout()\n", True),
    ("import torch\nfrom torch import nn\n\nfor i in range(3):\n    torch.manual_seed(i)\nd = nn.Dropout()\n", True),
    ("import torch\nfrom torch import nn\n\nfor i in range(3):\n    torch.manual_seed(i)\nd = nn.Linear(1, 1)\n", False),
])  # fmt: skip
def test_only_where_the_generator_goes_back(tmp_path: Path, text: str, set_up: bool) -> None:
    (tmp_path / "script.py").write_text(text, encoding="utf-8")
    files = convert(discover(tmp_path)).files.values()
    assert any("DROPOUT_COMES_AGAIN" in text for text in files) == set_up
