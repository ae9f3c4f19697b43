"""Scenarios of calls with a number first: results, what stands in the tensors afterwards, gradients, broadcasting, whole numbers."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.own.counted_reductions import called
from mindport.evidence.scenarios import Side, scenario
from mindport.forms import FORMER_ORDER, public

A, B, C = (torch.rand(3, 3, generator=torch.Generator().manual_seed(seed)) + 0.2 for seed in (3, 4, 5))
SCALED, PRODUCTS = ("add", "sub"), ("addcmul", "addcdiv")
PLAIN = [*(f"torch.{name}" for name in (*SCALED, *PRODUCTS)), *(f"torch.Tensor.{name}" for name in (*SCALED, *PRODUCTS, "addmm"))]
IN_PLACE = [f"torch.Tensor.{name}_" for name in (*SCALED, *PRODUCTS, "addmm")]


def rows(name: str) -> list[tuple[Any, ...]]:
    """Arguments of one function, the tensor first."""
    short = public(name).rpartition(".")[2].rstrip("_")
    if short == "addmm":
        return [(A, 0.5, 2, B, C), (A, 0, 1.5, B, C)]
    if short in SCALED:
        return [(A, 0.5, B), (A, -2, B[0]), (A.double(), 0.25, B.double()), (torch.arange(9).reshape(3, 3), 3, torch.arange(3))]
    return [(A, 0.5, B, C), (A, -2, B[0], C[:, :1]), (A.double(), 0.25, B.double(), C.double())]


@scenario(*(name + FORMER_ORDER for name in PLAIN))
def computed(side: Side) -> Any:
    """Results."""
    return [called(side, *(side.value(one) for one in row)) for row in rows(side.name)]


@scenario(*(name + FORMER_ORDER for name in IN_PLACE))
def changed(side: Side) -> Any:
    """Results, and the tensors afterwards."""
    found = []
    for row in rows(side.name):
        args = [side.value(one.clone() if isinstance(one, torch.Tensor) else one) for one in row]
        result = called(side, *args)
        found.append([args[0], result is args[0]])
    return found
