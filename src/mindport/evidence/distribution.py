"""Compares two samples of a distribution."""

from __future__ import annotations

import math

import torch

#: At n draws each, two samples of one distribution are further apart than this times sqrt(2 / n) once in 10^7 runs.
FARTHEST = 2.9


def apart(one: torch.Tensor, other: torch.Tensor) -> str:
    """A sentence where the largest gap between the two cumulative distributions is no chance, else ""."""
    one, other = one.flatten().double().sort().values, other.flatten().double().sort().values
    if one.numel() == 0 or other.numel() == 0:
        return ""
    # Values that only rounding tells apart are one value.
    step = 1e-5 * float(torch.cat([one, other]).nan_to_num(0.0, 0.0, 0.0).abs().max())
    if step > 0:
        one, other = (one / step).round() * step, (other / step).round() * step
    everything = torch.cat([one, other])
    at_one = torch.searchsorted(one, everything, right=True) / one.numel()
    at_other = torch.searchsorted(other, everything, right=True) / other.numel()
    gap = float((at_one - at_other).abs().max())
    allowed = FARTHEST * math.sqrt(1 / one.numel() + 1 / other.numel())
    if gap <= allowed:
        return ""
    return (
        f"another distribution: cumulative shares {gap:.3f} apart (chance: {allowed:.3f}); mean {float(one.mean()):.4g} "
        f"in torch, {float(other.mean()):.4g} in MindSpore; standard deviation {float(one.std()):.4g}, {float(other.std()):.4g}"
    )
