"""Checks against PyTorch's private bases of layers find the layers."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.report.scan import scan
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, converted_script

pytestmark = pytest.mark.frameworks

PROGRAM = """from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.conv import _ConvNd
from torch.nn.modules.dropout import _DropoutNd
from torch.nn.modules.instancenorm import _InstanceNorm


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ConvTranspose1d(2, 2, 3), nn.InstanceNorm2d(2), nn.BatchNorm1d(2, affine=False), nn.Dropout(0.5),
            nn.Dropout2d(0.5), nn.Linear(2, 2), nn.LSTM(2, 2), nn.GRU(2, 2), nn.RNNCell(2, 2),
        )
        for m in self.modules():
            if isinstance(m, (_ConvNd, nn.Linear)):
                nn.init.constant_(m.weight, 1)


def found():
    layers = list(Net().body)
    return (
        [isinstance(m, _BatchNorm) for m in layers], [isinstance(m, _ConvNd) for m in layers], [isinstance(m, (_InstanceNorm, nn.ReLU)) for m in layers],
        [isinstance(m, _DropoutNd) for m in layers], [issubclass(type(m), nn.RNNBase) for m in layers], [isinstance(m, (nn.RNNCellBase, nn.ReLU)) for m in layers], float(Net().body[0].weight.sum()), float(Net().body[7].weight.sum()),
    )
"""


def test_they_are_found(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert mindspore_side.found() == torch_side.found()


def test_a_class_below_a_function_is_told(tmp_path: Path) -> None:
    """torch's context managers are classes, MindSpore's a function: by a scan and by a conversion."""
    text = "import torch\n\n\nclass Quiet(torch.no_grad):\n    pass\n"
    assert "# mindport: MP102 torch.no_grad" in converted_script(tmp_path, text)
    assert any("no class can derive" in found.message for found in scan(discover(tmp_path)).found())


SCRIPTED = """import torch
from torch import jit, nn


class Model(jit.ScriptModule):
    __constants__ = ["low"]

    def __init__(self, size):
        super().__init__()
        self.low = 0.1
        self.fc = nn.Linear(size, 2)

    @jit.script_method
    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        y = self.fc(x)
        return [y, torch.relu(y) + self.low]


def run():
    model = Model(3)
    with torch.no_grad():
        for p in model.parameters():
            p.fill_(0.5)
    model(torch.ones(2, 3))[1].sum().backward()
    return [model(torch.ones(2, 3))[1].tolist(), model.fc.weight.grad.tolist()]
"""


def test_a_class_that_torchscript_reads_is_a_module(tmp_path: Path) -> None:
    one, two = both_sides(tmp_path, SCRIPTED)
    assert two.run() == one.run()
    assert "class Model(nn.Cell):" in converted_script(tmp_path, SCRIPTED) and "jit" not in converted_script(tmp_path, SCRIPTED)


NAMED_FIRST = """import torch
from torch import nn


def found():
    net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.LayerNorm(2), nn.BatchNorm1d(2, affine=False), nn.Linear(2, 2))
    norms = (torch.nn.modules.batchnorm._BatchNorm, nn.LayerNorm)
    kinds = [nn.modules.conv._ConvNd, nn.Linear]
    return [isinstance(m, norms) for m in net], [isinstance(m, tuple(kinds)) for m in net], [any(isinstance(m, kind) for kind in kinds) for m in net]
"""


def test_they_are_found_by_a_tuple_that_has_a_name_first(tmp_path: Path) -> None:
    """``norms = (_BatchNorm, nn.LayerNorm)`` found no batch normalisation: their weights decayed, silently (torchvision's `set_weight_decay`)."""
    torch_side, mindspore_side = both_sides(tmp_path, NAMED_FIRST)
    assert mindspore_side.found() == torch_side.found()
