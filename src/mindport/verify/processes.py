"""Starts the recorders, each in its own process and interpreter, and says how they ended."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from mindport.verify import recordings
from mindport.verify.compare import trouble_of
from mindport.verify.recordings import Recording
from mindport.verify.result import Trouble

_RECORD = Path(__file__).parent / "record.py"
_DOING = {
    "import of the framework": "the framework cannot be imported", "import": "the target cannot be loaded",
    "construct": "the model cannot be constructed", "weights": "the weights cannot be loaded",
    "float64": "the run in float64 failed",
}


def record(
    side: str, python: str, job: dict[str, Any], folder: Path, cwd: Path, timeout: float,
    on_tree: Callable[[], Trouble | None],
) -> Recording | Trouble:
    """Run one recorder to its end. `on_tree` is called while a MindSpore model waits for its weights."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in ("record.json", "arrays.npz", "stage"):
        (folder / old).unlink(missing_ok=True)
    (folder / "job.json").write_bytes(msgspec.json.encode({**job, "parent": os.getpid()}))
    environment = {"GLOG_v": "3", **os.environ}
    expired = threading.Event()
    with (folder / "stderr.txt").open("wb") as stderr:
        try:
            process = subprocess.Popen(
                [python, str(_RECORD), side, str(folder / "job.json")], cwd=cwd, env=environment,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr,
            )
        except OSError as error:
            return Trouble(side, f"the interpreter {python} cannot be started: {error.strerror or error}")

        def stop() -> None:
            expired.set()
            process.kill()

        watch = threading.Timer(timeout, stop)
        watch.start()
        try:
            assert process.stdin is not None and process.stdout is not None
            if process.stdout.readline() == b"tree\n":
                trouble = on_tree()
                if trouble is not None:
                    process.kill()
                    return trouble
                process.stdin.write(b"go\n")
                process.stdin.flush()
            process.wait()
        except BrokenPipeError:
            process.wait()
        finally:
            watch.cancel()
            process.kill()
            process.communicate()
    return _ending(side, process.returncode, folder, expired.is_set(), timeout)


def _ending(side: str, code: int, folder: Path, expired: bool, timeout: float) -> Recording | Trouble:
    answer = recordings.load(folder)
    stage = (folder / "stage").read_text() if (folder / "stage").exists() else "start"
    if answer is None:
        if expired:
            return Trouble(side, f"it was stopped after {timeout:g} s at {stage!r}")
        if code < 0:
            return Trouble(side, f"the process died with {signal.Signals(-code).name} at {stage!r}")
        lines = (folder / "stderr.txt").read_text(errors="replace").strip().splitlines()
        return Trouble(side, f"the process ended with code {code} at {stage!r}: {lines[-1] if lines else 'no output'}")
    if answer.error is not None:
        doing = _DOING.get(answer.error["stage"], f"it failed at {answer.error['stage']!r}")
        return trouble_of(side, "", answer.error, doing)
    return answer
