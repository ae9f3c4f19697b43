"""Gradients that torch has not: by results of whole numbers or truth values, and by results that torch cuts off.

    python benchmarks/gradients_through_whole.py --out FILE [NAME…]

Every function with samples of floats: the parts of its result that want no gradient in torch though an argument does, cast to float and summed up,
are differentiated in MindSpore by all float arguments; what is not zero there is printed. (MindSpore's casts hand a gradient on: docs/differences/functions.md.)
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from each_function import each_function
from worker_process import answers_alone, serve

SAMPLES = 6
MOST_SECONDS = 90


def worker() -> None:
    """Answer keys on stdin."""
    import mindspore as ms
    import torch

    from mindport import catalog
    from mindport.evidence import (
        own,  # noqa: F401  registers our own samples
    )
    from mindport.evidence.bridge import to_mindspore
    from mindport.evidence.knowledge import declaration
    from mindport.evidence.run_sample import Subject, TorchRefuses
    from mindport.evidence.samples import Sample, copied, mapped, plain, tensors

    answers = answers_alone()
    entries = {entry.key: entry for entry in catalog.load().entries}

    def parts(result: Any, kind: type) -> list[Any]:
        if isinstance(result, (tuple, list)):
            return [part for one in result for part in parts(one, kind)]
        return [result] if isinstance(result, kind) else []

    def cut(subject: Subject, sample: Sample) -> list[int]:
        given = copied(sample)
        live = Sample(mapped(given.args, _wanting), mapped(given.kwargs, _wanting))
        return [n for n, part in enumerate(parts(subject.torch(live), torch.Tensor)) if not part.requires_grad]

    def _wanting(tensor: torch.Tensor) -> torch.Tensor:
        return tensor.requires_grad_() * 1 if tensor.is_floating_point() else tensor

    def rows(entry: catalog.Entry) -> Iterator[dict[str, Any]]:
        declared = declaration(entry)
        subject = Subject(entry.name, declared)
        for sample in [s for s in plain(entry.name, entry.opinfo, torch.float32, SAMPLES) if subject.accepts(s) and any(t.is_floating_point() for t in tensors([s.args, s.kwargs]))]:
            try:
                places = cut(subject, sample)
            except (TorchRefuses, RuntimeError):
                continue
            if not places:
                continue
            given = copied(sample)
            ours = Sample(to_mindspore(given.args), to_mindspore(given.kwargs))
            flat = [t for t in _flat([ours.args, ours.kwargs], ms.Tensor) if t.is_floating_point()]

            def loss(*leaves: Any, ours: Sample = ours, places: list[int] = places, flat: list[Any] = flat) -> Any:
                number = {id(old): new for old, new in zip(flat, leaves, strict=True)}
                args, kwargs = _replaced(ours.args, number), _replaced(ours.kwargs, number)
                found = parts(declared.target(*args, **kwargs), ms.Tensor)
                return sum((found[n].astype(ms.float32) * 3).sum() for n in places) + sum((leaf * 0).sum() for leaf in leaves)

            try:
                gradients = ms.grad(loss, tuple(range(len(flat))))(*flat)
                gradients = gradients if isinstance(gradients, tuple) else (gradients,)
                wrong = [n for n, g in enumerate(gradients) if bool((ms.ops.nan_to_num(g) != 0).any())]
            except Exception as error:
                yield {"key": entry.key, "verdict": "raises", "message": f"{type(error).__name__}: {error}"[:160]}
                continue
            yield {"key": entry.key, "verdict": "differs" if wrong else "agrees", "call": subject.told(sample)[:200], "message": f"arguments {wrong}, results {places}" if wrong else ""}

    serve(answers, lambda job: rows(entries[job["key"]]))


def _flat(value: Any, kind: type) -> list[Any]:
    if isinstance(value, kind):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [part for one in value for part in _flat(one, kind)] if isinstance(value, (list, tuple)) else []


def _replaced(value: Any, number: dict[int, Any]) -> Any:
    if id(value) in number:
        return number[id(value)]
    if isinstance(value, dict):
        return {key: _replaced(one, number) for key, one in value.items()}
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(_replaced(one, number) for one in value)
    return value


if __name__ == "__main__":
    if "--worker" in sys.argv:
        worker()
    else:
        each_function("gradients_through_whole.py", __doc__, MOST_SECONDS, ("differs",))
