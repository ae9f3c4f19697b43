"""Points at which formulas have corners, made from plain samples: for the check `gradient at corners`. Imports torch.

Random points never meet them, and training does: rows of zeros (padding), equal elements (constant channels), saturated
probabilities, the bounds of clamps and of piecewise functions, ties.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import torch

from mindport.evidence.samples import Sample, mapped

#: Values that the elements of a tensor take in turn, from another one in each further tensor.
CORNERS: dict[str, tuple[float, ...]] = {
    "zeros": (0.0,),
    "negative zeros": (-0.0, 0.0, 1.0),
    "equal": (1.0,),
    "ties": (0.5, -1.5, 0.5, 2.0, -1.5, 2.0, 2.0),
    "bounds": (0.0, 1.0, -1.0, 6.0, 3.0, -3.0, 0.5, -0.5, 2.0, -2.0),
    "probabilities": (0.0, 1.0, 0.5, 1.0, 0.0),
    "saturated": (100.0, -100.0, 20.0, -20.0, 0.0, 30.0),
}


def corners(samples: list[Sample]) -> Iterator[Sample]:
    """The samples with their floating tensors set to corners, with a first row of zeros, and with one element a side."""
    for sample in samples:
        for edge, values in CORNERS.items():
            yield _filled(sample, edge, values)
        yield _changed(sample, "a row of zeros", _first_row_zero)
    for sample in samples[:1]:
        yield _changed(sample, "single elements", lambda t: t[(slice(0, 1),) * t.dim()].clone())


def _filled(sample: Sample, edge: str, values: tuple[float, ...]) -> Sample:
    starts = itertools.count()

    def fill(tensor: torch.Tensor) -> torch.Tensor:
        start = next(starts) % len(values)
        turn = torch.tensor((values[start:] + values[:start]), dtype=tensor.dtype)
        return turn.repeat(-(-tensor.numel() // len(values)))[: tensor.numel()].reshape(tensor.shape)

    return _changed(sample, edge, fill)


def _changed(sample: Sample, edge: str, change: object) -> Sample:
    def of_floats(tensor: torch.Tensor) -> torch.Tensor:
        if not tensor.is_floating_point() or tensor.numel() == 0:
            return tensor
        assert callable(change)
        made = change(tensor.detach())
        assert isinstance(made, torch.Tensor)
        return made

    return Sample(mapped(sample.args, of_floats), mapped(sample.kwargs, of_floats), edge)


def _first_row_zero(tensor: torch.Tensor) -> torch.Tensor:
    made = tensor.clone()
    if made.dim():
        made[0] = 0
    return made
