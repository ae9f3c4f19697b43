"""What mindport starts to record, as forks (`tests/forks.py`): each stands in for `subprocess.Popen` in one place, and starts another interpreter, or anything else, as ever."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import pytest

from mindport.verify.training import launch
from tests.forks import Fork

_POPEN = subprocess.Popen


class Recorder(Fork):
    """For `mindport.verify.processes`; pipes are named ones, as a fork of another process has none of ours."""

    stdin: IO[bytes]
    stdout: IO[bytes]

    def __new__(cls, command: list[str], **settings: Any) -> Any:
        return super().__new__(cls) if command[0] == sys.executable and settings.get("stdin") == subprocess.PIPE else _POPEN(command, **settings)

    def __init__(self, command: list[str], *, cwd: Path, env: dict[str, str], stdin: int, stdout: int, stderr: IO[bytes]) -> None:
        pipes = Path(tempfile.mkdtemp())
        for name in ("stdin", "stdout"):
            os.mkfifo(pipes / name)
        super().__init__(command[2], command[1:], cwd, env, stdin=str(pipes / "stdin"), stdout=str(pipes / "stdout"), stderr=stderr.name)
        self.stdin, self.stdout = (pipes / "stdin").open("wb"), (pipes / "stdout").open("rb")

    def communicate(self) -> None:
        """Close the pipes."""
        self.wait()
        for pipe in (self.stdin, self.stdout):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()


class Watched(Fork):
    """For `mindport.verify.training.launch`, of a script under the watch."""

    def __new__(cls, command: list[str], **settings: Any) -> Any:
        forked = command[0] == sys.executable and command[1].endswith(".py") and "MINDPORT_RECORD" in settings["env"]
        return super().__new__(cls) if forked else _POPEN(command, **settings)

    def __init__(self, command: list[str], *, cwd: Path, env: dict[str, str], stdout: IO[bytes], stderr: IO[bytes], **settings: Any) -> None:
        job = json.loads(Path(env["MINDPORT_RECORD"]).read_text(encoding="utf-8"))
        super().__init__(job["framework"], command[1:], cwd, env, stdout=stdout.name, stderr=stderr.name)


def fork_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scripts under the watch run as forks: an import of a framework takes three seconds, longer than most recordings of tests."""
    monkeypatch.setattr(launch, "subprocess", SimpleNamespace(Popen=Watched, DEVNULL=subprocess.DEVNULL))
