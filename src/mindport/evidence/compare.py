"""Compares a torch result with a MindSpore one: structure, dtype, shape, values, in this order."""

from __future__ import annotations

import cmath
from dataclasses import dataclass
from typing import Any

import mindspore as ms
import torch

from mindport.evidence.bridge import dtype_to_torch, is_dtype, tensor_to_torch


@dataclass(frozen=True)
class Tolerance:
    """|a - b| <= absolute + relative * |b|."""

    relative: float
    absolute: float


#: By dtype; what is not listed is exact.
TOLERANCES = {
    torch.float64: Tolerance(1e-7, 1e-7),
    torch.float32: Tolerance(1e-4, 1e-5),
    torch.float16: Tolerance(1e-2, 1e-3),
    torch.bfloat16: Tolerance(2e-2, 1e-2),
    torch.complex64: Tolerance(1e-4, 1e-5),
    torch.complex128: Tolerance(1e-7, 1e-7),
}
#: So many roundings of the largest value of a result are never an error.
ROUNDINGS = 4
EXACT = Tolerance(0.0, 0.0)
#: Here, and in gradients, the absolute part is of the largest finite value of the result: sums that cancel keep
#: the error of their terms.
SHORT = (torch.float16, torch.bfloat16)


def difference(expected: Any, actual: Any, *, values: bool = True, loosened: float = 1.0, sequences_alike: bool = False, terms: float = 0.0) -> str:
    """A sentence on the first difference, "" where there is none.

    `values`: False compares structure, shape and dtype only. `loosened`: factor on the tolerances (gradients
    add up more rounding errors than results do). `sequences_alike`: a list equals a tuple (graph mode returns tuples). `terms`: the largest of what was added up.
    """
    options = {"values": values, "loosened": loosened, "sequences_alike": sequences_alike, "terms": terms}
    if isinstance(expected, torch.Tensor):
        if not isinstance(actual, ms.Tensor):
            return f"torch gives a tensor, MindSpore gives {_told(actual)}"
        return _of_tensors(expected, actual, values, loosened, terms)
    if isinstance(actual, ms.Tensor):
        return f"torch gives {_told(expected)}, MindSpore gives a tensor of shape {tuple(actual.shape)}"
    if isinstance(expected, torch.dtype):
        if not is_dtype(actual):
            return f"torch gives {expected}, MindSpore gives {_told(actual)}"
        return "" if dtype_to_torch(actual) == expected else f"torch gives {expected}, MindSpore gives {actual}"
    if isinstance(expected, (tuple, list)):
        return _of_sequences(expected, actual, options)
    if isinstance(expected, dict):
        if not isinstance(actual, dict) or list(expected) != list(actual):
            return f"torch gives a dict of {list(expected)}, MindSpore gives {_told(actual)}"
        for key in expected:
            if found := difference(expected[key], actual[key], **options):  # type: ignore[arg-type]
                return f"[{key!r}]: {found}"
        return ""
    return _of_scalars(expected, actual, values)


def torch_differs(one: Any, other: Any) -> bool:
    """Are two results of one call of torch different by more than rounding: does it draw?"""
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return any(map(torch_differs, one, other))
    if not isinstance(one, torch.Tensor) or not isinstance(other, torch.Tensor):
        return False
    return one.shape != other.shape or not torch.allclose(one.detach().nan_to_num(), other.detach().nan_to_num(), 1e-3, 1e-5)


def _of_sequences(expected: Any, actual: Any, options: dict[str, Any]) -> str:
    if not isinstance(actual, (tuple, list)):
        return f"torch gives a {type(expected).__name__} of {len(expected)}, MindSpore gives {_told(actual)}"
    if isinstance(expected, list) != isinstance(actual, list) and not options["sequences_alike"]:
        return f"torch gives a {type(expected).__name__}, MindSpore a {type(actual).__name__}"
    if len(expected) != len(actual):
        return f"torch gives {len(expected)} values, MindSpore {len(actual)}"
    for number, (one, other) in enumerate(zip(expected, actual, strict=True)):
        if found := difference(one, other, **options):
            return f"[{number}]: {found}"
    return ""


def _of_scalars(expected: Any, actual: Any, values: bool) -> str:
    if type(expected) is not type(actual):
        return f"torch gives {_told(expected)}, MindSpore gives {_told(actual)}"
    if not values or expected is actual:
        return ""
    if isinstance(expected, float):
        close = abs(expected - actual) <= 1e-6 + 1e-5 * abs(expected) or expected == actual or (
            expected != expected and actual != actual
        )
        return "" if close else f"torch gives {expected}, MindSpore {actual}"
    if isinstance(expected, complex):
        near = 1e-6 + 1e-5 * abs(expected) if cmath.isfinite(expected) else 0.0  # what a float is allowed: both are numbers that a tensor of single precision gave
        parts = zip((expected.real, expected.imag), (actual.real, actual.imag), strict=True)
        return "" if all(a == b or abs(a - b) <= near or a != a and b != b for a, b in parts) else f"torch gives {expected!r}, MindSpore {actual!r}"
    if isinstance(expected, (int, str, bool)):
        return "" if expected == actual else f"torch gives {expected!r}, MindSpore {actual!r}"
    return ""


def _of_tensors(expected: torch.Tensor, actual: Any, values: bool, loosened: float, terms: float) -> str:
    shape = tuple(actual.shape)
    if tuple(expected.shape) != shape:
        return f"shape {tuple(expected.shape)} in torch, {shape} in MindSpore"
    if (dtype := dtype_to_torch(actual.dtype)) != expected.dtype:
        return f"dtype {str(expected.dtype).removeprefix('torch.')} in torch, {str(dtype).removeprefix('torch.')} in MindSpore"
    if not values or expected.numel() == 0:
        return ""
    right = expected.detach().resolve_conj().resolve_neg()
    found = tensor_to_torch(actual)
    tolerance = TOLERANCES.get(expected.dtype, EXACT)
    wide = torch.complex128 if expected.is_complex() else torch.float64
    if tolerance == EXACT:
        wrong = right != found
    else:
        absolute = tolerance.absolute * loosened
        largest = float(right.abs().to(torch.float64).nan_to_num(0.0, 0.0, 0.0).max())
        if right.dtype in SHORT or loosened > 1.0:
            absolute *= max(1.0, largest)
        # Of sums that cancel, the last bits of the largest terms are left.
        absolute = max(absolute, ROUNDINGS * torch.finfo(right.dtype).eps * max(largest, terms))
        wrong = ~torch.isclose(
            found.to(wide), right.to(wide), rtol=tolerance.relative * loosened, atol=absolute, equal_nan=True
        )
    if loosened > 1.0 and not right.is_complex():
        wrong &= ~right.isnan()  # a gradient that torch does not know either
    if not bool(wrong.any()):
        return ""
    place = tuple(int(i) for i in torch.nonzero(wrong)[0])
    return (
        f"{int(wrong.sum())} of {wrong.numel()} values differ, first at {list(place)}: "
        f"{_number(right[place])} in torch, {_number(found[place])} in MindSpore"
    )


def _number(value: torch.Tensor) -> str:
    return f"{value.item():.6g}" if value.is_floating_point() else str(value.item())


def _told(value: Any) -> str:
    if value is None:
        return "None"
    return f"{type(value).__name__} {value!r}"[:80]
