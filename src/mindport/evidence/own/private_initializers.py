"""Samples of torch's inner initialisers, which take all their numbers by place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import torch

from mindport.evidence.own.initializers import parameter
from mindport.evidence.samples import Sample, own

P = "torch.nn.init._no_grad_"
NUMBERS = {"fill_": (0.3,), "zero_": (), "normal_": (1.0, 0.02), "uniform_": (-0.1, 0.1), "trunc_normal_": (1.0, 2.0, -1.0, 1.5)}


def _samples(numbers: tuple[float, ...], dtype: torch.dtype) -> Iterator[Sample]:
    if dtype == torch.float32:
        yield Sample((parameter(40, 30), *numbers), eager=True)
        yield Sample((parameter(12, 6, 3, 3), *numbers), eager=True)


for _short, _numbers in NUMBERS.items():
    own(P + _short)(partial(_samples, _numbers))
