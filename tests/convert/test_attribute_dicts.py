"""R1 as StarGAN v2 writes it: networks in a dictionary whose keys are attributes, a range of rows, windows in the discriminator; on the tape."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import both_sides, converted_script

PROGRAM = """
import torch
import torch.nn as nn
import torch.nn.functional as F


class Nets(dict):
    def __getattr__(self, key):
        return self[key]


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = nn.Linear(4, 2)

    def forward(self, x, y):
        out = torch.tanh(self.last(F.avg_pool2d(x * x, 2).flatten(1)))
        rows = torch.LongTensor(range(y.size(0))).to(y.device)
        return out[rows, y]


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)


def r1(out, x):
    grad = torch.autograd.grad(outputs=out.sum(), inputs=x, create_graph=True, retain_graph=True, only_inputs=True)[0]
    return 0.5 * grad.pow(2).view(x.size(0), -1).sum(1).mean(0)


def losses(nets, x, y):
    x.requires_grad_()
    out = nets.discriminator(x, y)
    penalty = r1(out, x)
    with torch.no_grad():
        fake = nets.generator(x)
    return F.softplus(-out).mean() + F.softplus(nets.discriminator(fake, y)).mean() + penalty


class Solver:
    def __init__(self):
        self.nets = Nets(discriminator=Discriminator(), generator=Generator())
        for net in self.nets.values():
            for n, p in enumerate(net.parameters()):
                p.data = torch.sin(torch.arange(p.numel()).float() + n).view(p.shape)
        self.optims = Nets()
        for name in self.nets.keys():
            self.optims[name] = torch.optim.SGD(self.nets[name].parameters(), lr=0.1)

    def train(self, steps):
        nets, optims = self.nets, self.optims
        found = []
        for i in range(steps):
            x = torch.cos(torch.arange(2 * 16.0) + i).view(2, 1, 4, 4)
            loss = losses(nets, x, torch.tensor([1, 0]))
            for optim in optims.values():
                optim.zero_grad()
            loss.backward()
            optims.discriminator.step()
            found.append(loss.item())
        return found


kept = Solver().train(2)
"""


def test_the_text(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM)
    assert "    discriminator = nets.discriminator\n\n    def out_of_x(x):\n        return discriminator(x, y)\n" in text
    assert "rows = ops.arange(y.shape[0])" in text and "means_of_windows(" in text


def test_layers_with_windows_take_the_other_form_too(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM + "\npool = nn.MaxPool2d(2)\n")
    assert "pool = MaximaOfWindows(2)" in text


def test_windows_stay_where_no_gradient_is_differentiated(tmp_path: Path) -> None:
    text = converted_script(tmp_path, PROGRAM.replace("create_graph=True, ", "") + "\npool = nn.MaxPool2d(2)\n")
    assert "nn.MaxPool2d(2, 2)" in text and "ops.avg_pool2d(" in text


def test_ranges_of_other_dtypes_and_lists_stay(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\n\nn = 5\na = torch.LongTensor(list(range(2, n)))\nb = torch.FloatTensor(range(n))\nc = torch.LongTensor([1, n])\n")
    assert "a = ops.arange(2, n)" in text and "b = float_tensor(range(n))" in text and "c = long_tensor([1, n])" in text and "torch = " not in text


@pytest.mark.frameworks
def test_the_losses(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    assert len(set(theirs.kept)) == 2
    np.testing.assert_allclose(ours.kept, theirs.kept, rtol=1e-5)
