"""How far a training curve may lie from torch's: torch's own noise decides.

Torch runs again with every parameter moved to a neighbouring float before the first step and after every step
(one unit in the last place, up or down by chance; by default twice), and once in float64. With L the recorded curve
and L_r those of the runs r,

    noise(t) = max over r and over s <= t of |L_r(s) - L(s)|
    band(t)  = 1e-5 * max over s <= t of |L(s)|  +  8 * noise(t)

Training multiplies rounding. Where 8 * noise(t) passes a tenth of the curve's range (or of its size, where that is
larger), torch itself is not reproducible to a tenth: from this step, the *horizon*, on a comparison step by step says nothing.
Where all of these runs broke off before the recorded one did, the noise is not known from there on: a departure is no verdict.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

SHARE = 1e-5
FACTOR = 8.0
HORIZON = 0.1


class Band(msgspec.Struct):
    """The allowed distance at each step, the noise behind it, the first step past the horizon (None: none is), the steps whose noise is known."""

    allowed: list[float]
    noise: list[float]
    horizon: int | None = None
    known: int = 0


def band(reference: Sequence[float], others: Sequence[Sequence[float]]) -> Band:
    """The band around `reference` from torch's other runs; a run that is shorter says nothing past its end."""
    curve = np.asarray(reference, np.float64)
    apart = np.zeros_like(curve)
    for other in others:
        length = min(len(curve), len(other))
        values = np.asarray(other[:length], np.float64)
        difference = np.where(np.isnan(values) & np.isnan(curve[:length]), 0.0, np.abs(values - curve[:length]))  # a step without a loss of its own has none in any run
        apart[:length] = np.maximum(apart[:length], np.where(np.isfinite(difference), difference, np.inf))
    noise = np.maximum.accumulate(apart) if len(apart) else apart
    size = np.maximum.accumulate(np.where(np.isfinite(curve), np.abs(curve), 0.0)) if len(curve) else curve
    allowed = SHARE * size + FACTOR * noise
    finite = curve[np.isfinite(curve)]
    measure = max(float(np.ptp(finite)), float(np.median(np.abs(finite)))) if len(finite) else 0.0
    past = np.flatnonzero(FACTOR * noise > HORIZON * measure)
    known = max((min(len(curve), len(other)) for other in others), default=len(curve))
    return Band([float(v) for v in allowed], [float(v) for v in noise], int(past[0]) if len(past) else None, known)
