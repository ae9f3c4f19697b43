"""The older name of what a function saved for its backward pass."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = """import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, i):
        ctx.save_for_backward(i)
        return i * torch.sigmoid(i)

    @staticmethod
    def backward(ctx, grad_output):
        i = ctx.saved_variables[0]
        return grad_output * torch.sigmoid(i)
"""


def test_it_becomes_saved_tensors(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(PROGRAM, encoding="utf-8")
    text = next(text for path, text in convert(discover(tmp_path)).files.items() if path.name == "script.py")
    assert "i = ctx.saved_tensors[0]" in text
    assert "saved_variables" not in text
