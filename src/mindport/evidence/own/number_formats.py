"""Scenarios of what a dtype can hold."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

FLOATING = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
WHOLE = (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64)


@scenario("torch.finfo")
def of_floating_numbers(side: Side) -> Any:
    """Every floating dtype, and none."""
    rows = [side.call(side.value(dtype)) for dtype in FLOATING]
    return [[row.max, row.min, row.eps, row.tiny, row.smallest_normal, row.resolution, row.bits, row.dtype] for row in (*rows, side.call())]


@scenario("torch.iinfo")
def of_whole_numbers(side: Side) -> Any:
    """Every whole dtype."""
    return [[row.max, row.min, row.bits, row.dtype] for row in (side.call(side.value(dtype)) for dtype in WHOLE)]


@scenario("torch.Tensor.device", "torch.device")
def names(side: Side) -> Any:
    """A device by its text and its kind."""
    device = side.call(side.value(torch.ones(2))) if side.name.endswith("Tensor.device") else side.call("cpu")
    return str(device), f"{device}", device == side.make("torch.device", "cpu")
