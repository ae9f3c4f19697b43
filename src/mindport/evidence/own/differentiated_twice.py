"""Scenarios of extremes along an axis with their positions, in the forms whose gradients can be differentiated."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.own.counted_reductions import called
from mindport.evidence.scenarios import Side, scenario
from mindport.forms import TWICE

X = torch.sin(torch.arange(24.0) * 1.7).reshape(2, 3, 4)
TIES = torch.tensor([[1.0, 3.0, 3.0], [2.0, 2.0, 0.0]])


@scenario(*(f"torch.{owner}{name}{TWICE}" for owner in ("", "Tensor.") for name in ("max", "min")))
def extremes(side: Side) -> Any:
    """Along each axis, kept or not, with ties; of all elements; of two tensors; of whole numbers; gradients. What is differentiated twice is asked where projects are converted (tests/convert/test_differentiated_twice.py)."""
    found: list[Any] = [list(called(side, side.value(x), dim, keepdim=kept)) for x in (X, TIES, TIES.int()) for dim in (0, -1) for kept in (False, True)]
    found += [called(side, side.value(X)), called(side, side.value(X), side.value(X.flip(0)))]
    return [*found, *side.gradients(lambda x: called(side, x, 1)[0] * called(side, x * x, 0)[0].sum(), X)]

