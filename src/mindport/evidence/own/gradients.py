"""Scenarios for gradients that are kept on tensors."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario


@scenario("torch.Tensor.grad")
def kept(side: Side) -> Any:
    """none at first, then what was put there"""
    weight = side.make("torch.nn.Linear", 3, 2).weight
    before = side.call(weight) is None
    weight.grad = side.value(torch.ones(2, 3))
    return [before, side.call(weight)]
