"""A process that answers jobs, one JSON object a line each way, and is begun anew after a crash, a timeout or too much memory."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TextIO

HERE = Path(__file__).parent
#: What every side runs with: one core, errors only, nothing compiled behind the program's back.
ENVIRONMENT = {"GLOG_v": "4", "OMP_NUM_THREADS": "1", "TORCHDYNAMO_DISABLE": "1", "CUDA_VISIBLE_DEVICES": ""}


def answers_alone() -> TextIO:
    """The standard output for answers; what frameworks and programs print goes nowhere. One thread and one kernel at a time on both sides, no warnings."""
    import mindspore as ms
    import torch

    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    ms.runtime.launch_blocking()
    return answers


def serve(answers: TextIO, rows: Callable[[dict[str, Any]], Iterable[dict[str, Any]]]) -> None:
    """The worker's side: "ready", then the rows of each job that comes by the standard input, and "done"."""
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        for row in rows(json.loads(line)):
            print(json.dumps(row), file=answers, flush=True)
        print("done", file=answers, flush=True)


class WorkerProcess:
    """`script` of this folder with `arguments`; it says "ready" once, and then answers each job in one line, or in several and "done"."""

    def __init__(self, script: str, *arguments: str, gib: float = float("inf"), starts_in: float = 900) -> None:
        self.script = script
        self.command = [sys.executable, str(HERE / script), *arguments]
        self.most, self.starts_in = gib, starts_in
        self.process: subprocess.Popen[bytes] | None = None
        self.asked = 0  # jobs since the process began
        self._rest = b""

    def answer(self, job: dict[str, Any], timeout: float) -> dict[str, Any] | str:
        """The one line that answers a job, or what happened to the process."""
        self._send(job)
        try:
            line = self._line(time.monotonic() + timeout)
        except MemoryError as error:
            return self._ended(str(error))
        return json.loads(line) if line else self._ended(self._reason(line, timeout))  # type: ignore[no-any-return]

    def answers(self, job: dict[str, Any], timeout: float) -> tuple[list[dict[str, Any]], str]:
        """All lines before "done", and what happened to the process where that did not come."""
        self._send(job)
        end, rows = time.monotonic() + timeout, []
        try:
            while (line := self._line(end)) not in ("done", None, ""):
                rows.append(json.loads(line))  # type: ignore[arg-type]
        except MemoryError as error:
            return rows, self._ended(str(error))
        return rows, "" if line else self._ended(self._reason(line, timeout))

    def gib(self) -> float:
        """The process's resident memory."""
        if self.process is None or self.process.poll() is not None:
            return 0.0
        with open(f"/proc/{self.process.pid}/statm") as status:
            return int(status.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**30

    def stop(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        self.process, self.asked, self._rest = None, 0, b""

    def _send(self, job: dict[str, Any]) -> None:
        if self.process is None:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, **ENVIRONMENT}
            )
            if self._line(time.monotonic() + self.starts_in) != "ready":
                raise SystemExit(f"the worker does not start: run benchmarks/{self.script} by hand")
        assert self.process.stdin is not None
        self.asked += 1
        self.process.stdin.write(json.dumps(job).encode() + b"\n")
        self.process.stdin.flush()

    def _line(self, end: float) -> str | None:
        """The next line; empty where the process ended, None where the time did; MemoryError where it takes too much."""
        assert self.process is not None and self.process.stdout is not None
        while b"\n" not in self._rest:
            if self.gib() > self.most:
                raise MemoryError(f"more than {self.most:g} GiB of memory")
            if not select.select([self.process.stdout], [], [], min(max(end - time.monotonic(), 0), 1))[0]:
                if time.monotonic() < end:
                    continue
                return None
            read = os.read(self.process.stdout.fileno(), 65536)
            if not read:
                return ""
            self._rest += read
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode().strip()

    def _reason(self, line: str | None, timeout: float) -> str:
        assert self.process is not None
        return f"no answer within {timeout:.0f} s" if line is None else f"the process died (exit {self.process.wait()})"

    def _ended(self, reason: str) -> str:
        self.stop()
        return reason
