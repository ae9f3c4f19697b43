"""Scenarios of casts of modules of which a part is complex."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario
from mindport.forms import OF_COMPLEX


@scenario(*(f"torch.nn.Module.{name}{OF_COMPLEX}" for name in ("float", "double", "half", "bfloat16")))
def real_parts_alone(side: Side) -> Any:
    """returns the module; a complex layer's parameters stay, the others have the dtype"""
    net = side.net()
    net[1].to(side.value(torch.complex64))
    same = side.call(net) is net
    return same, side.dtype(net[0][0].weight), side.dtype(net[1].weight), side.dtype(net[1].bias)
