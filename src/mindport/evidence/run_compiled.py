"""Compiled functions: results of ``ms.jit``, and one function on two shapes. Runs inside a worker; imports both frameworks.

`second shape`: ``ms.jit`` compiled for one shape and called with another. `dynamic shape`: the same under
``ms.enable_dynamic`` with every axis open, which must not compile again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import mindspore as ms
import torch

try:
    from mindspore.graph.api import ms_compile_cache
except ImportError:  # before 2.9
    from mindspore.common.api import ms_compile_cache

from mindport.evidence import compare
from mindport.evidence.bridge import dtype_to_mindspore, to_mindspore
from mindport.evidence.programs import CallText, module
from mindport.evidence.run_sample import Result, Subject, TorchRefuses, drawn_alike, judged
from mindport.evidence.samples import UNINITIALIZED, Sample, copied, mapped, tensors
from mindport.evidence.vendored_copy import as_vendored


def graph(subject: Subject, sample: Sample) -> Result:
    """Compare results under ``ms.jit``."""
    expected = subject.torch(copied(sample))
    program, values = _program(subject, sample, expected)
    draws = _draws(subject, sample, expected)

    def ours() -> str:
        compiled = ms.jit(program)

        def call() -> Any:
            return compiled(*[to_mindspore(value) for value in values])

        if draws:
            return drawn_alike(subject, sample, expected, call, sequences_alike=True)
        return compare.difference(expected, call(), values=subject.name not in UNINITIALIZED, sequences_alike=True)

    return judged(subject.declaration, sample, subject.told(sample), ours)


def second_shape(subject: Subject, sample: Sample, *, dynamic: bool = False) -> Result | None:
    """Call one compiled function with the sample and with a larger one; None where torch takes no larger one.

    `recompiled`: both results are right, and the second took a compilation of its own.
    """
    expected = subject.torch(copied(sample))
    if not tensors([sample.args, sample.kwargs]) or _draws(subject, sample, expected):
        return None
    other = next(_accepted(subject, sample), None)
    if other is None:
        return None
    larger, expected_of_larger = other
    program, values = _program(subject, sample, expected)
    _, values_of_larger = _program(subject, larger, expected_of_larger)
    compilations = 0

    def ours() -> str:
        nonlocal compilations
        compiled = ms.jit(program)
        if dynamic:
            names = program.__code__.co_varnames[: program.__code__.co_argcount]
            opened = {name: _open(tensor) for name, tensor in zip(names, values, strict=True) if tensor.dim()}
            compiled = ms.enable_dynamic(**opened)(compiled)
        first = compiled(*[to_mindspore(value) for value in values])
        if found := compare.difference(expected, first, sequences_alike=True):
            return f"on the first shape: {found}"
        before = len(ms_compile_cache)
        second = compiled(*[to_mindspore(value) for value in values_of_larger])
        compilations = len(ms_compile_cache) - before
        if found := compare.difference(expected_of_larger, second, sequences_alike=True):
            return f"on the second shape: {found}"
        return ""

    result = judged(subject.declaration, sample, f"{subject.told(sample)}, then {subject.told(larger)}", ours)
    return replace(result, verdict="recompiled") if result.verdict == "pass" and compilations else result


def _draws(subject: Subject, sample: Sample, expected: Any) -> bool:
    return subject.declaration.random or compare.torch_differs(expected, subject.torch(copied(sample)))


def _open(tensor: torch.Tensor) -> Any:
    return ms.Tensor(shape=[None] * tensor.dim(), dtype=dtype_to_mindspore(tensor.dtype))


def _accepted(subject: Subject, sample: Sample) -> Iterator[tuple[Sample, Any]]:
    """The larger samples that torch takes, with its results."""
    for larger in _larger(sample):
        try:
            yield larger, subject.torch(copied(larger))
        except TorchRefuses:
            continue


def _larger(sample: Sample) -> Iterator[Sample]:
    """The sample with tensors twice as long: all along their first axis, the first tensor alone, all along the last axis."""

    def doubled(axis: int) -> Callable[[torch.Tensor], torch.Tensor]:
        return lambda t: torch.cat((t, t), axis) if t.dim() else t

    yield replace(sample, args=mapped(sample.args, doubled(0)), kwargs=mapped(sample.kwargs, doubled(0)))
    yield replace(sample, args=(mapped(sample.args[0], doubled(0)), *sample.args[1:]))
    yield replace(sample, args=mapped(sample.args, doubled(-1)), kwargs=mapped(sample.kwargs, doubled(-1)))
    yield replace(sample, args=(mapped(sample.args[0], doubled(-1)), *sample.args[1:]))


def _program(subject: Subject, sample: Sample, expected: Any) -> tuple[Callable[..., Any], list[torch.Tensor]]:
    text = CallText(lambda tensor: True)
    call = text.call("target", sample.args, sample.kwargs)
    # Of a named tuple ms.jit gives the first value only where it is what the compiled function returns.
    parts = [f"result[{i}]" for i in range(len(expected))] if isinstance(expected, tuple) else ["result"]
    returned = f"({', '.join(parts)},)" if isinstance(expected, tuple) and not isinstance(expected, torch.Size) else "result"
    made = module(
        f"def program({', '.join(text.parameters)}):\n    result = {call}\n    return {returned}\n",
        {"target": as_vendored(subject.declaration.target), **text.constants},
    )
    return made.program, list(text.parameters.values())
