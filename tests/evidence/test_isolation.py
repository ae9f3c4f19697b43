"""Entries that crash, hang, or cannot be imported cost their own sample, not the run.

The entries are planted in a copy of the package, which the workers find first on their path.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import mindport

pytestmark = pytest.mark.frameworks

PLANTED = '''
"""Planted for tests."""

import os
import signal
import time

import mindspore as ms
from mindspore import ops

from mindport.declare import difference, equivalent


@equivalent("torch.neg", differs=[difference("without elements it ends the process", when="input.numel() == 0", risk="loud")])
def crashing(input):
    """Dies on one sample, and where it says so."""
    if input.size == 0 and input.dtype == ms.float32:
        os.kill(os.getpid(), signal.SIGFPE)
    if input.dtype == ms.int32:
        os.kill(os.getpid(), signal.SIGSEGV)
    return -input


@equivalent("torch.abs")
def hanging(input):
    """Never ends on one sample."""
    while input.dtype == ms.int32:
        time.sleep(0.1)
    return ops.abs(input)


@equivalent("torch.square")
def wrong(input):
    """Adds one."""
    return input * input + 1
'''
BROKEN = '''
"""A file in the middle of an edit."""

from mindspore import ops, no_such_name

from mindport.declare import equivalent


@equivalent("torch.exp")
def exp(input):
    """e ** input."""
    return ops.exp(input)
'''
DRIVER = '''
import json, msgspec
from mindport import catalog
from mindport.evidence.run import Lane
from mindport.evidence.store import status_of

lane, told = Lane(step_seconds=5.0), {}
for name in ("torch.exp", "torch.neg", "torch.abs", "torch.square"):
    outcome = lane.run(catalog.load().find(name)[0])
    told[name] = {"status": status_of(outcome), "outcome": json.loads(msgspec.json.encode(outcome))}
lane.stop()
print(json.dumps(told))
'''


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The outcomes of the planted entries, run one after the other in the same lane."""
    root = tmp_path_factory.mktemp("planted")
    source, package = Path(mindport.__file__).parent, root / "mindport"
    package.mkdir()
    for name in ("__init__.py", "declare.py", "catalog.py", "findings.py", "forms.py"):
        shutil.copy(source / name, package)
    shutil.copytree(source / "evidence", package / "evidence", ignore=shutil.ignore_patterns("data", "__pycache__"))
    for room in ("equivalents", "layers"):
        (package / room).mkdir()
        (package / room / "__init__.py").write_text("", encoding="utf-8")
    (package / "equivalents" / "planted.py").write_text(PLANTED, encoding="utf-8")
    (package / "equivalents" / "broken.py").write_text(BROKEN, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", DRIVER], capture_output=True, text=True, cwd=root, timeout=420,
        env={**os.environ, "PYTHONPATH": str(root), "GLOG_v": "4"},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert isinstance(told, dict)
    return told


def verdicts(outcome: dict[str, Any], check: str, dtype: str) -> dict[str, int]:
    found = outcome["counts"][check][dtype]
    assert isinstance(found, dict)
    return found


def test_a_crash_is_an_outcome_and_the_rest_goes_on(outcomes: dict[str, Any]) -> None:
    found = outcomes["torch.neg"]
    assert verdicts(found["outcome"], "forward", "int32") == {"crash": 1}
    assert verdicts(found["outcome"], "forward", "int64").keys() == {"pass"}
    assert verdicts(found["outcome"], "gradient", "float32").keys() == {"pass"}  # runs after the crash
    assert found["status"] == "partial"
    crash = next(f for f in found["outcome"]["failures"] if f["verdict"] == "crash")
    assert crash["message"] == "the process died: SIGSEGV" and crash["call"].startswith("torch.neg(torch.randint(")


def test_a_declared_death_is_declared_where_its_condition_holds_and_nowhere_else(outcomes: dict[str, Any]) -> None:
    found = outcomes["torch.neg"]["outcome"]
    assert verdicts(found, "empty", "float32").keys() == {"declared"}
    assert verdicts(found, "forward", "int32") == {"crash": 1}


def test_a_time_out_is_an_outcome_and_the_rest_goes_on(outcomes: dict[str, Any]) -> None:
    found = outcomes["torch.abs"]["outcome"]
    assert verdicts(found, "forward", "int32") == {"timeout": 1}
    assert verdicts(found, "gradient", "float32").keys() == {"pass"}


def test_a_wrong_entry_differs(outcomes: dict[str, Any]) -> None:
    found = outcomes["torch.square"]
    assert verdicts(found["outcome"], "forward", "float32").keys() == {"differs"}
    assert verdicts(found["outcome"], "gradient", "float32").keys() == {"pass"}
    assert found["status"] == "partial"


def test_a_broken_file_is_a_note(outcomes: dict[str, Any]) -> None:
    found = outcomes["torch.exp"]
    assert "no_such_name" in found["outcome"]["notes"][0] and "broken.py" in found["outcome"]["notes"][0]
    assert found["status"] == "documented" and found["outcome"]["counts"] == {}
