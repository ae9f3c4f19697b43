"""What programs at first contact met (29 November): a leaf that is differentiated twice over, buffers that a loop registers."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

LEAF = """
import torch

x = (torch.arange(4.) * 0.7).cos().view(2, 2).requires_grad_()
y = torch.ones(2, 2)
y.requires_grad_()
for k in (1, 2):
    g, = torch.autograd.grad((x * k).square().sum(), x)
    print([round(v, 4) for v in g.flatten().tolist()])
h, = torch.autograd.grad((y ** 3).sum(), y)
print(h.tolist())
(x.exp() * y).mean().backward()
print([round(v, 4) for v in x.grad.flatten().tolist()], [round(v, 4) for v in y.grad.flatten().tolist()])
"""
LOOPED = """
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        for name in ("offset", "table"):
            self.register_buffer(name, torch.IntTensor())


class Model(Base):
    def update(self):
        if self.offset.numel() > 0:
            return False
        self.offset = -torch.arange(3)
        self.table = torch.cumsum(self.offset, 0)
        return True


m = Model()
print(m.update(), m.update(), m.offset.tolist(), {k: v.tolist() for k, v in m.state_dict().items()})
"""
DIAGONALS = """
import torch

t = torch.tensor([0.3, -0.4], requires_grad=True)
m = torch.diag(torch.polar(torch.ones(2), t))
(m @ torch.tensor([1 + 1j, 2.0])).real.sum().backward()
print([round(v, 4) for v in t.grad.tolist()], [round(v, 4) for v in torch.diagflat(m).abs().sum(0).tolist()])
"""
MIXTURE = """
import torch
import torch.distributions as D

mix = D.MixtureSameFamily(D.Categorical(logits=torch.tensor([0.2, -0.3, 0.5])), D.Normal(torch.tensor([-1.0, 0, 2]), torch.tensor([0.5, 1.0, 0.8])))
print([round(v, 4) for v in mix.cdf(torch.tensor([-1.2, 0.3, 2.5])).tolist()])
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("text", [LEAF, LOOPED, DIAGONALS, MIXTURE], ids=["leaf", "looped", "diagonals", "mixture"])
def test_prints_what_torch_prints(tmp_path: Path, text: str) -> None:
    theirs, ours = printed_by_both(tmp_path, text)
    assert theirs and ours == theirs


@pytest.mark.parametrize(
    ("layer", "asked", "told"),
    [
        ("Conv1d(2, 3, 3)", "p.dim() == 3", 1),
        ("Conv1d(2, 3, 3)", "len(p.shape) < 4", 1),
        ("Conv1d(2, 3, 3)", "p.size(2) == 1", 1),
        ("Conv1d(2, 3, 3)", "p.dim() > 1 and p.shape[0] == 3 and p.size(-1) == 3", 0),
        ("Linear(2, 3)", "p.dim() == 3 or p.shape[2] > 1", 0),
    ],
)
def test_axes_of_parameters_that_a_module_gives(tmp_path: Path, layer: str, asked: str, told: int) -> None:
    (tmp_path / "program.py").write_text(f"from torch import nn\n\nnet = nn.Sequential(nn.{layer})\nfor n, p in net.named_parameters():\n    if {asked}:\n        print(n)\n", encoding="utf-8")
    findings = convert(discover(tmp_path)).findings
    assert sum(f.code == "MP103" and f.risk == "silent" and "one-dimensional convolution" in f.message for f in findings) == told
