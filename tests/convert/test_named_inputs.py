"""Layers of torch's that are called with their inputs named: MindSpore's own classes call them otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.0)
        self.norm = nn.LayerNorm(3)
        self.conv = nn.Conv1d(2, 2, 1, bias=False)
        self.table = nn.Embedding(5, 3)
        self.rows = nn.ModuleList([nn.ReLU(), nn.Linear(3, 3, bias=False)])
        self.loss = nn.MSELoss()
        with torch.no_grad():
            for p in self.parameters():
                p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))

    def forward(self, x, places):
        x = self.drop(input=x)
        x = self.norm(input = (x))
        for row in self.rows:
            x = row(
                input=x,  # one of several
            )
        given = {"input": x, "target": self.table(input=places)}
        return self.conv(input=x).max(), self.loss(target=x * 0, input=x), self.loss(**given), nn.Linear(3, 2, bias=False)(input=x).shape[-1]


found = Net()(torch.arange(6.0).reshape(1, 2, 3), torch.zeros(1, 2, dtype=torch.long))
kept = [found[0].item(), found[1].item(), found[2].item(), found[3]]
"""


@pytest.mark.frameworks
def test_inputs_by_name(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert ours.kept == pytest.approx(theirs.kept, rel=1e-5)


def test_other_calls_keep_their_names(tmp_path: Path) -> None:
    text = converted_script(
        tmp_path,
        "import torch\nfrom torch import nn\n\n\nclass Mine(nn.Linear):\n    def forward(self, input):\n        return input\n\n\ndef call(layer, x):\n    return layer(input=x)\n\n\nMine(2, 2)(input=torch.ones(2))\n",
    )
    assert text.count("input=") == 2


def test_a_dictionary_in_another_order_is_told(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import torch\nfrom torch import nn\n\nx = torch.ones(2)\ngiven = {'target': x, 'input': x}\nloss = nn.MSELoss()(**given)\n")
    assert [f.risk for f in convert(discover(tmp_path)).findings if "named input in a dictionary" in f.message] == ["loud"]


def test_what_a_forward_pass_hands_on(tmp_path: Path) -> None:
    text = converted_script(
        tmp_path,
        "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layer = nn.Linear(2, 2)\n        self.loss = nn.MSELoss()\n\n"
        "    def forward(self, *inputs, **options):\n        return self.loss(*inputs, **options), self.layer(*inputs, **options)\n\n\nNet()(torch.ones(2))\n",
    )
    assert "self.layer(*inputs, *options.values())" in text and "self.loss(*inputs, **options)" in text
