"""Differences of the whole framework, not of one entry: they hold for the operators of a program's own text, too.

Each is told by what torch itself gives for the sample when the difference is taken away, so that nothing else passes as
one of them. docs/differences/functions.md describes them. Runs inside a worker; imports both frameworks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

from mindport.evidence import compare
from mindport.evidence.bridge import tensor_to_torch
from mindport.evidence.samples import Sample, copied, mapped, tensors

PROMOTION = "a tensor without axes takes part in type promotion like any other"
COMPLEX = "what of a complex result torch has as NaN or infinite is another number here"


class Everywhere(Exception):
    """The result differs from torch's in one of the ways that are the whole framework's; the message says in which."""


def known(sample: Sample, expected: Any, actual: Any, again: Callable[[Sample], Any]) -> str:
    """Which of the framework's differences explains a result, "" for none. `again`: torch on another sample."""
    if not isinstance(expected, torch.Tensor):
        return ""
    found = tensors([sample.args, sample.kwargs])
    if any(not t.dim() for t in found) and len({t.dtype for t in found}) > 1:
        grown = replace(sample, args=mapped(sample.args, _with_axis), kwargs=mapped(sample.kwargs, _with_axis))
        try:
            other = again(copied(grown))
        except Exception:  # torch takes no such sample: then this is no explanation
            other = None
        if isinstance(other, torch.Tensor) and not compare.difference(other.reshape(expected.shape), actual):
            return PROMOTION
    if expected.is_complex() and tuple(actual.shape) == tuple(expected.shape):
        mine = tensor_to_torch(actual)
        if mine.dtype == expected.dtype:
            shown = torch.isfinite(expected)
            if not bool(shown.all()) and torch.allclose(mine[shown], expected[shown], 1e-4, 1e-5):
                return COMPLEX
    return ""


def _with_axis(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.reshape(1) if not tensor.dim() else tensor
