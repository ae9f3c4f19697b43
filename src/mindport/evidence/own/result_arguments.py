"""Scenarios of the arguments `out`, which gets a result's size and elements, and `inplace`."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario


@scenario("torch.Tensor.copy__as_out")
def results(side: Side) -> Any:
    """Into none, into a tensor of the size, into two without elements: the result, and what the tensor holds"""
    found = []
    for held in (None, torch.zeros(2, 3), torch.empty(0), torch.zeros(0, 4)):
        x, out = side.value(torch.arange(6.0).reshape(2, 3)), None if held is None else side.value(held)
        result = torch.neg(x, out=out) if side.declared is None else side.call(out, -x)
        found.append((result, out))
    return found


@scenario("torch.Tensor.copy__where_asked")
def overwritten(side: Side) -> Any:
    """Asked and not asked: the result, and the input afterwards"""
    found = []
    for inplace in (True, False):
        x = side.value(torch.tensor([-2.0, 3.0]))
        result = torch.nn.functional.relu(x, inplace) if side.declared is None else side.call(x, x * side.value(torch.tensor([0.0, 1.0])), inplace)
        found.append((result + 0, x))
    return found
