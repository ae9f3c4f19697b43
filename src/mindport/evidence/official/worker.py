"""The process that runs rows of the official table: JSON jobs in, JSON events out, as `evidence.worker`.

A job: ``{"torch": "torch.add", "mindspore": "mindspore.ops.add", "first": 0}``.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import Any, TextIO


def main() -> int:
    """Serve jobs until the input ends."""
    out = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    warnings.simplefilter("ignore")
    import mindspore as ms
    import torch

    torch.set_num_threads(1)
    ms.runtime.launch_blocking()
    ms.set_seed(1)
    _tell(out, {"versions": {"torch": torch.__version__, "mindspore": ms.__version__, "python": sys.version.split()[0]}})
    import mindport.evidence.own  # noqa: F401  (registers our samples)

    for line in sys.stdin:
        job = json.loads(line)
        _serve(out, job["torch"], job["mindspore"], job["first"])
    return 0


def _serve(out: TextIO, torch_name: str, mindspore_name: str, first: int) -> None:
    from mindport.evidence.official.calling import find, steps
    from mindport.evidence.run_sample import TorchRefuses
    from mindport.evidence.worker import _healthy

    try:
        find(mindspore_name)
    except (AttributeError, ImportError) as error:
        _tell(out, {"missing": str(error)[:200]})
        _tell(out, {"done": True})
        return
    for number, (call, run) in enumerate(steps(torch_name, mindspore_name)):
        if number < first:
            continue
        _tell(out, {"begin": number, "call": call})
        try:
            result = run()
        except TorchRefuses:
            continue
        if result is not None:
            _tell(out, {"verdict": result.verdict, "call": call, "message": result.message})
            if result.verdict not in ("pass", "differs") and not _healthy():
                _tell(out, {"broken": True})
                sys.exit(0)
    _tell(out, {"done": True})


def _tell(out: TextIO, event: dict[str, Any]) -> None:
    out.write(json.dumps(event) + "\n")
    out.flush()


if __name__ == "__main__":
    sys.exit(main())
