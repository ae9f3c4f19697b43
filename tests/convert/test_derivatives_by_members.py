"""Gradients by parameters and by rows of tensors that are differentiated again: torch's numbers, or an error that says why not."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from mindport.convert import Options, convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, seen_by_graphs

HEAD = """
from collections import OrderedDict

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def drawn(*shape):
    return torch.tensor(np.random.RandomState(sum(shape)).randn(*shape).astype(np.float32) * 0.5)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.row = nn.ParameterList([nn.Parameter(drawn(*shape)) for shape in ((4, 3), (4,), (1, 4), (1,))])

    def forward(self, x, row=None):
        if row is None:
            row = self.row
        return F.linear(torch.tanh(F.linear(x, row[0], row[1])), row[2], row[3])


X, Y = drawn(6, 3), drawn(6, 1)
"""

#: Each kind gives tensors.
PROGRAM = (
    HEAD
    + """

def penalised(net):
    loss = F.mse_loss(net(X), Y)
    slopes = torch.autograd.grad(loss, net.parameters(), create_graph=True)
    total = loss + sum(slope.pow(2).sum() for slope in slopes)
    total.backward()
    return [total]


def times_a_vector(net):
    weights = [p for p in net.parameters() if p.requires_grad]
    loss = F.mse_loss(net(X), Y)
    slopes = torch.autograd.grad(loss, weights, create_graph=True)
    return list(torch.autograd.grad(sum((slope * slope.detach()).sum() for slope in slopes), weights))


def adapted(net):
    fast, losses = list(net.parameters()), []
    for part in range(3):
        loss = F.mse_loss(net(X[2 * part : 2 * part + 2], fast), Y[2 * part : 2 * part + 2])
        slopes = torch.autograd.grad(loss, fast, create_graph=True)
        fast = [weight - 0.5 * slope for weight, slope in zip(fast, slopes)]
        losses.append(loss)
    (F.mse_loss(net(X, fast), Y) + losses[1]).backward()
    return losses


def named(net):
    def of(x, weights):
        return F.linear(torch.tanh(F.linear(x, weights["row.0"], weights["row.1"])), weights["row.2"], weights["row.3"])

    fast = OrderedDict(net.named_parameters())
    for turn in range(2):
        slopes = torch.autograd.grad(F.mse_loss(of(X, fast), Y), list(fast.values()), create_graph=True)
        fast = OrderedDict((name, weight - 0.5 * slope) for (name, weight), slope in zip(fast.items(), slopes))
    F.mse_loss(of(X, fast), Y).backward()
    return list(fast.values())


def in_a_loop(net):
    total = 0
    for part in range(3):
        loss = F.mse_loss(net(X[part : part + 2]), Y[part : part + 2])
        total = total + sum(slope.pow(2).sum() for slope in torch.autograd.grad(loss, net.parameters(), create_graph=True))
    total.backward()  # `part` is 2 by now
    return [total]


def of_pairs(net):
    loss = F.mse_loss(net(X), Y)
    fast = [weight - 0.5 * slope for weight, slope in zip(net.parameters(), torch.autograd.grad(loss, net.parameters(), create_graph=True))]
    F.mse_loss(net(X, fast), Y).backward()
    return fast


class Learner(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x, y):
        loss = F.mse_loss(self.net(x), y)
        slopes = torch.autograd.grad(loss, self.net.parameters(), create_graph=True)
        with torch.no_grad():
            shown = loss.detach() * 2
        return F.mse_loss(self.net(x, [weight - 0.5 * slope for weight, slope in zip(self.net.parameters(), slopes)]), y), shown


def in_construct(net):
    loss, shown = Learner(net)(X, Y)
    loss.backward()
    return [loss, shown]


def along(y, w, v):
    if len(w) != len(v):
        raise ValueError("w and v must have the same length")
    slopes = torch.autograd.grad(y, w, create_graph=True)
    total = sum((slope * part).sum() for slope, part in zip(slopes, v))
    return y.detach(), torch.autograd.grad(total, w)


def handed(net):
    weights, found = list(net.parameters()), []
    for x, y in ((X[:3], Y[:3]), (X[3:], Y[3:])):
        loss = F.mse_loss(net(x), y)
        value, parts = along(loss, weights, [torch.ones_like(p) for p in weights])
        found += [value, *parts]
    fast = [p * 2 for p in weights]
    loss = F.mse_loss(net(X, fast), Y)
    return found + list(along(loss, fast, weights)[1])


KINDS = [handed, penalised, times_a_vector, adapted, named, in_a_loop, of_pairs, in_construct]


def run(kind):
    net = Net()
    found = [value.detach() for value in KINDS[kind](net)]
    return found + [p.grad for p in net.parameters() if p.grad is not None]
"""
)

FLAGGED = (
    HEAD
    + """

def run(keep):
    net, x = Net(), X.clone().requires_grad_(True)
    slope = torch.autograd.grad(net(x).sum(), x, create_graph=keep)[0]
    (net(X).sum() + slope.pow(2).sum()).backward()
    return [slope.detach()] + [p.grad for p in net.parameters()]
"""
)

#: What MindSpore cannot be asked: told when it runs.
REFUSED = (
    HEAD
    + """

def slopes_of(net, features):
    loss = F.mse_loss(F.linear(features, net.row[2], net.row[3]), Y)
    return torch.autograd.grad(loss, net.parameters(), create_graph=True)


def of_features(net):
    return slopes_of(net, torch.tanh(F.linear(X, net.row[0], net.row[1])))


class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def forward(self, x):
        x = self.first(x)
        for layer in reversed(self.layers):
            x = layer(x)
        return x


def backwards(net):
    deep = Deep()
    loss = deep(X).pow(2).mean()
    return torch.autograd.grad(loss, deep.parameters(), create_graph=True)


def paired(net):
    fast = [p * 1 for p in net.parameters()]
    weights = dict(zip("abcd", fast))
    loss = F.mse_loss(F.linear(torch.tanh(F.linear(X, weights["a"], weights["b"])), weights["c"], weights["d"]), Y)
    return torch.autograd.grad(loss, fast, create_graph=True)
"""
)


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> tuple[ModuleType, ModuleType]:
    """The program, and its conversion."""
    return both_sides(tmp_path_factory.mktemp("members"), PROGRAM)


@pytest.mark.frameworks
@pytest.mark.parametrize("kind", range(8))
def test_both_sides_agree(sides: tuple[ModuleType, ModuleType], monkeypatch: pytest.MonkeyPatch, kind: int) -> None:
    theirs, ours = sides
    seen_by_graphs(ours, monkeypatch)
    expected, found = theirs.run(kind), ours.run(kind)
    assert len(expected) == len(found)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_allclose(other.asnumpy(), one.detach().numpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.frameworks
@pytest.mark.parametrize("keep", [True, False])
def test_a_flag_decides_whether_a_gradient_is_differentiated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keep: bool) -> None:
    theirs, ours = both_sides(tmp_path, FLAGGED)
    seen_by_graphs(ours, monkeypatch)
    for one, other in zip(theirs.run(keep), ours.run(keep), strict=True):
        np.testing.assert_allclose(other.asnumpy(), one.numpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.frameworks
@pytest.mark.parametrize(("kind", "words"), [("of_features", "computed from what its gradient is wanted by"), ("backwards", "reversed(self.layers)"), ("paired", "dict(zip(")])
def test_a_gradient_that_would_lose_a_part_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, words: str) -> None:
    _, ours = both_sides(tmp_path, REFUSED)
    seen_by_graphs(ours, monkeypatch)
    with pytest.raises(RuntimeError) as raised:
        getattr(ours, kind)(ours.Net())
    assert words in str(raised.value)


def test_what_is_written_reads_as_by_hand(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["program.py"]
    assert "slopes = gradients_by_parameters(loss_of_parameters, parameters(net))" in text
    assert "slopes = gradients_by_members(loss_of_fast, fast)" in text


def test_older_versions_have_no_tape(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    found = convert(discover(tmp_path), Options(mindspore="2.7.0"))
    assert any(finding.code == "MP401" and "by parameters" in finding.message for finding in found.findings)
