"""Functions of dicts of parameters over a batch: gradients of each sample, and an ensemble of models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import both_sides  # noqa: E402

PROGRAM = '''
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, stack_module_state, vmap


def made(k):
    net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
    for p in net.parameters():
        p.data = torch.arange(float(p.numel())).reshape(p.shape) * 0.1 * (k + 1)
    return net


def computed():
    net, x, y = made(0), torch.arange(8.0).reshape(4, 2) / 8, torch.ones(4, 1)
    params = {k: p.detach() for k, p in net.named_parameters()}

    def loss(params, sample, target):
        return F.mse_loss(functional_call(net, params, (sample.unsqueeze(0),)), target.unsqueeze(0))

    each = vmap(grad(loss), in_dims=(None, 0, 0))(params, x, y)
    nets = [made(k) for k in range(3)]
    stacked, buffers = stack_module_state(nets)
    outputs = vmap(lambda p, b, x: functional_call(nets[0], (p, b), (x,)), in_dims=(0, 0, None))(stacked, buffers, x)
    return [each["0.weight"], each["2.bias"], outputs]
'''


def test_members_of_a_batch_agree(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, PROGRAM)
    for one, other in zip(before.computed(), after.computed(), strict=True):
        np.testing.assert_allclose(other.asnumpy(), one.detach().numpy(), rtol=1e-4, atol=1e-5)
