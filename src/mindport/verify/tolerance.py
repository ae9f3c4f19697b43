"""How far two results may lie apart and still count as equal.

The allowance is relative to the tensor's largest value, by dtype. It widens to eight times
what was measured on torch's side alone (a second run, and float32 against float64), because
no other framework can be nearer to torch than torch is to itself; but never beyond ten times the
dtype's share, so that noise cannot excuse a wrong result. A gradient that is zero in exact
arithmetic consists of rounding: for gradients the largest one of the same role is the measure of that.
"""

from __future__ import annotations

from collections.abc import Mapping

#: Largest difference as a share of the largest value. Measured spread between the frameworks'
#: kernels is about a hundred units in the last place for deep networks.
RELATIVE = {
    "float64": 1e-9, "complex128": 1e-9, "float32": 1e-4, "complex64": 1e-4, "float16": 5e-3, "bfloat16": 4e-2,
}
_ROUNDING = {
    "float64": 2.3e-16, "complex128": 2.3e-16, "float32": 1.2e-7, "complex64": 1.2e-7, "float16": 9.8e-4,
    "bfloat16": 7.9e-3,
}
_NOISE_FACTOR = 8
_NOISE_LIMIT = 10


def relative(dtype: str, chosen: Mapping[str, float]) -> float:
    """The dtype's share, as the user chose it or by default; 0 for integers and bools."""
    return chosen.get(dtype, RELATIVE.get(dtype, 0.0))


def allowed(dtype: str, scale: float, role_scale: float, noise: float, chosen: Mapping[str, float]) -> float:
    """The largest absolute difference that counts as equal."""
    share = relative(dtype, chosen)
    if dtype not in _ROUNDING:
        return share * scale
    floor = min(share, _ROUNDING[dtype]) * role_scale
    most = share * max(role_scale, _NOISE_LIMIT * scale)
    return max(share * scale, min(_NOISE_FACTOR * noise, most), floor)
