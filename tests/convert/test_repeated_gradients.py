"""One loss that is gone back through twice, and gradients taken in every turn of an expression."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

PROGRAM = """
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
loss = (x ** 3).sum()
loss.backward(retain_graph=True)
loss.backward()
twice = x.grad.clone()
i = 5
v = torch.tensor([0.5, -1.0, 2.0])
divergence = sum(torch.autograd.grad((x ** 2 * v)[i], x, retain_graph=True)[0][i] for i in range(3))
"""


@pytest.mark.frameworks
def test_the_gradients(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert torch_side.twice.tolist() == pytest.approx(mindspore_side.twice.tolist(), rel=1e-5)
    assert torch_side.divergence.item() == pytest.approx(mindspore_side.divergence.item(), rel=1e-5)
