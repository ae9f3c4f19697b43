"""A worker process as seen from the run: jobs in, events out, with a time limit on every step."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: Seconds for one step, for the start of a worker, and for all steps of an entry.
STEP_SECONDS = 30.0
START_SECONDS = 120.0
#: The folder that holds this package.
ROOT = Path(__file__).resolve().parents[2]
ENTRY_SECONDS = 150.0


class Died(Exception):
    """The worker ended; the message says how."""


class NotStarted(Exception):
    """The worker ended before it took a job: nothing can be measured, and nothing is recorded."""


class TimedOut(Exception):
    """A step took too long; the worker was killed."""


class Worker:
    """One spawned worker; it starts when it gets its first job. `module` is what it runs."""

    def __init__(self, module: str = "mindport.evidence.worker") -> None:
        self._module = module
        self._process: subprocess.Popen[bytes] | None = None
        self._buffer = b""
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self.versions: dict[str, str] = {}

    def events(self, job: dict[str, Any], step_seconds: float = STEP_SECONDS) -> Iterator[dict[str, Any]]:
        """Give the worker a job and yield its events. Raises Died and TimedOut."""
        if self._process is None:
            self._start()
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(job).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise Died(self._ended()) from None
        limit = START_SECONDS
        while True:
            event = self._read(limit)
            if event.get("done"):
                return
            yield event
            limit = event.get("seconds", step_seconds)

    def stop(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
        self._process, self._buffer = None, b""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _start(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="mindport-evidence-", ignore_cleanup_errors=True)
        place = self._folder.name  # MindSpore writes its analyses into the working directory
        environment = dict(os.environ, GLOG_v="4", OMP_NUM_THREADS="1", PYTHONWARNINGS="ignore", TMPDIR=place)
        # The knowledge that is measured is this one, wherever the caller's relative paths lead from the worker's own folder.
        environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        self._process = subprocess.Popen(
            [sys.executable, "-m", self._module], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=environment, cwd=place, start_new_session=True,
        )  # fmt: skip
        try:
            self.versions = self._read(START_SECONDS)["versions"]
        except Died as end:
            raise NotStarted(f"the worker does not start ({end}): `{sys.executable} -m {self._module}` says why") from None

    def _read(self, seconds: float) -> dict[str, Any]:
        assert self._process is not None and self._process.stdout is not None
        ends = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                if not selector.select(max(0.0, ends - time.monotonic())):
                    self.stop()
                    raise TimedOut(f"no answer within {seconds:g} s")
                data = os.read(self._process.stdout.fileno(), 1 << 16)
                if not data:
                    raise Died(self._ended())
                self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        event = json.loads(line)
        assert isinstance(event, dict)
        return event

    def _ended(self) -> str:
        assert self._process is not None
        code = self._process.wait()
        self.stop()
        import signal

        if code < 0:
            return f"the process died: {signal.Signals(-code).name}"
        return f"the process ended with code {code}"
