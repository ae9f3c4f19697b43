"""A SIGKILL at any moment leaves output that can be read, and the same command run again finishes."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mindport.verify.training.recorded import load_run

HERE = Path(__file__).parent
SEED = 20261121


def _killed(command: list[str], cwd: Path, delay: Callable[[], bool]) -> bool:
    """Run mindport and kill it once `delay` says so; whether it was alive then."""
    process = subprocess.Popen(
        [sys.executable, "-m", "mindport", *command], cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while process.poll() is None and not delay():
        time.sleep(0.005)
    alive = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    return alive


def _after(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def _grown(path: Path, size: int, most: float = 30.0) -> Callable[[], bool]:
    """When the file has so many bytes: a moment in the work, however slow the machine is."""
    end = time.monotonic() + most
    return lambda: time.monotonic() > end or path.is_file() and path.stat().st_size >= size


def _finish(command: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "mindport", *command], cwd=cwd, capture_output=True, text=True, check=False)


def test_convert_leaves_a_whole_project_or_none(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    source = tmp_path / "project"
    source.mkdir()
    for name in ("one", "two"):
        (source / f"{name}.py").write_text("import torch\n\n\ndef f(x):\n    return torch.relu(x)\n")
    (source / "notes.txt").write_text("kept")
    began = time.monotonic()
    assert _finish(["convert", "project", "-o", "whole"], tmp_path).returncode == 0
    whole = time.monotonic() - began
    expected = {p.name: p.read_bytes() for p in (tmp_path / "whole").iterdir() if p.is_file()}
    out = tmp_path / "out"
    for _ in range(11):
        _killed(["convert", "project", "-o", "out"], tmp_path, _after(chance.uniform(0.3, 1.0) * whole))
        if out.exists():
            assert {p.name: p.read_bytes() for p in out.iterdir() if p.is_file()} == expected
            shutil.rmtree(out)
    done = _finish(["convert", "project", "-o", "out"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert {p.name: p.read_bytes() for p in out.iterdir() if p.is_file()} == expected
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "project", "whole"]


@pytest.mark.frameworks
def test_an_interrupted_baseline_is_readable_and_a_rerun_finishes(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    command = ["baseline", "-o", str(tmp_path / "b"), "--", sys.executable, "train.py"]
    lines = tmp_path / "b" / "run.jsonl"
    for _ in range(5):
        _killed([*command, "--epochs", "300"], HERE / "project", _grown(lines, chance.randrange(1, 5000)))
        run = load_run(tmp_path / "b")
        if run is not None:
            assert run.torn <= 1
            assert [s.total for s in run.steps] == list(range(1, len(run.steps) + 1))
            for name in (p.stem for p in run.folder.glob("*.npz")):
                assert run.arrays(name)
    done = _finish(command, HERE / "project")
    assert done.returncode == 0, done.stderr
    whole = load_run(tmp_path / "b")
    assert whole is not None and whole.ended and len(whole.steps) == 16
    kept = [load_run(p) for p in sorted(tmp_path.glob("b.interrupted-*"))]
    assert any(run is not None and run.steps for run in kept), "no kill came while it trained"
    # Orphans neither write on nor remain.
    assert all(run is None or not run.ended for run in kept)


@pytest.mark.frameworks
def test_an_interrupted_ladder_goes_on_from_what_it_has(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    plan = {
        "train": "train.py --epochs 1", "torch": {"folder": str(HERE / "project")},
        "mindspore": {"folder": str(HERE / "twin")}, "steps": 3, "noise": 1, "float64": False,
    }
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    command = ["verify", "plan.json", "--workdir", "work"]
    moments = [("torch", 1, 3000), ("perturbed-1", 1, 3000), ("mindspore", 1, 3000)]
    for side, least, most in moments:
        _killed(command, tmp_path, _grown(tmp_path / "work" / side / "run.jsonl", chance.randrange(least, most)))
        for folder in (tmp_path / "work").glob("*"):
            run = load_run(folder)
            assert run is None or run.torn <= 1
    _killed(command, tmp_path, _after(chance.uniform(0.1, 2.0)))
    before = (tmp_path / "work" / "torch" / "run.jsonl").read_bytes()
    done = _finish([*command, "--format", "json"], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "work" / "torch" / "run.jsonl").read_bytes() == before, "what was whole is not made again"
    answer = json.loads(done.stdout)
    assert [r["verdict"] for r in answer["rungs"]][:8] == ["passes"] * 8
    assert json.loads((tmp_path / "work" / "ladder.json").read_text()) == answer
