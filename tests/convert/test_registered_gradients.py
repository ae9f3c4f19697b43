"""Second gradients that MindSpore lacks are registered by projects that differentiate gradients."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script, seen_by_graphs

PROGRAM = """import numpy as np
import torch
import torch.nn.functional as F

RANDOM = np.random.default_rng(2)
W = (0.7 * RANDOM.standard_normal((4, 3))).astype(np.float32)
X = (2 * RANDOM.standard_normal((5, 4))).astype(np.float32)
LABELS = torch.tensor([0, 2, 1, -100, 2])
ONES = torch.tensor(RANDOM.integers(0, 2, (5, 3)).astype(np.float32))


def value(name, h):
    if name == "log_softmax":
        return (F.log_softmax(h, dim=1) * ONES).sum()
    if name == "cross_entropy":
        return F.cross_entropy(h, LABELS)
    if name == "nll":
        return F.nll_loss(F.log_softmax(h, 1), LABELS, reduction="sum")
    if name == "binary":
        return F.binary_cross_entropy_with_logits(h, ONES)
    if name == "weighted":
        return F.binary_cross_entropy_with_logits(h, ONES, weight=torch.tensor([1.0, 2.0, 0.5]), pos_weight=torch.tensor([3.0, 1.0, 0.2]), reduction="sum")
    if name == "elu":
        return (F.elu(h) ** 2).sum()
    if name == "relu6":
        return (F.relu6(2 * h) ** 2).sum()
    if name == "hardswish":
        return (F.hardswish(h) ** 2).sum()
    return (F.gelu(h, approximate="tanh") ** 2).sum()


def run(name):
    w = torch.nn.Parameter(torch.tensor(W))
    optimizer, log = torch.optim.SGD([w], lr=0.01), []
    for step in range(2):
        x = torch.tensor(X).requires_grad_(True)
        slope = torch.autograd.grad(value(name, x @ w), x, create_graph=True)[0]
        loss = slope.pow(2).sum() + (x @ w).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log += [loss.item(), *w.grad.flatten().tolist()]
    return log
"""
NAMES = ("log_softmax", "cross_entropy", "nll", "binary", "weighted", "elu", "relu6", "hardswish", "gelu")


@pytest.mark.frameworks
@pytest.mark.parametrize("name", NAMES)
def test_both_sides_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    from mindspore.ops.function import nn_func

    monkeypatch.setattr(nn_func, "gather_d_", nn_func.gather_d_)  # is put back
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    seen_by_graphs(mindspore_side, monkeypatch)
    theirs = np.array(torch_side.run(name))
    np.testing.assert_allclose(mindspore_side.run(name), theirs, rtol=1e-4, atol=1e-5 * np.abs(theirs).max())


def test_other_projects_register_nothing(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch.nn.functional as F\n\n\ndef f(x, y):\n    return F.cross_entropy(F.elu(x), y)\n")
    assert "equivalents" not in text
