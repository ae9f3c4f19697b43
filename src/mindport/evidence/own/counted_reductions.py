"""Scenarios of sums, means and losses over as many elements as the data decide: some, and none."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.samples import resolve
from mindport.evidence.scenarios import Side, scenario
from mindport.forms import OF_COUNTED, public

LOSSES = ("l1_loss", "mse_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits")
X = torch.rand(5, 3, generator=torch.Generator().manual_seed(8)) * 0.8 + 0.1
MASKS = (torch.tensor([True, False, True, True, False]), torch.zeros(5, dtype=torch.bool))


def called(side: Side, *args: Any, **kwargs: Any) -> Any:
    """The API; torch's has no suffix."""
    return side.call(*args, **kwargs) if side.declared is not None else resolve(public(side.name))(*args, **kwargs)


@scenario(*(f"torch.{owner}{name}{OF_COUNTED}" for owner in ("", "Tensor.") for name in ("sum", "mean")))
def reduced(side: Side) -> Any:
    """Rows, elements, whole numbers' sums; over all axes and one; gradients."""
    found: list[Any] = []
    for mask in MASKS:
        for dim in (None, 0, 1, -1):
            found.append(called(side, side.value(X[mask]), dim))
            found.append(called(side, side.value(X[mask]), dim, keepdim=True))
        found += [called(side, side.value(X[:, 0][mask])), called(side, side.value(X[mask]), dtype=side.value(torch.float64))]
        if "sum" in side.name:
            found.append(called(side, side.value(torch.arange(5)[mask])))
        if mask.any() or "sum" in side.name:  # the mean of nothing is NaN
            found.append(side.gradients(lambda x, mask=mask: called(side, x[side.value(mask)]) + (x * x).sum(), X))
    return found


@scenario(*(f"torch.nn.functional.{name}{OF_COUNTED}" for name in LOSSES))
def losses(side: Side) -> Any:
    """Every reduction, of rows and of elements."""
    target = X.flip(0)
    return [
        called(side, side.value(x[mask]), side.value(y[mask]), reduction=reduction)
        for mask in MASKS for x, y in ((X, target), (X[:, 0], target[:, 0])) for reduction in ("mean", "sum", "none")
    ]  # fmt: skip


@scenario(f"torch.nn.functional.cross_entropy{OF_COUNTED}", f"torch.nn.functional.nll_loss{OF_COUNTED}")
def classes(side: Side) -> Any:
    """Every reduction, with and without weights."""
    target = torch.tensor([0, 2, 1, 1, 0])
    return [
        called(side, side.value(X[mask].log()), side.value(target[mask]), weight, reduction=reduction)
        for mask in MASKS for reduction in ("mean", "sum", "none") for weight in (None, side.value(torch.tensor([0.5, 1.0, 2.0])))
    ]  # fmt: skip
