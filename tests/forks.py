"""Processes that need not import a framework first: each is a fork of one that has.

An import of torch or MindSpore takes some three seconds of processor time, longer than most programs of tests run. The process that is forked has computed
nothing, so that a program finds the framework as a new process does.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from mindport.verify.training.launch import ENTRY

#: The first step of an optimizer of torch's imports its compiler, two seconds more.
_FURTHER = {"torch": "import torch._dynamo"}
_STARTING = subprocess.Popen  # a test may put something in its place

_TEMPLATE = """
import importlib.abc, importlib.machinery, json, os, runpy, sys, traceback
import {framework} as framework
{further}

class Here(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    # The framework is imported once more, by who watches for it, and is what it was.
    def find_spec(self, name, path, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if name == "{framework}" else None

    def create_module(self, spec):
        self.spec = framework.__spec__
        return framework

    def exec_module(self, module):
        module.__spec__, module.__loader__ = self.spec, self.spec.loader


def run(job):
    os.chdir(job["folder"])
    os.environ.clear()
    os.environ.update(job["environment"])
    for number, name, mode in ((2, "stderr", os.O_WRONLY | os.O_CREAT | os.O_APPEND), (0, "stdin", os.O_RDONLY), (1, "stdout", os.O_WRONLY | os.O_CREAT)):
        os.dup2(os.open(job[name], mode), number)
    sys.stdin = open(0, closefd=False)
    sys.stdout.reconfigure(write_through=True)
    program = os.path.abspath(job["command"][0])
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.argv = job["command"]
    sys.path[:0] = [os.path.dirname(program), *paths]
    if job["watch"] in paths:
        del sys.modules["{framework}"]
        sys.meta_path.insert(0, Here())
        runpy.run_path(os.path.join(job["watch"], "sitecustomize.py"))
    runpy.run_path(program, run_name="__main__")


for line in sys.stdin:
    job = json.loads(line)
    if "process" in job:
        ended, status = os.waitpid(job["process"], 0 if job["wait"] else os.WNOHANG)
        print(json.dumps(os.waitstatus_to_exitcode(status) if ended else None), flush=True)
        continue
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setsid()
            run(job)
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


class Fork:
    """What is asked of a process (as of `subprocess.Popen`). Its three streams are files or named pipes; stdout and stderr are written behind what a file holds."""

    def __init__(
        self, framework: str, command: Sequence[str], folder: Path, environment: Mapping[str, str], *, stdin: str = os.devnull, stdout: str, stderr: str
    ) -> None:
        """Run `command` (a file of Python and its arguments) in `folder`, in a session of its own."""
        self._template = _template(framework)
        self.returncode: int | None = None
        told = {"command": list(command), "folder": str(folder), "environment": dict(environment), "stdin": stdin, "stdout": stdout, "stderr": stderr}
        self.pid = int(self._ask({**told, "watch": str(ENTRY)}))

    def poll(self) -> int | None:
        """How it ended; None where it has not."""
        return self._end(wait=False)

    def wait(self) -> int:
        """How it ended, once it has."""
        code = self._end(wait=True)
        assert code is not None
        return code

    def kill(self) -> None:
        """End it, unless it has ended and been waited for."""
        if self.returncode is None:
            os.kill(self.pid, signal.SIGKILL)

    def _end(self, wait: bool) -> int | None:
        if self.returncode is None:
            self.returncode = self._ask({"process": self.pid, "wait": wait})
        return self.returncode

    def _ask(self, told: dict[str, Any]) -> Any:
        assert self._template.stdin is not None and self._template.stdout is not None
        self._template.stdin.write(json.dumps(told) + "\n")
        self._template.stdin.flush()
        return json.loads(self._template.stdout.readline())


def printed(framework: str, folder: Path, program: str = "program.py") -> str:
    """What a program of the folder prints, run there by its name; a program that fails raises with what it says."""
    out, said = (folder / f"{program}.{name}" for name in ("printed", "said"))
    for place in (out, said):
        place.unlink(missing_ok=True)
    code = Fork(framework, [program], folder, os.environ, stdout=str(out), stderr=str(said)).wait()
    assert code == 0, f"{folder / program} ended with {code}:\n{said.read_text(encoding='utf-8')}"
    return out.read_text(encoding="utf-8")


@cache
def _template(framework: str) -> subprocess.Popen[str]:
    """The process that is forked; it ends with its input, when the tests do."""
    return _STARTING([sys.executable, "-c", _TEMPLATE.format(framework=framework, further=_FURTHER.get(framework, ""))], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
