"""Tensors wrapped as PyTorch 0.3 did, and seeds of devices that are not there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from mindport.evidence.samples import Sample, own
from mindport.evidence.scenarios import Side, scenario

X = torch.tensor([[-12.0, -5.0, -0.3, 0.0], [1e-4, 0.7, 5.0, 9.0]])


@own("torch.autograd.Variable")
def wrapped(dtype: torch.dtype) -> Iterator[Sample]:
    """A tensor alone, and with what torch ignores."""
    if dtype in (torch.float32, torch.int64):
        yield Sample((X.to(dtype),))
        yield Sample((X.to(dtype),), {"requires_grad": False})


@scenario("torch.cuda.manual_seed", "torch.cuda.manual_seed_all")
def seeded_elsewhere(side: Side) -> Any:
    """No result, and no other stream of numbers is touched."""
    random.seed(3)
    np.random.seed(3)
    given = [side.call(7), side.call(seed=2**40 + 1)]
    return [given, random.random(), float(np.random.rand())]
