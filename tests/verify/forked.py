"""Recorders that need not import a framework first: each is a fork of a process that has (as tests/convert/launched.py does for programs).

`Forked` stands in for `subprocess.Popen` where `mindport.verify.processes` starts this interpreter; pipes are named ones, as a fork of another process has none of ours.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import IO, Any

_TEMPLATE = """
import json, os, runpy, sys, traceback
import {framework}

for line in sys.stdin:
    job = json.loads(line)
    if job.get("wait"):
        print(os.waitstatus_to_exitcode(os.waitpid(job["wait"], 0)[1]), flush=True)
        continue
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.chdir(job["folder"])
            os.environ.clear()
            os.environ.update(job["environment"])
            os.dup2(os.open(job["stderr"], os.O_WRONLY | os.O_APPEND), 2)
            os.dup2(os.open(job["stdin"], os.O_RDONLY), 0)
            os.dup2(os.open(job["stdout"], os.O_WRONLY), 1)
            sys.stdin = open(0, closefd=False)
            sys.argv = job["command"]
            sys.path.insert(0, os.path.dirname(job["command"][0]))
            runpy.run_path(job["command"][0], run_name="__main__")
            code = 0
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else int(left.code is not None)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    print(child, flush=True)
"""


class Forked:
    """What `record` uses of a process."""

    stdin: IO[bytes]
    stdout: IO[bytes]

    def __new__(cls, command: list[str], **settings: Any) -> Any:
        """Another interpreter is started as ever."""
        if command[0] != sys.executable or settings.get("stdin") != subprocess.PIPE:
            return _POPEN(command, **settings)
        return super().__new__(cls)

    def __init__(self, command: list[str], *, cwd: Path, env: dict[str, str], stdin: int, stdout: int, stderr: IO[bytes]) -> None:
        self.returncode: int | None = None
        pipes = Path(tempfile.mkdtemp())
        for name in ("stdin", "stdout"):
            os.mkfifo(pipes / name)
        self.template = _template(command[2])
        told = {"command": command[1:], "folder": str(cwd), "environment": env, "stderr": stderr.name, **{name: str(pipes / name) for name in ("stdin", "stdout")}}
        self.pid = int(_ask(self.template, told))
        self.stdin, self.stdout = (pipes / "stdin").open("wb"), (pipes / "stdout").open("rb")

    def kill(self) -> None:
        """End it, unless it has ended and been waited for."""
        if self.returncode is None:
            os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> None:
        """Until it has ended."""
        if self.returncode is None:
            self.returncode = int(_ask(self.template, {"wait": self.pid}))

    def communicate(self) -> None:
        """Close the pipes."""
        self.wait()
        for pipe in (self.stdin, self.stdout):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()


_POPEN = subprocess.Popen


def _ask(template: subprocess.Popen[str], told: dict[str, Any]) -> str:
    assert template.stdin is not None and template.stdout is not None
    template.stdin.write(json.dumps(told) + "\n")
    template.stdin.flush()
    return template.stdout.readline().strip()


@cache
def _template(framework: str) -> subprocess.Popen[str]:
    """The process that is forked; it ends with its input, when the tests do."""
    return _POPEN([sys.executable, "-c", _TEMPLATE.format(framework=framework)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
