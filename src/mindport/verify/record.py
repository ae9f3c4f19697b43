"""Runs one side of a comparison: ``python record.py torch|mindspore job.json``.

Run as a file, by an interpreter that may know nothing of mindport: the package is then made
importable by its place, without letting that interpreter see anything else that lies beside it.
"""

from __future__ import annotations

import json
import os
import sys
import time
import types
from typing import Any


def main() -> int:
    """Record, and write the answer or the error into the job's folder; 0 also where the user's code failed."""
    # The script's own folder would shadow the user's modules.
    sys.path.pop(0)
    package = types.ModuleType("mindport")
    package.__path__ = [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
    sys.modules["mindport"] = package
    side, job_path = sys.argv[1:]
    with open(job_path, encoding="utf-8") as stream:
        job = json.load(stream)
    from mindport.verify.recording.parent import end_with

    end_with(job.get("parent"))
    # What the user's code prints must not mix with the protocol.
    protocol = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    reached = {"stage": "start"}

    def stage(name: str) -> None:
        reached["stage"] = name
        with open(os.path.join(job["out"], "stage"), "w", encoding="utf-8") as stream:
            stream.write(name)

    def handshake() -> None:
        protocol.write("tree\n")
        protocol.flush()
        if sys.stdin.readline().strip() != "go":
            raise SystemExit(3)

    started = time.perf_counter()
    cases: list[dict[str, Any]] = []
    answer: dict[str, Any]
    stage("import of the framework")
    try:
        if side == "torch":
            from mindport.verify.recording import torch_side as recorder
        else:
            from mindport.verify.recording import mindspore_side as recorder  # type: ignore[no-redef]
        answer = recorder.record(job, stage, handshake)
        cases = answer.pop("cases")
        answer["error"] = None
    except Exception as error:  # whatever the user's code raises becomes one finding
        from mindport.verify.recording import targets

        answer = {"error": {**targets.describe(error), "stage": reached["stage"]}}
    from mindport.verify.recording import values

    answer["seconds"] = round(time.perf_counter() - started, 3)
    values.save(job["out"], answer, cases)
    return 0


if __name__ == "__main__":
    sys.exit(main())
