"""What torch's layers call themselves: ``self._conv_forward(x, w, b)``, ``super()._check_input_dim(x)``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import torch
from torch import nn
from torch.nn import functional as F


class Standardised(nn.Conv2d):
    def forward(self, x):
        w = self.weight - self.weight.mean(dim=(1, 2, 3), keepdim=True)
        return self._conv_forward(x, w, self.bias)


class Bounded(nn.Conv1d):
    def forward(self, x):
        return super()._conv_forward(x, torch.sin(self.weight), None)


class Norm(nn.InstanceNorm2d):
    def forward(self, x):
        self._check_input_dim(x)
        return F.instance_norm(x, self.running_mean, self.running_var, self.weight, self.bias, True, self.momentum, self.eps)


class Own(nn.modules.batchnorm._BatchNorm):
    def _check_input_dim(self, x):
        self.asked = x.dim()

    def forward(self, x):
        self._check_input_dim(x)
        return super().forward(x)


def filled(layer):
    for p in layer.parameters():
        p.data.copy_(torch.cos(torch.arange(p.numel()) * 1.0).reshape(p.shape))
    return layer


x = torch.sin(torch.arange(96.0)).reshape(1, 2, 6, 8)
layers = [
    filled(Standardised(2, 4, 3, stride=2, padding=1)),
    filled(Standardised(2, 2, 3, padding=1, padding_mode="circular", groups=2, bias=False)),
    filled(Norm(2, affine=True)),
    filled(Own(2)),
]
kept = [layer(x).detach() for layer in layers] + [filled(Bounded(2, 3, 3, dilation=2))(x[:, :, 0]).detach()]
asked = layers[3].asked
try:
    layers[2](x[0, 0])
    raised = False
except ValueError:
    raised = True
"""


@pytest.mark.frameworks
def test_both_sides(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    for theirs, ours in zip(torch_side.kept, mindspore_side.kept, strict=True):
        np.testing.assert_allclose(ours.asnumpy(), theirs.numpy(), rtol=1e-4, atol=1e-5)
    assert torch_side.asked == mindspore_side.asked == 4
    assert torch_side.raised and mindspore_side.raised


def test_what_no_cell_has_is_told(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "from torch import nn\n\n\nclass Up(nn.ConvTranspose2d):\n    def forward(self, x):\n        return self._output_padding(x, None)\n")
    assert "# mindport: MP101 torch.nn.Module._output_padding" in text


IN_A_DERIVATIVE = """
import torch
from torch import nn
from torch.nn import functional as F


class Masked(nn.BatchNorm2d):
    def forward(self, x):
        self._check_input_dim(x)
        return F.batch_norm(x, self.running_mean, self.running_var, 2 * self.weight, self.bias, True, self.momentum, self.eps)


net = nn.Sequential(nn.Conv2d(1, 2, 3), Masked(2), nn.Tanh())
for p in net.parameters():
    p.data.copy_(torch.cos(torch.arange(p.numel()) * 1.0).reshape(p.shape))
x = torch.sin(torch.arange(50.0)).reshape(2, 1, 5, 5)
weights = [p for p in net.parameters()]
loss = net(x).pow(3).sum()
grads = torch.autograd.grad(loss, weights, create_graph=True)
total = sum((g * g).sum() for g in grads)
total.backward()
kept = [p.grad.detach().clone() for p in weights]
"""


@pytest.mark.frameworks
def test_in_what_is_differentiated_twice(tmp_path: Path) -> None:
    """MindSpore compiles it: compiled code knows no `next` with a default."""
    torch_side, mindspore_side = both_sides(tmp_path, IN_A_DERIVATIVE)
    for theirs, ours in zip(torch_side.kept, mindspore_side.kept, strict=True):
        np.testing.assert_allclose(ours.asnumpy(), theirs.numpy(), rtol=1e-3, atol=1e-3)
