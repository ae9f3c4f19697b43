"""Gradients that are right once and not the twelfth time: MindSpore's backward passes that write where they should not, or keep what they made.

    python benchmarks/gradients_many_times.py --out FILE [NAME…]

Every function with a gradient, at the sample that is nearest to 125 elements, and at a vector of 125 where it takes one: twelve gradients one after the
other, each compared with torch's, with memory of other sizes written and given back in between. (`ops.logit` died of it at the second to sixth call; a part of
the heap that is overwritten may also belong to nobody, so a process that stays right is no proof.)
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from each_function import each_function
from worker_process import answers_alone, serve

TIMES, ELEMENTS = 12, 125
MOST_SECONDS = 60


def worker() -> None:
    """Answer keys on stdin."""
    import mindspore as ms
    import numpy as np
    import torch

    from mindport import catalog
    from mindport.evidence import (
        own,  # noqa: F401  registers our own samples
        run_gradient,
    )
    from mindport.evidence.knowledge import declaration
    from mindport.evidence.run_sample import Subject, TorchRefuses
    from mindport.evidence.samples import Sample, plain, tensors

    answers = answers_alone()
    run_gradient.CALLS = TIMES
    entries = {entry.key: entry for entry in catalog.load().entries}
    plain_difference = run_gradient.compare.difference

    def difference(*given: Any, **options: Any) -> str:
        for size in (ELEMENTS, 7, 4 * ELEMENTS + 3):  # what was given back is taken again, and holds something else
            np.asarray(ms.ops.full((size,), 3e30, dtype=ms.float32).asnumpy())
        return plain_difference(*given, **options)

    run_gradient.compare.difference = difference  # type: ignore[assignment]

    def first_float(sample: Sample) -> int:
        found = [t.numel() for t in tensors([sample.args, sample.kwargs]) if t.is_floating_point()]
        return found[0] if found else 0

    def rows(entry: catalog.Entry) -> Iterator[dict[str, Any]]:
        subject = Subject(entry.name, declaration(entry))
        samples = [s for s in plain(entry.name, entry.opinfo, torch.float32, 30) if subject.accepts(s) and first_float(s)]
        if not samples:
            return
        nearest = min(samples, key=lambda s: abs(first_float(s) - ELEMENTS))
        chosen = [nearest]
        drawn = torch.rand(ELEMENTS, generator=torch.Generator().manual_seed(3)) * 0.9 + 0.05
        simple = [s for s in samples if len(tensors([s.args, s.kwargs])) == 1 and s.args and isinstance(s.args[0], torch.Tensor)]
        if simple:
            chosen.append(Sample((drawn, *simple[0].args[1:]), simple[0].kwargs))
        for sample in chosen:
            yield {"begin": subject.told(sample)[:200]}
            try:
                result = run_gradient.gradient(subject, sample)
            except TorchRefuses:
                continue
            except Exception as error:
                yield {"key": entry.key, "verdict": "fails", "message": f"{type(error).__name__}: {error}"[:200]}
                continue
            if result is not None:
                yield {"key": entry.key, "verdict": result.verdict, "call": result.call[:200], "message": result.message[:200]}

    serve(answers, lambda job: rows(entries[job["key"]]))


if __name__ == "__main__":
    if "--worker" in sys.argv:
        worker()
    else:
        each_function("gradients_many_times.py", __doc__, MOST_SECONDS, ("differs", "ends", "fails", "raises"))
