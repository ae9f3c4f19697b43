"""The process that runs steps: reads one JSON job a line, writes one JSON event a line.

A job: ``{"key": "torch.add#add", "first": 0}``, with ``"only": [3, 7]`` for some of its steps and ``"checks": ["graph"]`` for some of its checks. Events: ``{"begin": 3, "check": "forward", "dtype": "float32",
"call": "…", "death": "…"}`` before a step, ``{"end": 3, "verdict": "pass", …}`` after it, ``{"done": true}`` after the last;
``{"broken": true}`` where a step left MindSpore unusable: the worker ends, another goes on. Whatever the frameworks print goes nowhere.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
import warnings
from typing import Any, TextIO

from mindport import catalog


def main() -> int:
    """Serve jobs until the input ends."""
    out = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    warnings.simplefilter("ignore")
    entries = {entry.key: entry for entry in catalog.load().entries}
    import mindspore as ms
    import torch

    torch.set_num_threads(1)
    ms.runtime.launch_blocking()
    ms.set_seed(1)
    _tell(out, {"versions": {"torch": torch.__version__, "mindspore": ms.__version__, "python": sys.version.split()[0]}})
    for line in sys.stdin:
        job = json.loads(line)
        _serve(out, entries[job["key"]], job["first"], job.get("only"), job.get("checks"))
    return 0


def _serve(out: TextIO, entry: catalog.Entry, first: int, only: list[int] | None, checks: list[str] | None) -> None:
    from mindport.evidence.steps import steps

    try:
        todo = steps(entry)
    except Exception as error:  # a colleague's half-edited file is a note, not the end of the run
        where = traceback.extract_tb(error.__traceback__)[-1]
        _tell(out, {"problem": f"{type(error).__name__}: {error} ({where.filename}:{where.lineno})"[:500]})
        _tell(out, {"done": True})
        return
    for number, step in enumerate(todo):
        if number < first or only is not None and number not in only or checks is not None and step.check not in checks:
            continue
        _tell(out, {"begin": number, "check": step.check, "dtype": step.dtype, "call": step.call, "death": step.death(), **({"seconds": step.seconds} if step.seconds else {})})
        try:
            result = step.run()
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            message = f"the check itself failed: {type(error).__name__}: {error} ({where.name}:{where.lineno})"
            _tell(out, {"end": number, "verdict": "raises", "call": "", "message": message[:500]})
            continue
        if result is None:
            _tell(out, {"end": number})
            continue
        _tell(out, {"end": number, "verdict": result.verdict, "call": result.call, "message": result.message})
        if result.verdict != "pass" and not _healthy():
            _tell(out, {"broken": True})
            sys.exit(0)
    _tell(out, {"done": True})


def _healthy() -> bool:
    """Does MindSpore still work? After some errors inside a gradient no tensor of the process can be indexed any more."""
    import mindspore as ms

    try:
        probe = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        (probe[0] + probe @ probe[1]).asnumpy()
        ms.grad(lambda x: (x * x).sum())(probe).asnumpy()
    except Exception:
        return False
    return True


def _tell(out: TextIO, event: dict[str, Any]) -> None:
    out.write(json.dumps(event) + "\n")
    out.flush()


if __name__ == "__main__":
    sys.exit(main())
