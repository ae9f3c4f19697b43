"""The proof of silence for layers: hard inputs in evaluation and training mode, in several dtypes, values alone.

Imports both frameworks: inside workers only. Hard inputs are those of `hard_samples`; what torch refuses is no sample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import torch

from mindport.declare import Declaration
from mindport.evidence.hard_samples import hard
from mindport.evidence.layer_samples import LayerSample, layer_samples
from mindport.evidence.layer_steps import EVAL_SAMPLES, step
from mindport.evidence.run_layer import evaluation, has_state, statistics, training
from mindport.evidence.run_sample import Result
from mindport.evidence.samples import SPECIAL, Sample, edges, mapped, tensors
from mindport.evidence.steps import Step

#: Constructor arguments that get hard inputs, the whole list for the first of them.
BUILDS = 6
DTYPES = (torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.uint8, torch.bool, torch.complex64)
#: With which the layer's own parameters can be made.
PARAMETER_DTYPES = (torch.float64, torch.float16, torch.bfloat16)


def hard_layer_steps(name: str, declared: Declaration) -> Iterator[Step]:
    """All samples of a layer with the seed's numbers, then hard ones."""
    samples = layer_samples(name, EVAL_SAMPLES)
    held = any(has_state(name, declared, sample) for sample in samples[:3])
    for sample in samples:
        for check, run in (("eval", evaluation), ("train", training)):
            yield step(check, run, name, declared, sample)
    for sample in samples[:BUILDS]:
        for harder in _harder(sample, all_of_them=sample is samples[0]):
            yield from _both_modes(name, declared, harder, "float32")
    for sample in samples[:: max(1, len(samples) // 4)][:4]:
        for dtype in DTYPES if not held else PARAMETER_DTYPES:
            other = _in_dtype(sample, dtype, of_parameters=held)
            yield from _both_modes(name, declared, other, str(dtype).removeprefix("torch."))
            for harder in _harder(other, all_of_them=False):
                if harder.call.edge in ("grid", "another grid", "small numbers", "empty", SPECIAL):
                    yield from _both_modes(name, declared, harder, str(dtype).removeprefix("torch."))
    for sample in samples[:2] if held else ():
        for harder in _harder(sample, all_of_them=True):
            yield step(_kind(harder), statistics, name, declared, harder)


def _harder(sample: LayerSample, *, all_of_them: bool) -> Iterator[LayerSample]:
    floating = [t for t in tensors([sample.call.args]) if t.is_floating_point() or t.is_complex()]
    dtype = floating[0].dtype if floating else torch.int64
    for call in (*edges([sample.call], dtype), *hard([sample.call], dtype, all_of_them=all_of_them, numbers=False)):
        yield replace(sample, call=call)


def _both_modes(name: str, declared: Declaration, sample: LayerSample, dtype: str) -> Iterator[Step]:
    runs: tuple[Callable[..., Result | None], ...] = (evaluation, training)
    for run in runs:
        yield replace(step(_kind(sample), run, name, declared, sample), dtype=dtype)


def _kind(sample: LayerSample) -> str:
    if any(t.numel() == 0 for t in tensors([sample.call.args, sample.call.kwargs])):
        return "empty"
    return SPECIAL if sample.call.edge == SPECIAL else "edge"


def _in_dtype(sample: LayerSample, dtype: torch.dtype, *, of_parameters: bool) -> LayerSample:
    """The sample with its floating inputs, and the parameters, in another dtype."""

    def cast(tensor: torch.Tensor) -> torch.Tensor:
        return (tensor * 3).to(dtype) if tensor.is_floating_point() else tensor

    def changed(given: Sample, **more: Any) -> Sample:
        return Sample(mapped(given.args, cast), {**mapped(given.kwargs, cast), **more})

    build = changed(sample.build, dtype=dtype) if of_parameters else changed(sample.build)
    return LayerSample(build, changed(sample.call))
