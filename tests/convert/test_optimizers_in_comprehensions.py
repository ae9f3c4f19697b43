"""A comprehension's own name for an optimizer is no name of the scope around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = """import torch
from torch import nn, optim

a, b = nn.Linear(2, 2), nn.Linear(2, 1)
opt_a, opt_b = optim.SGD(a.parameters(), lr=0.1), optim.SGD(b.parameters(), lr=0.1)
{made}
for x in [torch.ones(3, 2)] * 2:
    opt_a.zero_grad()
    opt_b.zero_grad()
    loss = b(a(x)).mean()
    loss.backward()
    {step}
"""


@pytest.mark.parametrize(
    ("made", "step"),
    [
        ("schedules = [optim.lr_scheduler.StepLR(o, 1) for o in (opt_a, opt_b)]", "opt_a.step()\n    opt_b.step()"),
        ("rates = list(map(lambda o: optim.lr_scheduler.StepLR(o, 1), (opt_a, opt_b)))", "opt_a.step()\n    opt_b.step()"),
        ("", "[o.step() for o in (opt_a, opt_b)]"),
    ],
)
def test_no_gradients_of_a_name_that_ends_with_its_expression(tmp_path: Path, made: str, step: str) -> None:
    (tmp_path / "train.py").write_text(PROGRAM.format(made=made, step=step))
    text = next(t for p, t in convert(discover(tmp_path)).files.items() if p.name == "train.py")
    assert "o.parameters" not in text.replace("opt_a.parameters", "").replace("opt_b.parameters", "")
    assert "loss.backward()" not in text
