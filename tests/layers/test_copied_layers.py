"""``_get_clones`` and ``_get_activation_fn`` of torch.nn.modules.transformer, which stacks that follow torch's own import."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import torch
from torch import nn
from torch.nn.modules.transformer import _get_activation_fn, _get_clones


class Stack(nn.Module):
    def __init__(self, layer, count, name):
        super().__init__()
        self.layers = _get_clones(layer, count)
        self.activation = _get_activation_fn(name)

    def forward(self, x):
        for layer in self.layers:
            x = self.activation(layer(x))
        return x


one = nn.Linear(3, 3)
nn.init.constant_(one.weight, 0.3)
nn.init.constant_(one.bias, 0.1)
kept = []
for name in ("relu", "gelu"):
    net = Stack(one, 2, name)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        loss = net(torch.ones(2, 3)).sum()
        loss.backward()
        optimizer.step()
        kept.append(loss.detach())
    kept += [p.detach().clone() for p in net.parameters()]
try:
    _get_activation_fn("tanh")
except RuntimeError:
    kept.append(one.weight.detach())
"""


def test_nothing_is_left_unconverted(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "MP101" not in text and "unconverted" not in text


@pytest.mark.frameworks
def test_the_copies_train_apart(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert len(torch_side.kept) == 13
    for theirs, ours in zip(torch_side.kept, mindspore_side.kept, strict=True):
        np.testing.assert_allclose(ours.asnumpy(), theirs.numpy(), rtol=1e-5, atol=1e-6)
