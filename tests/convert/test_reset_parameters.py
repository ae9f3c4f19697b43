"""Layers draw their parameters anew where a project asks them to, also behind ``hasattr``."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, converted_script

OWN = """import torch
import torch.nn as nn


def reset(net):
    count = 0
    for layer in net.modules():
        if hasattr(layer, "reset_parameters"):
            layer.reset_parameters()
            count += 1
    return count


class Scaled(nn.Linear):
    def reset_parameters(self):
        super().reset_parameters()
        nn.init.ones_(self.bias)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.norm = nn.BatchNorm1d(4)
        self.reset_parameters()

    def reset_parameters(self):
        self.fc.reset_parameters()
        self.norm.reset_parameters()
        nn.init.zeros_(self.fc.bias)

    def forward(self, x):
        return self.norm(self.fc(x))


net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Conv1d(1, 1, 1), nn.Embedding(3, 2), nn.LayerNorm(3))
count = reset(net)
own = Scaled(3, 2).bias.tolist()
inner = Block().fc.bias.tolist()


class Memory(nn.LSTMCell):
    def reset_parameters(self):
        super().reset_parameters()
        nn.init.ones_(self.bias_ih)


class Slope(nn.PReLU):
    def reset_parameters(self):
        nn.init.constant_(self.weight, 0.5)


cell = Memory(3, 2)
slope = Slope(3)
cells = cell.bias_ih.tolist() + slope.weight.tolist()
nn.init.zeros_(cell.bias_ih)
again = reset(nn.ModuleList([cell, slope])), cell.bias_ih.tolist()
norm = nn.BatchNorm1d(3)
norm(torch.randn(5, 3) + 4)
nn.init.constant_(norm.weight, 3.0)
norm.reset_running_stats()
started = norm.running_mean.tolist(), norm.running_var.tolist(), norm.weight.tolist()
"""
ENDS = """import torch
from torch import nn


class Diagonal(nn.Linear):
    def __init__(self, n):
        self.n = n
        super().__init__(n, n, bias=False)

    def reset_parameters(self):
        self.weight.data = torch.eye(self.n) * 2
        self.weight.requires_grad = False


layer = Diagonal(2)
given = layer(torch.ones(1, 2)).tolist(), [p.requires_grad for p in layer.parameters()]
"""
ALL = """import torch
import torch.nn as nn

torch.manual_seed(0)
LAYERS = {
    "linear": lambda: nn.Linear(64, 200), "conv": lambda: nn.Conv2d(16, 64, 3, groups=2), "conv1": lambda: nn.Conv1d(16, 64, 5), "transposed": lambda: nn.ConvTranspose2d(32, 48, 3),
    "bilinear": lambda: nn.Bilinear(20, 30, 40), "embedding": lambda: nn.Embedding(300, 40, padding_idx=2), "batch": lambda: nn.BatchNorm2d(5), "batch3": lambda: nn.BatchNorm3d(5), "layer": lambda: nn.LayerNorm(7), "group": lambda: nn.GroupNorm(2, 6),
    "lstm": lambda: nn.LSTM(30, 50, 2, bidirectional=True), "gru": lambda: nn.GRU(30, 50), "rnn": lambda: nn.RNN(30, 50), "none": lambda: nn.ReLU(), "plain": lambda: nn.LayerNorm(4, elementwise_affine=False), "noaffine": lambda: nn.BatchNorm1d(4, affine=False),
    "mha": lambda: nn.MultiheadAttention(8, 2), "lstmcell": lambda: nn.LSTMCell(30, 50), "grucell": lambda: nn.GRUCell(30, 50), "rnncell": lambda: nn.RNNCell(30, 50, bias=False),
    "rms": lambda: nn.RMSNorm(7), "norms": lambda: nn.RMSNorm(7, elementwise_affine=False), "prelu": lambda: nn.PReLU(6, 0.125), "bag": lambda: nn.EmbeddingBag(300, 40), "instance": lambda: nn.InstanceNorm2d(4),
    "tracking": lambda: nn.InstanceNorm1d(4, affine=True, track_running_stats=True), "adaptive": lambda: nn.Softmax(1), "sync": lambda: nn.SyncBatchNorm(3),
}
found = {}
for name, make in LAYERS.items():
    layer = make()
    if not hasattr(layer, "reset_parameters"):
        found[name] = "none"
        continue
    with torch.no_grad():
        for p in layer.parameters():
            p.fill_(9.0)
        for p in layer.buffers():
            p.fill_(7)
    layer.reset_parameters()
    found[name] = [(n, list(t.shape), round(t.float().std().item() if t.numel() > 1 else 0.0, 4), round(t.float().abs().max().item(), 4), round(t.float().mean().item(), 3)) for n, t in layer.state_dict().items() if "num_batches" not in n]
"""


@pytest.mark.frameworks
def test_loops_and_subclasses(tmp_path: Path) -> None:
    torch, mindspore = both_sides(tmp_path, OWN)
    assert mindspore.count == torch.count == 5
    assert mindspore.cells == torch.cells and mindspore.again == torch.again and mindspore.started == torch.started
    assert mindspore.own == torch.own == [1.0, 1.0] and mindspore.inner == torch.inner


@pytest.mark.frameworks
def test_construction_ends_with_a_subclasss_own(tmp_path: Path) -> None:
    """Nothing else in the project names the method."""
    torch, mindspore = both_sides(tmp_path, ENDS)
    assert mindspore.given == torch.given == ([[2.0, 2.0]], [False])


@pytest.mark.frameworks
def test_every_layer_starts_as_torchs(tmp_path: Path) -> None:
    """Names, shapes, standard deviation, largest value and mean of what was 9 before."""
    torch, mindspore = both_sides(tmp_path, ALL)
    assert mindspore.found.keys() == torch.found.keys()
    for layer, tensors in torch.found.items():
        assert len(mindspore.found[layer]) == len(tensors), layer
        for one, two in zip(mindspore.found[layer], tensors, strict=True):
            assert one[:2] == two[:2], layer
            if one != two:  # five standard errors of two samples
                error = 5 * math.sqrt(2 / math.prod(two[1]))
                assert one[2] == pytest.approx(two[2], rel=error) and one[3] == pytest.approx(two[3], rel=0.25), (layer, one, two)
                assert abs(one[4] - two[4]) < error * two[2] + 0.001, (layer, one, two)


def test_the_text_stays_and_a_projects_own_method_asks_for_nothing(tmp_path: Path) -> None:
    text = "import torch.nn as nn\n\n\ndef reset(m: nn.Linear):\n    m.reset_parameters()\n"
    assert "    m.reset_parameters()\n" in converted_script(tmp_path, text)
    own = OWN.split("class Scaled")[0].split("def reset")[0] + "class A(nn.Module):\n    def reset_parameters(self):\n        return 1\n\n\nA().reset_parameters()\n"
    (tmp_path / "script.py").write_text(own, encoding="utf-8")
    assert not any("LAYERS_CAN_BE_RESET" in text for text in convert(discover(tmp_path)).files.values())


@pytest.mark.frameworks
def test_two_converted_projects_in_one_process(tmp_path: Path) -> None:
    """The second one's method is not taken for a subclass's own, which would draw over given weights."""
    import numpy as np
    from mindspore import Tensor, nn

    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        both_sides(tmp_path / name, OWN)
    table = np.arange(6, dtype=np.float32).reshape(3, 2)
    assert np.array_equal(nn.Embedding(3, 2, embedding_table=Tensor(table)).embedding_table.asnumpy(), table)
