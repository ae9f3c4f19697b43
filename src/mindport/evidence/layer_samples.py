"""Constructor and input arguments for a torch layer: torch's module database, and ours. Imports torch."""

from __future__ import annotations

import functools
import itertools
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from mindport.evidence.samples import MADE, MOST_ELEMENTS, SEED, Sample, evenly, tensors


@dataclass(frozen=True)
class Part:
    """A module among constructor arguments, built on both sides: ``Part("torch.nn.Linear", (3, 4))``."""

    name: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class LayerSample:
    """A layer built with `build` and called with `call`."""

    build: Sample = field(default_factory=Sample)
    call: Sample = field(default_factory=Sample)


Generator = Callable[[], Iterator[LayerSample]]

#: Our own layer samples: torch name → generators.
OWN_LAYERS: dict[str, list[Generator]] = {}


def own_layer(*names: str) -> Callable[[Generator], Generator]:
    """The decorated generator makes samples of the layers `names`, which come before those of torch's database."""

    def register(function: Generator) -> Generator:
        for name in names:
            OWN_LAYERS.setdefault(name, []).append(function)
        return function

    return register


@functools.cache
def module_index() -> dict[str, Any]:
    """torch's module database by torch name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.testing._internal.common_modules import module_db
    return {f"torch.nn.{info.module_cls.__name__}": info for info in module_db}


def layer_samples(name: str, most: int) -> list[LayerSample]:
    """At most `most` float32 samples, ours first, the others chosen evenly; [] where there are none."""
    torch.manual_seed(SEED)
    ours = [s for function in OWN_LAYERS.get(name, []) for s in itertools.islice(function(), MADE)]
    theirs: list[LayerSample] = []
    info = module_index().get(name)
    if info is not None:
        made = info.module_inputs_func(info, device="cpu", dtype=torch.float32, requires_grad=False, training=True)
        for one in itertools.islice(made, MADE):
            if one.forward_input is not None:
                theirs.append(LayerSample(_sample(one.constructor_input), _sample(one.forward_input)))
    ours, theirs = [s for s in ours if _fits(s)], [s for s in theirs if _fits(s)]
    return ours[:most] + evenly(theirs, max(0, most - len(ours)))


def _sample(given: Any) -> Sample:
    return Sample(tuple(given.args), dict(given.kwargs))


def _fits(sample: LayerSample) -> bool:
    """Small, and not empty: what kernels do with empty tensors is told by the functions' samples; inner layers are Parts."""
    if any(isinstance(value, torch.nn.Module) for value in (*sample.build.args, *sample.build.kwargs.values())):
        return False
    found = tensors([sample.call.args, sample.call.kwargs])
    return sum(t.numel() for t in found) <= MOST_ELEMENTS and all(t.numel() for t in found)
