"""Calls that torch refuses: what the equivalent does with them. Runs inside a worker; imports both frameworks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mindspore as ms

from mindport.evidence.bridge import to_mindspore
from mindport.evidence.run_sample import Result, Subject, TorchRefuses
from mindport.evidence.samples import Sample, copied, opinfos, tensors

#: At most so many calls of one name.
MOST = 12


def wrong_calls(name: str, opinfo: str | None) -> Iterator[Sample]:
    """The calls that torch's own tests (OpInfo) expect to raise."""
    seen = 0
    for op in opinfos(name, opinfo):
        if op.error_inputs_func is None:
            continue
        for error in op.error_inputs("cpu"):
            if seen == MOST:
                return
            sample = Sample((error.sample_input.input, *error.sample_input.args), dict(error.sample_input.kwargs))
            if any(tensor.is_meta for tensor in tensors((sample.args, sample.kwargs))):
                continue  # tensors without numbers, which MindSpore does not have
            seen += 1
            yield sample


def error(subject: Subject, sample: Sample) -> Result | None:
    """`pass` where the equivalent raises, too; `returns` where it gives a result, with torch's message; None where torch returns."""
    try:
        subject.torch(copied(sample))
    except TorchRefuses as refusal:
        said = " ".join(str(refusal).split())[:160]
    else:
        return None
    call = subject.told(sample)
    args, kwargs = to_mindspore(sample.args), to_mindspore(sample.kwargs)
    try:
        _computed(subject.declaration.target(*args, **kwargs))
    except Exception as raised:  # whatever it raises is as loud as torch
        return Result("pass", call, type(raised).__name__)
    return Result("returns", call, f"torch raises: {said}")


def _computed(value: Any) -> None:
    """Wait for the values: errors of kernels come late."""
    if isinstance(value, ms.Tensor):
        value.asnumpy()
    elif isinstance(value, (tuple, list)):
        for item in value:
            _computed(item)
