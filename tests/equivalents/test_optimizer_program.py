"""A training script with optimizers, schedulers and a scaler is converted and run beside the original."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mindport.convert import convert, write
from mindport.source.discover import discover

PROGRAM = Path(__file__).parent / "optimizer_program"
KEPT = (
    "optimizer.zero_grad()", "optimizer.step()", "scheduler.step()", "scheduler.get_last_lr()[0]", "scaler.unscale_(optimizer)",
    "scaler.step(optimizer)", "scaler.update()", "scheduler.step(loss.item())", "optimizer.state_dict()", "scaler.state_dict()",
    "scheduler.state_dict()", "optimizer.load_state_dict(saved)", "optimizer.param_groups[0]['lr']", "scaler.get_scale()",
)  # fmt: skip


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The converted program's folder."""
    out = tmp_path_factory.mktemp("converted")
    conversion = convert(discover([PROGRAM]))
    assert not [f for f in conversion.findings if f.code in ("MP101", "MP106")]
    write(conversion, out)
    return out


def test_methods_keep_their_text(converted: Path) -> None:
    text = (converted / "train.py").read_text("utf-8")
    assert [each for each in KEPT if each not in text] == []
    assert "mindport:" not in text


@pytest.mark.frameworks
def test_losses_and_learning_rates_are_torch_s(converted: Path) -> None:
    def lines(folder: Path) -> list[str]:
        environment = {**os.environ, "GLOG_v": "3", "OMP_NUM_THREADS": "1", "PYTHONPATH": ""}
        ran = subprocess.run([sys.executable, "train.py"], cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout.splitlines()

    def loss(line: str) -> float | None:
        found = re.match(r"\d+\.\d+", line)
        return float(found[0]) if found else None

    theirs, ours = lines(PROGRAM), lines(converted)
    assert len(theirs) == len(ours) == 37
    for expected, found in zip(theirs, ours, strict=True):
        if (value := loss(expected)) is None:
            assert found == expected
        else:
            # Learning rates and scales are the same digits.
            assert found.split()[1:] == expected.split()[1:]
            assert loss(found) == pytest.approx(value, rel=5e-6)
