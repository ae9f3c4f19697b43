"""Programs in processes of their own that need not import a framework first: each is a fork of one that has.

An import of torch or MindSpore takes some three seconds of processor time, longer than most programs of tests run. The process that is forked has computed
nothing, so that a program finds the framework as a new process does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

_TEMPLATE = """
import json, os, runpy, sys, traceback
import {framework}

for line in sys.stdin:
    job = json.loads(line)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.chdir(job["folder"])
            for name, number in (("printed", 1), ("said", 2)):
                os.dup2(os.open(job[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
            sys.stdin = open(os.devnull)
            sys.path[:0] = job["paths"]
            sys.path.insert(0, os.path.dirname(os.path.abspath(job["program"])))
            sys.argv = [job["program"]]
            runpy.run_path(job["program"], run_name="__main__")
            code = 0
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else int(left.code is not None)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def printed(framework: str, folder: Path, program: str = "program.py") -> str:
    """What a program of the folder prints, run there by its name; a program that fails raises with what it says."""
    template = _template(framework)
    assert template.stdin is not None and template.stdout is not None
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    job = {"paths": paths, "folder": str(folder), "program": program} | {name: str(folder / f"{program}.{name}") for name in ("printed", "said")}
    template.stdin.write(json.dumps(job) + "\n")
    template.stdin.flush()
    code = template.stdout.readline().strip()
    assert code == "0", f"{folder / program} ended with {code}:\n{Path(job['said']).read_text(encoding='utf-8')}"
    return Path(job["printed"]).read_text(encoding="utf-8")


@cache
def _template(framework: str) -> subprocess.Popen[str]:
    """The process that is forked; it ends with its input, when the tests do."""
    return subprocess.Popen([sys.executable, "-c", _TEMPLATE.format(framework=framework)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
