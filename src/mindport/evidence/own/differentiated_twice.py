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



@scenario(f"torch.nn.functional.batch_norm{TWICE}")
def normalised(side: Side) -> Any:
    """In training and evaluation, with statistics and without, scaled or not, of two to four axes; the statistics afterwards; gradients."""
    found: list[Any] = []
    weight, bias = torch.tensor([0.5, -1.0, 2.0]), torch.tensor([0.1, 0.2, -0.3])
    for x in (X[:, :, 0], X, X[..., None] * 3 + 1):
        for training in (True, False):
            mean, variance = side.value(torch.tensor([0.2, -0.1, 0.4])), side.value(torch.tensor([1.0, 2.0, 0.5]))
            found.append(called(side, side.value(x), mean, variance, training=training))
            found.append(called(side, side.value(x), mean, variance, side.value(weight), side.value(bias), training, 0.3, 1e-3))
            found += [mean, variance]
        found.append(called(side, side.value(x), None, None, training=True))
    start = side.value(torch.zeros(3)), side.value(torch.ones(3))
    return [*found, *side.gradients(lambda x, w: (called(side, x, *start, w, training=True) ** 2 * x).sum(), X, weight), *start]
