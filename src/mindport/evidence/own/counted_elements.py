"""Scenarios of pairs, positions, running sums and copies of as many elements as the data decide: some, and none."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.own.counted_reductions import MASKS, X, called
from mindport.evidence.scenarios import Side, scenario
from mindport.forms import OF_COUNTED, public

OTHER = X.flip(0)


@scenario(*(f"torch.{owner}{name}{OF_COUNTED}" for owner in ("", "Tensor.") for name in ("maximum", "minimum", "max", "min")))
def pairs(side: Side) -> Any:
    """The same places of two tensors, and each place of one beside each of the other; gradients."""
    found: list[Any] = []
    for mask in MASKS:
        for other in (OTHER[mask], OTHER[:, None][:1], OTHER[0]):
            found.append(called(side, side.value(X[mask]), side.value(other)))
        found.append(called(side, side.value(X[:, None]), side.value(OTHER[mask])))
        found.append(called(side, side.value(torch.arange(5)[mask]), side.value(torch.tensor(2))))
        if public(side.name).endswith(("max", "min")):
            found += [list(called(side, side.value(X[mask]), 1, keepdim=kept)) for kept in (False, True)]
            found += [list(called(side, side.value(torch.arange(10, dtype=torch.int32).reshape(5, 2)[mask]), -1))]
        found.append(side.gradients(lambda x, mask=mask: called(side, x[side.value(mask)], side.value(OTHER[mask])).sum() + (x * x).sum(), X))
    return found


@scenario(*(f"torch.{owner}{name}{OF_COUNTED}" for owner in ("", "Tensor.") for name in ("argmax", "argmin")))
def positions(side: Side) -> Any:
    """Of each row, kept as an axis or not."""
    return [called(side, side.value(X[mask]), 1, keepdim=kept) for mask in MASKS for kept in (False, True)]


@scenario(f"torch.cumsum{OF_COUNTED}", f"torch.Tensor.cumsum{OF_COUNTED}")
def running_sums(side: Side) -> Any:
    """Along each axis; of whole numbers and of truth values, which are counted in int64; in another dtype."""
    found: list[Any] = []
    for mask in MASKS:
        found += [called(side, side.value(X[mask]), dim) for dim in (0, 1, -1)]
        found += [called(side, side.value(values[mask]), 0) for values in (torch.arange(5), torch.arange(5, dtype=torch.int32), torch.ones(5, dtype=torch.bool))]
        found.append(called(side, side.value(X[mask]), 0, dtype=side.value(torch.float64)))
    return found


@scenario(f"torch.nn.functional.one_hot{OF_COUNTED}")
def classes(side: Side) -> Any:
    """Indices in one axis and in two."""
    target = torch.tensor([0, 2, 1, 1, 0])
    return [called(side, side.value(value[mask]), 3) for mask in MASKS for value in (target, target[:, None])]


@scenario(f"torch.Tensor.repeat{OF_COUNTED}")
def copies(side: Side) -> Any:
    """Along its axes, along a new one, sizes one by one and as a tuple."""
    found: list[Any] = []
    for mask in MASKS:
        found += [called(side, side.value(X[mask]), *sizes) for sizes in ((2, 1), (1, 2), (2, 1, 3), ((2, 2),))]
    return found
