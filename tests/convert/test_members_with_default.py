"""``getattr(x, "children", default)``: what MindSpore's cells and tensors lack counts as there, as torch's have it; no default is taken without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

_PROGRAM = """import torch
from torch import nn
from walk import Walk, asked, moded


class Net(nn.Module, Walk):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)


class Plain(Walk):
    pass


class Own(nn.Module):
    def children(self):
        return "mine"


net, x = Net(), torch.ones(2, requires_grad=True)
print([type(m).__name__ for m in net.kids()], Plain().kids(), net.has(), Plain().has(), getattr(Own(), "children", None)(), getattr(net, "nothing", 3))
print([asked(t) for t in (net, x, [1], Plain())], getattr(x, "detach", None)().requires_grad)
for thing in (net, x, Plain()):
    moded(thing)
print(net.training, getattr(net, "cpu", None) is not None)
# ==== walk.py
class Walk:
    def kids(self):
        return list(getattr(self, "children", lambda: ())())

    def has(self):
        return hasattr(self, "children")


def asked(t):
    f, g = getattr(t, "parameters", None), getattr(t, "detach", None)
    return None if f is None else len(list(f())), None if g is None else g().sum().item(), getattr(t, "numel", lambda: 0)()


def moded(t):
    getattr(t, "eval", lambda: None)()
"""


@pytest.mark.frameworks
def test_no_default_is_taken_of_what_torchs_classes_have(tmp_path: Path) -> None:
    expected, actual = printed_by_both(tmp_path, _PROGRAM)
    assert actual == expected


_WRAPPED = """import torch
from torch import nn
from plain import kept, sizes


class Wrapper(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.inner, name)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 2)

    def forward(self, x):
        return self.a(x)

    def size(self):
        return self.a.weight.numel()


print(sizes({"net": Wrapper(Net()), "tensor": torch.ones(2, 3)}))
x = torch.ones(2, requires_grad=True)
print(kept([x * 3, x + 1]), kept([torch.zeros(1, requires_grad=True)]))
# ==== plain.py
def sizes(things):
    return [tuple(t.size()) if name == "tensor" else t.size() for name, t in things.items()]


def kept(tensors):
    return [t.detach().clamp_min(0.5).sum().item() for t in tensors]
"""


@pytest.mark.frameworks
def test_wrappers_hand_on_what_is_chosen_when_the_program_runs(tmp_path: Path) -> None:
    expected, actual = printed_by_both(tmp_path, _WRAPPED)
    assert actual == expected
