"""``torch.autograd.backward``: several tensors go back at once, on MindSpore's tape; it was refused until 30 November."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import Options, convert
from mindport.source.discover import discover
from tests.convert.both_sides import printed_by_both

WEIGHTED = """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
v = torch.tensor([3.0], requires_grad=True)
a, b = w * v, (w ** 2).sum()
torch.autograd.backward((a, b), (torch.tensor([1.0, 10.0]), None), retain_graph=True)
print(w.grad.tolist(), v.grad.tolist())
torch.autograd.backward(tensors=[a, b], grad_tensors=[torch.ones(2), torch.tensor(2.0)], inputs=[w])
print(w.grad.tolist(), v.grad.tolist())
torch.autograd.backward((w * 3).sum())
print(w.grad.tolist())
"""
#: A block that keeps nothing of its forward pass, as reversible networks do (Gomez et al., "The Reversible Residual Network", 2017).
REVERSIBLE = """
import torch
from torch import nn


class Block(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, inner):
        ctx.inner = inner
        ctx.save_for_backward(x)
        with torch.no_grad():
            return x + inner(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            y = ctx.inner(x)
            torch.autograd.backward(y, dy)
        return dy + x.grad, None


inner = nn.Linear(3, 3)
with torch.no_grad():
    inner.weight.copy_(torch.arange(9.0).reshape(3, 3) * 0.25)
    inner.bias.zero_()
x = torch.ones(2, 3, requires_grad=True)
Block.apply(x * 2, inner).pow(2).sum().backward()
print(x.grad.tolist(), inner.weight.grad.tolist())
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("program", [WEIGHTED, REVERSIBLE], ids=["weighted", "reversible"])
def test_gradients_add_up(tmp_path: Path, program: str) -> None:
    theirs, ours = printed_by_both(tmp_path, program)
    assert ours == theirs and theirs.count("[") > 2


def test_an_older_version_is_told(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(WEIGHTED, encoding="utf-8")
    conversion = convert(discover(tmp_path), Options(mindspore="2.7.0"))
    assert [f.span.line for f in conversion.findings if f.code == "MP401" and f.api == "torch.autograd.backward" and f.span is not None] == [6, 8, 10]
