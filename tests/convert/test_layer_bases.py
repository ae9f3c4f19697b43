"""Normalisations and convolutions of a project that derive from PyTorch's own bases, and modules that define `to`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides

pytestmark = pytest.mark.frameworks

PROGRAM = """
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.conv import _ConvNd


class PointNorm(_BatchNorm):
    def _check_input_dim(self, points):
        if points.dim() not in (2, 3):
            raise ValueError("points")


class Standardised(_ConvNd):
    def __init__(self, i, o, k, **options):
        super().__init__(i, o, (k,), (1,), (k // 2,), (1,), False, (0,), 1, True, "zeros", **options)

    def forward(self, x):
        weight = self.weight - self.weight.mean(dim=(1, 2), keepdim=True)
        return F.conv1d(x, weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


norm, conv = PointNorm(2, momentum=0.3), Standardised(2, 3, 3)
names = [list(dict(conv.named_parameters())), [k for k in norm.state_dict() if "num" not in k], isinstance(norm, PointNorm)]
with torch.no_grad():
    for place, p in enumerate(conv.parameters()):
        p.copy_(torch.linspace(-1, 1 + place, p.numel()).view_as(p))
x = torch.arange(12.0).view(2, 2, 3).requires_grad_()
out = conv(norm(x))
(out ** 2).sum().backward()
found = [out.detach(), norm.running_mean, norm.running_var, conv.weight.grad, norm.weight.grad]
norm.eval()
found.append(norm(x).detach())


class Anchored(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 2)
        self.anchors = torch.ones(2)

    def to(self, *args, **kwargs):
        moved = super().to(*args, **kwargs)
        moved.anchors = self.anchors.to(*args, **kwargs)
        return moved


kinds = [str(t.dtype).lower().replace("torch.", "") for t in (Anchored().to(torch.float64).anchors, Anchored().to(dtype=torch.float64).inner.weight)]
gru = nn.GRU(2, 3, num_layers=2, bidirectional=True)
weights = [gru._all_weights, [[tuple(w.shape) for w in one] for one in gru.all_weights], [tuple(w.shape) for w in gru._flat_weights]]
texts = [f"{x.dtype} {torch.int64}", nn.Linear(2, 2)._get_name()]
"""


def test_both_sides(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert ours.names == theirs.names
    assert ours.kinds == theirs.kinds
    assert ours.weights == theirs.weights
    assert ours.texts == theirs.texts
    for expected, made in zip(theirs.found, ours.found, strict=True):
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), rtol=2e-4, atol=1e-4)
