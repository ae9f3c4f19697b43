"""``lr=required``: optimizers of one's own as they were written up to PyTorch 1.12."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch
from torch.optim.optimizer import Optimizer, required


class Plain(Optimizer):
    def __init__(self, params, lr=required, decay=0.0):
        if lr is not required and lr < 0.0:
            raise ValueError("no rate: {}".format(lr))
        super().__init__(params, dict(lr=lr, decay=decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                p.mul_(1 - group["decay"]).sub_(p.grad * group["lr"])


a, b = (torch.nn.Parameter(torch.full((2,), v)) for v in (1.0, 2.0))
optimizer = Plain([{"params": [a], "lr": 0.5}, {"params": [b], "lr": 0.25, "decay": 0.5}])
(a * 3 + b * 2).sum().backward()
optimizer.step()
print(a.tolist(), b.tolist())
try:
    Plain([a], lr=-1.0)
except ValueError as error:
    print(error)
"""


@pytest.mark.frameworks
def test_an_option_that_every_group_names(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs == "[-0.5, -0.5] [0.5, 0.5]\nno rate: -1.0\n"
