"""Scenarios of closeness of complex tensors, by the form that takes them."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario
from mindport.forms import OF_COMPLEX

X = torch.complex(torch.arange(6.0).sin(), torch.arange(6.0).cos() * 3)
NAN, INFINITE = complex("nan"), complex("inf")
ODD = torch.tensor([NAN, complex(1, float("nan")), INFINITE, complex(0, float("-inf")), 0, 1e-9j], dtype=torch.complex64)


@scenario(*(f"torch.{owner}{name}{OF_COMPLEX}" for owner in ("", "Tensor.") for name in ("isclose", "allclose")))
def near_and_far(side: Side) -> Any:
    """Equal, nearly equal and other tensors of both widths, one beside a number's worth, tolerances, NaN and infinities, nothing."""
    found = []
    for x in (X, X.to(torch.complex128), X.reshape(2, 3)):
        for y in (x.clone(), x * (1 + 3e-6), x + 0.2j, x.conj(), x.reshape(-1)[1]):
            for options in ({}, {"rtol": 0.1}, {"atol": 0.25}, {"rtol": 0.0, "atol": 0.0}):
                found.append(side.call(side.value(x), side.value(y), **options))
    for y in (ODD, ODD.flip(0), ODD * (1 + 1e-7)):
        found += [side.call(side.value(ODD), side.value(y), equal_nan=equal) for equal in (False, True)]
    return [*found, side.call(side.value(X[:0]), side.value(X[:0]))]
