"""Gradients of gradients that torch.autograd.grad itself takes are compiled: where operators run one by one, MindSpore loses terms of them."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

pytestmark = pytest.mark.frameworks

PROGRAM = """import torch


def energy(w, x):
    return torch.logsumexp(torch.matmul(x, w), 1).sum() + (w.sum(0) ** 2).sum() + (w[0] ** 3).sum() * w[1, 0]


def times_hessian(w, x, vector, damping):
    w = w.detach().requires_grad_(True)
    slope = torch.autograd.grad(energy(w, x), w, create_graph=True)[0]
    product = torch.autograd.grad((slope * vector).sum(), w)[0]
    return product + damping * vector


def curvature(w, x):
    w, x = torch.tensor(w), torch.tensor(x)
    vector, found = torch.ones(3, 2), []
    for turn in range(3):
        product = times_hessian(w, x, vector, 0.1 * turn)
        found.append((vector * product).sum())
        vector = product / product.norm()
    return found + [vector]

"""


def test_vectors_times_hessians(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    monkeypatch.setitem(sys.modules, "program", mindspore_side)  # MindSpore's parser asks for the module that it compiles a function of
    generator = np.random.default_rng(0)
    w, x = (generator.standard_normal(shape).astype(np.float32) for shape in ((3, 2), (4, 3)))
    for one, other in zip(torch_side.curvature(w, x), mindspore_side.curvature(w, x), strict=True):
        np.testing.assert_allclose(other.asnumpy(), one.numpy(), rtol=1e-3, atol=1e-4)
