"""Of several methods that a call may mean, those that it cannot call are none of its uses."""

from __future__ import annotations

from tests.inference.files import uses_of

SCHEDULERS = """
import torch
def made(optimizer, kind):
    if kind == 1:
        return torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
    return torch.optim.lr_scheduler.StepLR(optimizer, 1)
scheduler = made(torch.optim.SGD([torch.zeros(1)], 0.1), int(input()))
scheduler.step({})
"""


def _steps(arguments: str) -> set[str]:
    return {line.split()[1] for line in uses_of(SCHEDULERS.replace("{}", arguments)) if line.split()[1].endswith(".step")}


def test_a_call_without_what_one_of_them_needs() -> None:
    assert len(_steps("")) == 1


def test_a_call_that_fits_all_or_hides_what_it_gives() -> None:
    assert len(_steps("0.5")) == 2
    assert len(_steps("*given")) == 2
