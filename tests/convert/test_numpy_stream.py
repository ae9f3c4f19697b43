"""NumPy's numbers of a program are torch's also where models were made in between."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import both_sides  # noqa: E402

PROGRAM = '''
import numpy as np
import torch
import torch.nn as nn


def drawn():
    np.random.seed(3)
    torch.manual_seed(5)
    net = nn.Sequential(nn.Linear(3, 4), nn.Conv1d(1, 1, 1), nn.Tanhshrink())
    nn.init.normal_(net[0].weight)
    recurrent = nn.LSTM(3, 4, 2), nn.GRUCell(3, 4)
    return np.random.normal(0, 1, 3).tolist(), [net[0].weight.detach().numpy().tolist(), [p.detach().numpy().tolist() for layer in recurrent for p in layer.parameters()]]
'''


def test_models_leave_numpys_stream_alone(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, PROGRAM)
    ours, weights = after.drawn()
    assert ours == before.drawn()[0]
    assert after.drawn()[1] == weights  # the seed decides the values
