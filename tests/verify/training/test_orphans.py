"""A process that outlived the mindport that started it takes no part in the next run in the same folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mindport.verify.training.journal import Journal
from mindport.verify.training.launch import ENTRY


def _started(folder: Path, given: str, **job: object) -> subprocess.CompletedProcess[str]:
    (folder / "job.json").write_text(json.dumps({"out": str(folder), "framework": "torch", **job}))
    environment = os.environ | {"PYTHONPATH": str(ENTRY), "MINDPORT_RECORD": str(folder / "job.json"), "MINDPORT_TOKEN": given}
    return subprocess.run([sys.executable, "-c", "print('ran')"], env=environment, capture_output=True, text=True, check=False)


def test_the_process_of_this_run_runs(tmp_path: Path) -> None:
    done = _started(tmp_path, "a", token="a", parent=os.getpid())
    assert (done.returncode, done.stdout) == (0, "ran\n"), done.stderr


def test_a_process_of_a_run_before_ends(tmp_path: Path) -> None:
    done = _started(tmp_path, "a", token="b", parent=os.getpid())
    assert (done.returncode, done.stdout) == (1, "")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells a process that its parent has ended")
def test_a_process_whose_mindport_is_gone_ends(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    done = _started(tmp_path, "a", token="a", parent=gone.pid)
    assert (done.returncode, done.stdout) == (1, "")


def test_a_folder_that_is_another_runs_is_not_claimed(tmp_path: Path) -> None:
    (tmp_path / "job.json").write_text(json.dumps({"token": "b"}))
    assert not Journal(str(tmp_path), "a").claim()
    assert not (tmp_path / "claimed").exists()
    assert Journal(str(tmp_path), "b").claim()
