"""The checks that one entry goes through, as a list of steps in a fixed order.

The order depends on nothing but the entry and the limits, so that a run that died at step 17 goes on at
step 18 in another process.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch

from mindport.catalog import Entry
from mindport.declare import Declaration
from mindport.evidence import (
    own,  # noqa: F401  registers our own samples
    run_compiled,
    run_errors,
    run_gradient,
    run_sample,
)
from mindport.evidence.bridge import NoCounterpart
from mindport.evidence.corner_samples import corners
from mindport.evidence.hard_samples import hard, other_forms
from mindport.evidence.knowledge import declaration
from mindport.evidence.registered import with_rules
from mindport.evidence.run_sample import Result, Subject, TorchRefuses
from mindport.evidence.samples import (
    FINITE,
    NO_NUMBERS,
    NOT_EMPTY,
    SEED,
    SPECIAL,
    Sample,
    copied,
    edges,
    evenly,
    large_integers,
    plain,
    tensors,
)
from mindport.evidence.scenarios import SCENARIOS, SECONDS, run_scenario

#: Limits, so that six hundred entries take less than 40 minutes on one core.
FLOAT32_SAMPLES = 30
OTHER_SAMPLES = 4
ALIAS_SAMPLES = 4
GRADIENT_SAMPLES = 6
SECOND_SAMPLES = 3
CORNER_SAMPLES = 2
GRAPH_SAMPLES = 2

#: Gradients where formulas have corners.
CORNER = "gradient at corners"

#: Checks whose errors are known to leave MindSpore unusable come after the others, in this order.
_LATE = (CORNER, SPECIAL, "empty", "second shape", "dynamic shape", "second gradient", "second gradient, graph", "torch raises")

#: In the proof of silence alone.
MORE_DTYPES = (torch.uint8, torch.int16)

#: float32 apart.
OTHER_DTYPES = (torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.bool, torch.complex64)


@dataclass(frozen=True)
class Step:
    """One thing to do: `run` gives its result, None where it does not apply.

    `death`: the declared difference, if any, that accounts for the death of the process at this step. `seconds`: how long it may take, where that is not as usual.
    """

    check: str
    dtype: str
    call: str
    run: Callable[[], Result | None]
    death: Callable[[], str] = str
    seconds: float | None = None


def steps(entry: Entry) -> list[Step]:
    """All steps of an entry. Raises what importing its file raises."""
    declared = declaration(entry)
    told = list(_scenarios(entry, declared))
    if told:
        return told
    if entry.name.startswith("torch.optim."):
        from mindport.evidence.run_optimizer import steps_of

        return list(steps_of(entry, declared))
    if entry.kind == "layer" and SEED:
        from mindport.evidence.hard_layer_samples import hard_layer_steps

        found = list(hard_layer_steps(entry.name, declared))
        return sorted(found, key=lambda step: _LATE.index(step.check) if step.check in _LATE else -1)
    if entry.kind == "layer":
        from mindport.evidence.layer_steps import layer_steps

        return list(layer_steps(entry.name, declared))
    if entry.kind in ("function", "attribute"):
        main = next((name for name in entry.names if _main_dtype(name, entry.opinfo) is not None), "")
        found = [
            step
            for name in entry.names
            for step in _of_name(Subject(name, declared), entry.opinfo, FLOAT32_SAMPLES if name == main else ALIAS_SAMPLES)
        ]
        return sorted(found, key=lambda step: _LATE.index(step.check) if step.check in _LATE else -1)
    return list(_of_constant(entry, declared))


def _scenarios(entry: Entry, declared: Declaration) -> Iterator[Step]:
    for name in entry.names if entry.kind != "constant" else ():
        for told in SCENARIOS.get(name, []):
            call = f"{name}: {(told.__doc__ or told.__name__).strip()}"
            yield Step("forward", "", call, _bound(run_scenario, name, declared, told), seconds=SECONDS.get(told))


def _of_name(subject: Subject, opinfo: str | None, most: int) -> Iterator[Step]:
    main = _main_dtype(subject.name, opinfo)
    if main is None:
        return
    samples = _fitting(subject, plain(subject.name, opinfo, main, most))
    yield from _forward(subject, "forward", main, samples)
    if most == ALIAS_SAMPLES:
        return
    check = "distribution" if subject.declaration.random else "edge"
    if check == "edge":
        yield from _forward(subject, "edge", main, _fitting(subject, list(edges(samples, main))))
        if SEED:
            yield from _forward(subject, "edge", main, _fitting(subject, list(hard(samples, main, all_of_them=True, numbers=subject.name not in NO_NUMBERS))))
            yield from _forward(subject, "edge", main, _fitting(subject, list(_other_forms(subject, samples))))
    for dtype in (*OTHER_DTYPES, *(MORE_DTYPES if SEED else ())):
        if dtype == main:
            continue
        others = _fitting(subject, plain(subject.name, opinfo, dtype, OTHER_SAMPLES))
        yield from _forward(subject, "forward", dtype, others)
        if SEED and check == "edge":
            yield from _forward(subject, "edge", dtype, _fitting(subject, list(edges(others, dtype))))
            yield from _forward(subject, "edge", dtype, _fitting(subject, list(hard(others, dtype, all_of_them=False, numbers=subject.name not in NO_NUMBERS))))
        if dtype == torch.int64 and check == "edge":
            yield from _forward(subject, "edge", dtype, _fitting(subject, list(large_integers(others))))
    if SEED:  # the proof of silence: values alone, in all dtypes
        return
    for call in _fitting(subject, list(run_errors.wrong_calls(subject.name, opinfo))) if not subject.is_attribute else ():
        yield Step("torch raises", "", subject.told(call), _bound(run_errors.error, subject, call))
    if subject.is_attribute and not samples:
        return
    told = _told(main)
    samples = [s for s in samples if not s.eager and all(t.numel() for t in tensors([s.args, s.kwargs]))]
    samples.sort(key=_has_axes, reverse=True)
    if main.is_floating_point:
        for sample in samples[: 2 if subject.declaration.random else GRADIENT_SAMPLES]:
            yield Step("gradient", told, subject.told(sample), _bound(run_gradient.gradient, subject, sample))
        for sample in corners(evenly(samples, CORNER_SAMPLES)) if not subject.declaration.random else ():
            yield Step(CORNER, told, subject.told(sample), _bound(run_gradient.gradient, subject, sample, finite=True))
    for sample in samples[:GRAPH_SAMPLES]:
        yield Step("graph", told, subject.told(sample), _bound(run_compiled.graph, subject, sample))
    for sample in samples[:1]:
        yield Step("second shape", told, subject.told(sample), _bound(run_compiled.second_shape, subject, sample))
        yield Step("dynamic shape", told, subject.told(sample), _bound(run_compiled.second_shape, subject, sample, dynamic=True))
    if main.is_floating_point:
        for sample in evenly(samples, 1 if subject.declaration.random else SECOND_SAMPLES):
            yield Step("second gradient", told, subject.told(sample), _bound(run_gradient.gradient, subject, sample, order=2))
            yield Step("second gradient, graph", told, subject.told(sample), _bound(with_rules(run_gradient.gradient), subject, sample, order=2, graph=True))


def _other_forms(subject: Subject, samples: list[Sample]) -> Iterator[Sample]:
    def result(sample: Sample) -> Any:
        try:
            return subject.torch(copied(sample))
        except TorchRefuses:
            return None

    if not subject.is_attribute:
        yield from other_forms(samples, inspect.signature(subject.declaration.target), result)


def _main_dtype(name: str, opinfo: str | None) -> torch.dtype | None:
    """float32, or the first dtype that has samples (bitwise functions have none in float32)."""
    for dtype in (torch.float32, torch.int64, torch.bool, torch.complex64):
        if plain(name, opinfo, dtype, 1):
            return dtype
    return None


def _fitting(subject: Subject, samples: list[Sample]) -> list[Sample]:
    """What the signature takes. Writing into rows that share their memory is undefined in torch, and no sample."""
    fit = [s for s in samples if subject.is_attribute or subject.accepts(s)]
    if subject.name in FINITE:
        fit = [s for s in fit if s.edge != SPECIAL]
    if subject.name in NOT_EMPTY:
        fit = [s for s in fit if all(t.numel() for t in tensors([s.args, s.kwargs]))]
    return [s for s in fit if s.edge != "expanded"] if subject.in_place else fit


def _forward(subject: Subject, check: str, dtype: torch.dtype, samples: list[Sample]) -> Iterator[Step]:
    run = run_sample.distribution if subject.declaration.random else run_sample.forward
    some_have_axes = any(_has_axes(s) for s in samples)
    for sample in samples:
        if check in ("forward", "edge") and any(t.numel() == 0 for t in tensors([sample.args, sample.kwargs])):
            death = partial(run_sample.accounted, subject.declaration, sample)
            yield Step("empty", _told(dtype), subject.told(sample), _bound(run, subject, sample), death)
            continue
        if sample.edge == SPECIAL:
            yield Step(SPECIAL, _told(dtype), subject.told(sample), _bound(run, subject, sample))
            continue
        # OpInfo calls functions along an axis with tensors that have none, too; an error there is no great loss.
        kind = "edge" if check == "forward" and some_have_axes and not _has_axes(sample) else check
        yield Step(kind, _told(dtype), subject.told(sample), _bound(run, subject, sample))


def _has_axes(sample: Sample) -> bool:
    found = tensors(sample.args[:1])
    return not found or any(t.dim() for t in found)


def _bound(run: Callable[..., Result | None], *args: Any, **kwargs: Any) -> Callable[[], Result | None]:
    def call() -> Result | None:
        try:
            return run(*args, **kwargs)
        except TorchRefuses:
            return None  # nothing to compare with
        except NoCounterpart as missing:
            return Result("not run here", message=str(missing))

    return call


def _told(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _of_constant(entry: Entry, declared: Declaration) -> Iterator[Step]:
    from mindport.evidence.constants import compare_constant

    for name in entry.names:
        yield Step("forward", "", name, _bound(compare_constant, name, declared))
