"""MindSpore's RNN takes `nonlinearity` by keyword alone, though its documentation lists it among the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """import torch
from torch import nn

kind = "relu"
layers = [nn.RNN(2, 3, 1, "relu"), nn.RNN(2, 3, 2, kind, False, True), nn.RNN(2, 3, 1, "tanh", True, False, 0.0, True), nn.RNN(2, 3, nonlinearity="relu")]
x = torch.linspace(-1.0, 1.0, 24).reshape(3, 4, 2)
results = []
with torch.no_grad():
    for layer in layers:
        for p in layer.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).reshape(p.shape))
        results.append(layer(x)[0])
"""


@pytest.mark.frameworks
def test_the_states(tmp_path: Path) -> None:
    import numpy as np

    before, after = both_sides(tmp_path, PROGRAM)
    for theirs, ours in zip(before.results, after.results, strict=True):
        np.testing.assert_allclose(ours.asnumpy(), theirs.numpy(), rtol=1e-5, atol=1e-6)
