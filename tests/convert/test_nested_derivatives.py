"""Derivatives of functions that take derivatives themselves: MAML's meta gradient by torch.func."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """
import torch
from torch.func import grad, grad_and_value, vjp, vmap

w = torch.tensor([0.5, -1.0, 2.0])
X = torch.arange(12.0).cos().view(4, 3)
M = torch.ones(3, 3) + torch.eye(3)


def loss(w, x):
    return ((x * w).sum().tanh() - 1) ** 2


def task(w):
    return vmap(loss, (None, 0))(w, X[:2]).mean()


def adapted(w):
    return w - 0.1 * grad(task)(w)


def meta(w):
    return loss(adapted(w), X[2])


found = [grad(meta)(w), *grad_and_value(lambda p: vmap(loss, (None, 0))(adapted(p), X[2:]).mean())(w)]
found.append(grad(lambda p: (grad(lambda q: ((q @ M) ** 3).mean())(p) * X[1]).sum())(w))
found.append(grad(lambda p: (grad(lambda q: ((q * p.sum()) ** 2).sum() * p.prod() * q[0])(p) * X[1]).sum())(w))
value, pull = vjp(lambda p: grad(lambda q: ((q * p.sum()) ** 2).mean())(p), w)
found += [value, pull(X[1])[0], grad(lambda p: p[0] * p.square().sum())(w), w[1:]]
print([t.tolist() for t in found])
"""


@pytest.mark.frameworks
def test_they_are_whole(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)  # in processes of their own: who reads functions for MindSpore's parser reads one program's
    for expected, made in zip(json.loads(theirs), json.loads(ours), strict=True):
        np.testing.assert_allclose(made, expected, rtol=1e-5, atol=1e-6)
