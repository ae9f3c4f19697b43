"""Scenarios of softmax and its logarithm where differences of logarithms count, of scores that masks hide, and of losses over logits that hold minus infinity."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.own.counted_reductions import called
from mindport.evidence.scenarios import Side, scenario
from mindport.forms import OF_COUNTED, OF_DIFFERENCES, OF_HIDDEN, OF_MASKED

X = torch.sin(torch.arange(24.0)).reshape(2, 3, 4) * 3
NAMES = tuple(f"torch.{owner}{name}{OF_DIFFERENCES}" for name in ("softmax", "log_softmax") for owner in ("", "Tensor.", "special.", "nn.functional."))


@scenario(*NAMES)
def normalised(side: Side) -> Any:
    """Along each axis, in another dtype, of other dtypes, of numbers far apart; gradients."""
    found: list[Any] = [called(side, side.value(x), dim) for dim in (0, 1, -1) for x in (X, X.double(), X.half(), X * 30, torch.tensor([[5.0]]).expand(2, 1, 3))]
    found += [called(side, side.value(x), 1, dtype=side.value(torch.float64)) for x in (X, X.long())]
    found.append(side.gradients(lambda x: (called(side, x, -1) * x).sum(), X))
    return found


@scenario(*(f"torch.{owner}softmax{OF_HIDDEN}" for owner in ("", "Tensor.", "special.", "nn.functional.")))
def of_hidden_rows(side: Side) -> Any:
    """Rows of nothing but minus infinity between others, along each axis and in other dtypes; scores that hide nothing; gradients of the other rows."""
    hidden = X.clone()
    hidden[0, 1] = hidden[1, :, 2] = hidden[:, 2, 3] = float("-inf")
    found: list[Any] = [called(side, side.value(x), dim) for dim in (0, 1, -1) for x in (hidden, hidden.double(), hidden.half(), X)]
    found += [called(side, side.value(x), 1, dtype=side.value(torch.float64)) for x in (hidden, X.long())]
    shown = torch.isfinite(hidden).any(-1, keepdim=True).float() - 1

    def of_scores(x: Any) -> Any:
        return (called(side, x + side.value(torch.where(shown < 0, -torch.inf, 0.0)), -1) * x)[1].sum()

    return [*found, side.gradients(of_scores, X)]


@scenario(f"torch.nn.functional.cross_entropy{OF_MASKED}", f"torch.nn.functional.cross_entropy{OF_COUNTED}{OF_MASKED}", f"torch.nn.functional.nll_loss{OF_MASKED}")
def of_shut_out_classes(side: Side) -> Any:
    """Logits of minus infinity at other classes than the label's; gradients at the others."""
    logits = X[0].clone()
    logits[0, 1] = logits[2, 3] = float("-inf")
    values = logits.log_softmax(1) if "nll_loss" in side.name else logits
    labels = torch.tensor([0, 3, 1])
    found = [side.call(side.value(values), side.value(labels), reduction=reduction) for reduction in ("mean", "sum", "none")]
    return [*found, side.gradients(lambda x: side.call(x, side.value(labels)), X[0])]
