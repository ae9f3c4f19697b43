"""`vmap` of a function that reads tensors from around it: what MindSpore compiles takes them for constants, without gradients and without an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """import torch
from torch import nn
from torch.func import grad, vmap

w0 = torch.arange(6.0).reshape(3, 2) * 0.1
xs = torch.tensor([[0.3, -0.2], [1.6, 0.6]])
net = nn.Linear(2, 1)
net.weight.data.fill_(0.3)


def by_tensor(w, xs):
    return vmap(lambda x: torch.tanh(w @ x).sum())(xs).pow(2).mean()


def by_function(w, xs):
    def one(x):
        return torch.tanh(w @ x).sum()

    return vmap(one)(xs).pow(2).mean()


def by_dictionary(p, xs):
    return vmap(lambda p, x: torch.tanh(p["w"] @ x).sum(), in_dims=(None, 0))(p, xs).pow(2).mean()


def of_weight(scale):
    w = net.weight * scale
    return vmap(lambda x: torch.tanh(w @ x).sum())(xs).pow(2).mean()


def show(g):
    print([round(v, 4) for v in g.flatten().tolist()])


show(grad(by_tensor)(w0, xs))
show(grad(by_function)(w0, xs))
show(grad(by_dictionary)({"w": w0}, xs)["w"])
of_weight(3.0).backward()
show(net.weight.grad)
"""


@pytest.mark.frameworks
def test_gradients_reach_them(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert theirs == ours and "0.7517" in theirs


def test_a_function_of_its_arguments_is_compiled(tmp_path: Path) -> None:
    text = converted_script(tmp_path, "import torch\nfrom torch.func import vmap\n\n\ndef u(x):\n    return torch.sin(x).sum()\n\n\nprint(vmap(u)(torch.ones(3, 2)))\n")
    assert "ms.vmap(u)(" in text
