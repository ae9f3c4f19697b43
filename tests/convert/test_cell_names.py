"""Attributes, children and methods whose names MindSpore's cells use themselves keep their meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindport.convert import convert
from mindport.convert.rewrites.cell_names import TAKEN, as_torch
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides

PROGRAM = """import torch
import torch.nn as nn


class Cell(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        return torch.tanh(self.fc(x))


class Net(nn.Module):
    shard = 2

    def __init__(self, phase, compiled=False):
        super().__init__()
        self.phase = phase
        self.compiled = compiled
        self.cells = nn.ModuleList([Cell(3) for _ in range(2)])
        self._params = {"width": 3}

    def get_parameters(self):
        return [p for n, p in self.named_parameters() if "weight" in n]

    def forward(self, x):
        for cell in self.cells:
            x = cell(x)
        if self.phase == "test":
            return x * self.shard
        return x + self._params["width"]


class Child(Net):
    def get_parameters(self):
        return super().get_parameters()[:1]


torch.manual_seed(0)
net = Child("test")
for p in net.parameters():
    nn.init.constant_(p, 0.1)
net.eval()
out = net(torch.ones(1, 3)).tolist()
keys = list(net.state_dict())
names = [n for n, _ in net.named_modules()]
phase, count, compiled = net.phase, len(net.get_parameters()), net.compiled
net.phase = "train"
net.train()
trained = net(torch.ones(1, 3)).tolist()
net.load_state_dict({k: v * 2 for k, v in net.state_dict().items()})
loaded = net.cells[0].fc.weight[0, 0].item()
"""


@pytest.mark.frameworks
def test_both_sides_agree(tmp_path: Path) -> None:
    torch, mindspore = both_sides(tmp_path, PROGRAM)
    assert mindspore.out[0] == pytest.approx(torch.out[0], rel=1e-6)
    assert mindspore.trained[0] == pytest.approx(torch.trained[0], rel=1e-6)
    for name in ("keys", "names", "phase", "count", "compiled"):
        assert getattr(mindspore, name) == getattr(torch, name)
    assert mindspore.loaded == pytest.approx(torch.loaded)


@pytest.mark.frameworks
def test_weights_know_torchs_names(tmp_path: Path) -> None:
    from mindport import weights

    _, mindspore = both_sides(tmp_path, PROGRAM)
    layout = weights.layout_of(mindspore.net)
    assert list(layout.entries) == ["cells.0.fc.weight", "cells.0.fc.bias", "cells.1.fc.weight", "cells.1.fc.bias"]
    assert layout.entries["cells.1.fc.bias"].name == "cells_.1.fc.bias"


def test_a_path_has_torchs_names() -> None:
    assert as_torch("net.cells_.0.phase_.bias_") == "net.cells.0.phase.bias_"


def test_what_may_be_a_module_is_told(tmp_path: Path) -> None:
    text = "\n\ndef show(net, args):\n    return net.phase, args.offload\n"
    (tmp_path / "program.py").write_text(PROGRAM.split("torch.manual_seed")[0] + text, encoding="utf-8")
    told = [f.message for f in convert(discover(tmp_path)).findings if "cells use the name" in f.message]
    assert len(told) == 1 and "net.phase" in told[0]


@pytest.mark.frameworks
def test_the_table_holds_for_mindspore() -> None:
    import mindspore
    import torch

    of_cells = set(dir(mindspore.nn.Cell)) | set(vars(mindspore.nn.Cell()))
    of_modules = set(dir(torch.nn.Module)) | set(vars(torch.nn.Module()))
    assert not TAKEN - of_cells and not TAKEN & of_modules
    free = {name for name in of_cells - of_modules - TAKEN if not name.startswith("_")}
    assert "cell_type" in free
    assert {name for name in free if not _is_kept(name, "lstm") or not _is_kept(name, 3)} == set()
    assert not _is_kept("phase", "test") and not _is_kept("cells", 3)


def _is_kept(name: str, value: object) -> bool:
    """Whether a cell that sets the attribute still works, and reads what was set."""
    from mindspore import Tensor, nn

    class Net(nn.Cell):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            setattr(self, name, value)
            self.fc = nn.Dense(2, 2)

        def construct(self, x: Any) -> Any:
            return self.fc(x)

    try:
        net = Net().set_train()
        net(Tensor([[1.0, 2.0]]))
        net.set_train(False)(Tensor([[1.0, 2.0]]))
        list(net.cells_and_names())
        return len(net.trainable_params()) == 2 and getattr(net, name) == value
    except (TypeError, ValueError, AttributeError):
        return False


BY_TEXT = """import torch
import torch.nn as nn


class Oscillator(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("phase", torch.zeros(1))
        self.register_buffer("compiled", torch.ones(2), persistent=False)
        self.register_parameter("recompute", nn.Parameter(torch.full((2,), 0.5)))
        self.add_module("cells", nn.Linear(2, 2))
        setattr(self, "shard", 3)

    def forward(self, x):
        omega = self.phase + torch.cumsum(x * self.recompute, 1)
        self.phase.copy_(omega[0, -1:].detach() % 1)
        return self.cells(omega) * getattr(self, "shard")


net = Oscillator()
nn.init.constant_(net.cells.weight, 0.25)
nn.init.constant_(net.cells.bias, 0.1)
out = [net(torch.tensor([[0.3, 0.9]])).tolist() for _ in range(2)]
phase = net.phase.item()
keys, names, buffers = list(net.state_dict()), [n for n, _ in net.named_parameters()], [n for n, _ in net.named_buffers()]
net.load_state_dict({k: v + 1 for k, v in net.state_dict().items()})
loaded = [net.phase.item(), net.recompute.tolist(), hasattr(net, "shard"), net.compiled.tolist()]
net(torch.ones(1, 2)).sum().backward()
gradient = net.recompute.grad.tolist()
"""


@pytest.mark.frameworks
def test_names_that_stand_in_texts_agree(tmp_path: Path) -> None:
    """``register_buffer("phase", …)`` raised: a cell has a `phase` of its own."""
    torch, mindspore = both_sides(tmp_path, BY_TEXT)
    for name in ("out", "phase", "loaded", "gradient"):
        assert np.allclose(*(np.concatenate([np.ravel(part) for part in np.atleast_1d(np.array(getattr(side, name), dtype=object))]).astype(float) for side in (mindspore, torch)), atol=1e-6), name
    for name in ("keys", "names", "buffers"):
        assert getattr(mindspore, name) == getattr(torch, name)
