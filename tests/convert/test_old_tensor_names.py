"""Programs of PyTorch's first years: `Variable`, tensor classes handed on, initialisers without underscore; and accelerators."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from tests.convert.both_sides import both_sides  # noqa: E402

PROGRAM = '''
import torch
import torch.nn as nn
from torch.autograd import Variable

cuda = torch.cuda.is_available()
FloatTensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor
LongTensor = torch.cuda.LongTensor if cuda else torch.LongTensor


def made():
    ones = Variable(FloatTensor(4, 1).fill_(1.0), requires_grad=False)
    places = Variable(LongTensor([3, 1]), volatile=True)
    return [ones, places, ones.type(LongTensor), places.type(FloatTensor), places.type(torch.cuda.DoubleTensor if cuda else torch.DoubleTensor)]


def kinds(x: Variable):
    return [isinstance(x, Variable), isinstance(x, torch.FloatTensor), isinstance(x, (LongTensor, torch.DoubleTensor))]


def cut():
    net = nn.Linear(2, 1, bias=False)
    nn.init.constant(net.weight, 2.0)
    inner = net(torch.ones(3, 2))
    loss = (Variable(inner) * net.weight.sum()).sum()
    loss.backward()
    return net.weight.grad


def device():
    if torch.accelerator.is_available():
        return torch.accelerator.current_accelerator()
    return torch.device("cpu")
'''


def test_old_names_make_and_recognise_the_same(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, PROGRAM)
    for ours, theirs in zip(after.made(), before.made(), strict=True):
        assert str(ours.dtype).lower() == str(theirs.dtype).removeprefix("torch.")
        assert ours.asnumpy().tolist() == theirs.tolist()
    for values in ([1.0], [1]):
        assert after.kinds(ms.tensor(values)) == before.kinds(torch.tensor(values))
    assert after.kinds([1.0]) == before.kinds([1.0])
    assert after.cut().asnumpy().tolist() == before.cut().tolist()
    assert after.device() == before.device().type


TRAINED = '''
import torch
import torch.optim as optim
from torch.autograd import Variable


def started(size):
    return Variable(torch.ones(*size) * 0.3, requires_grad=True)


W = started([3, 2])
b = Variable(torch.zeros(2), requires_grad=True)
params = [W] + [b]
solver = optim.Adam(params, lr=0.1)


def model(x):
    return x @ W + b.repeat(x.size(0), 1)


losses = []
for step in range(3):
    loss = (model(torch.arange(6.0).view(2, 3)) ** 2).mean()
    loss.backward()
    solver.step()
    for p in params:
        if p.grad is not None:
            p.grad = torch.zeros_like(p.grad)
    losses.append(loss.item())
'''


def test_tensors_that_an_optimizer_gets_become_parameters(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, TRAINED)
    assert after.losses == pytest.approx(before.losses, rel=1e-5)
