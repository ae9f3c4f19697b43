"""The flag of parameters that inference knows is theirs: nothing to tell."""

from __future__ import annotations

from pathlib import Path

from mindport.report.scan import scan
from mindport.source.discover import discover

PROGRAM = """import torch
from torch import nn


def build(model: nn.Module):
    chosen = [p for _, p in model.named_parameters() if p.requires_grad]
    return torch.optim.SGD(filter(lambda p: p.requires_grad, chosen), lr=0.1)


def f(x):
    y = torch.exp(x)
    return y.requires_grad
"""


def test_only_a_computed_tensors_flag_is_told(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    assert [row.line for row in scan(discover([tmp_path])).rows if row.api == "torch.Tensor.requires_grad" and row.code == "MP103"] == [12]
