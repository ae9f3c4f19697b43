"""Samples of our own beside torch's: what the proof of silence adds to them. Imports torch: inside workers only.

torch's generators keep away from domain errors, divisions by zero, mixed dtypes, numbers in a tensor's place and
memory that is not in order. Whether torch accepts a sample shows when it runs; what it refuses is no sample.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import torch

from mindport.evidence.samples import SPECIAL, Sample, mapped, tensors

#: Places of a call that are changed one by one.
MOST_PLACES = 3
#: Every sign, halves (ties of rounding), zeros of both signs, the borders of most domains.
GRID = (-3.5, -2.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.5, 7.0)
WHOLE_GRID = (-7, -3, -2, -1, 0, 1, 2, 3, 5, 8, 9)
#: Where exponentials, and formulas that are only right near zero, end.
LARGE = (20.5, -20.5, 88.9, -104.0, 1000.0, -1000.0, 3.0e4, -3.0e4)
#: Where an epsilon decides, and digits that cancel.
SMALL = 1e-4
NAN_AND_INFINITY = (math.nan, math.inf, -math.inf)
#: The name of samples whose sums keep the rounding of their largest terms.
LARGE_NUMBERS = "large numbers"
#: In place of a tensor.
NUMBERS = (2, -3, 2.5, True, 0)
#: Memory that is not in order, with the same values: see `bridge.laid_out`.
LAYOUTS = ("stepped", "narrowed", "expanded")

Change = Callable[[torch.Tensor], Any]


def hard(samples: list[Sample], dtype: torch.dtype, *, all_of_them: bool, numbers: bool) -> Iterator[Sample]:
    """Hard cases made from a plain sample with one tensor and one with several.

    `all_of_them`: not only the short list; `numbers`: numbers in the place of tensors, too.
    """
    for sample in _chosen(samples)[0 if all_of_them else -1 :]:
        places = _places(sample)[:MOST_PLACES]
        yield _each(sample, places, lambda t, n: _filled(t, GRID[n:] + GRID[:n], WHOLE_GRID[2 * n :] + WHOLE_GRID[: 2 * n]), "grid")
        yield _each(sample, places, lambda t, n: _filled(t, GRID[: 11 + n], WHOLE_GRID[: 10 - n]), "another grid")
        yield _each(sample, places, lambda t, n: t * SMALL if t.is_floating_point() or t.is_complex() else t, "small numbers")
        yield from _not_numbers(sample, places)
        for place in places[1:]:
            for number in NUMBERS if numbers else ():
                yield _put(sample, place, _constant(number), "a number")
        for place in places:
            for other in (torch.int64, torch.float32, torch.float16, torch.bool) if all_of_them else (torch.int64, torch.float32):
                if other != dtype:
                    yield _put(sample, place, _cast(other), "mixed dtypes")
        for layout in LAYOUTS if all_of_them else LAYOUTS[:1]:
            yield replace(sample, args=mapped(sample.args, _LAID_OUT[layout]), edge=layout)
        if all_of_them:
            for place in places:
                yield _put(sample, place, lambda t: _replaced(t, LARGE), LARGE_NUMBERS)
                yield _put(sample, place, lambda t: t * SMALL if t.is_floating_point() or t.is_complex() else t, "small numbers")
                yield _put(sample, place, lambda t: t.flatten()[0].clone(), "one is 0-d")
                yield _put(sample, place, lambda t: t[:1] if t.dim() else t, "broadcast")
                yield _put(sample, place, lambda t: t[:0] if t.dim() else t, "empty")


def other_forms(samples: list[Sample], signature: inspect.Signature, result: Callable[[Sample], Any]) -> Iterator[Sample]:
    """The same call with its arguments by keyword, and with tensors to write to."""
    for sample in _chosen(samples)[:1]:
        try:
            bound = signature.bind(*sample.args, **sample.kwargs)
        except TypeError:
            continue
        kinds = {name: signature.parameters[name].kind for name in bound.arguments}
        if all(kind in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY) for kind in kinds.values()):
            yield Sample(sample.args[:1], dict(list(bound.arguments.items())[1:]), "by keyword")
            yield Sample((), dict(bound.arguments), "by keyword")
        if "out" in signature.parameters and isinstance(expected := result(sample), torch.Tensor):
            yield replace(sample, kwargs={**sample.kwargs, "out": torch.zeros_like(expected)}, edge="out")
            yield replace(sample, kwargs={**sample.kwargs, "out": torch.zeros(0, dtype=expected.dtype)}, edge="out")


def _chosen(samples: list[Sample]) -> list[Sample]:
    """The first sample, and the first with two tensors."""
    fit = [s for s in samples if not s.eager and s.args and isinstance(s.args[0], torch.Tensor) and s.args[0].numel() > 2 and s.args[0].dim() > 0]
    several = [s for s in fit if len(_places(s)) > 1]
    found = fit[:1] + several[:1]
    return found[:1] if len(found) == 2 and found[0] is found[1] else found


def _places(sample: Sample) -> list[int | str]:
    """Where tensors stand: positions, then keywords."""
    positions = [n for n, value in enumerate(sample.args) if isinstance(value, torch.Tensor)]
    return [*positions, *(key for key, value in sample.kwargs.items() if isinstance(value, torch.Tensor))]


def _put(sample: Sample, place: int | str, change: Change, edge: str) -> Sample:
    if isinstance(place, str):
        return replace(sample, kwargs={**sample.kwargs, place: change(sample.kwargs[place])}, edge=edge)
    args = list(sample.args)
    args[place] = change(args[place])
    return replace(sample, args=tuple(args), edge=edge)


def _each(sample: Sample, places: list[int | str], change: Callable[[torch.Tensor, int], Any], edge: str) -> Sample:
    for number, place in enumerate(places):
        sample = _put(sample, place, _numbered(change, number), edge)
    return sample


def _numbered(change: Callable[[torch.Tensor, int], Any], number: int) -> Change:
    return lambda tensor: change(tensor, number)


def _constant(number: complex) -> Change:
    return lambda tensor: number


def _cast(dtype: torch.dtype) -> Change:
    return lambda tensor: tensor.to(dtype)


def _not_numbers(sample: Sample, places: list[int | str]) -> Iterator[Sample]:
    """NaN and infinity in each place alone, against zeros, and against each other in every combination."""
    if not any(t.is_floating_point() or t.is_complex() for t in tensors([sample.args, sample.kwargs])):
        return
    for place in places[1:]:
        yield _put(sample, place, lambda t: _replaced(t, NAN_AND_INFINITY), SPECIAL)
    pattern = (*NAN_AND_INFINITY, 0.0, -0.0, 1.0, -1.0)
    for first in (0, 3):  # NaN first, and behind others
        yield _each(sample, places, _patterned(pattern[first:] + pattern[:first]), SPECIAL)
    if len(places) > 1:
        yield _each(sample, places, lambda t, n: _replaced(t, NAN_AND_INFINITY if n == 0 else (0.0, 0.0, -0.0)), SPECIAL)
        yield _each(sample, places, lambda t, n: _replaced(t, NAN_AND_INFINITY), SPECIAL)


def _patterned(pattern: tuple[float, ...]) -> Callable[[torch.Tensor, int], Any]:
    return lambda tensor, number: _filled(tensor, pattern[number:] + pattern[:number], WHOLE_GRID)


def _filled(tensor: torch.Tensor, numbers: tuple[float, ...], whole: tuple[int, ...]) -> torch.Tensor:
    """The tensor with its elements taken from a list again and again."""
    if tensor.dtype == torch.bool:
        return tensor
    some: tuple[float, ...] = numbers if tensor.is_floating_point() or tensor.is_complex() else whole
    cycle = torch.tensor(some, dtype=torch.float64).repeat(-(-max(1, tensor.numel()) // len(some)))
    return cycle[: tensor.numel()].reshape(tensor.shape).to(tensor.dtype)


def _replaced(tensor: torch.Tensor, numbers: tuple[float, ...]) -> torch.Tensor:
    """The tensor with other numbers in its first elements, where it holds floating numbers."""
    changed = tensor.clone(memory_format=torch.contiguous_format)
    if tensor.is_floating_point() or tensor.is_complex():
        count = min(len(numbers), tensor.numel())
        changed.view(-1)[:count] = torch.tensor(numbers[:count], dtype=torch.float64).to(tensor.dtype)
    return changed


_LAID_OUT: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "stepped": lambda t: t.repeat_interleave(2, -1)[..., ::2] if t.dim() else t,
    "narrowed": lambda t: torch.cat((t, t))[t.shape[0] :] if t.dim() else t,
    "expanded": lambda t: t[:1].expand_as(t) if t.dim() else t,
}
