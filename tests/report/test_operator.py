"""Custom operators are compiled, and their own generated tests hold."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mindport.report.operator import generate, operators
from tests.project.layout import ROOT


def test_there_are_five_and_each_is_written_out(tmp_path: Path) -> None:
    assert len(operators()) >= 5 and sum(bool(each.gradient) for each in operators().values()) >= 3
    assert sum(each.aten for each in operators().values()) >= 2
    for name, operator in operators().items():
        folder = tmp_path / operator.stem
        written = {path.name for path in generate(name, folder)}
        assert {f"{operator.stem}.cc", f"{operator.stem}.py", f"test_{operator.stem}.py", "build.sh", "README.md"} <= written
        assert ("build_aten.sh" in written) == operator.aten
        linted = subprocess.run([sys.executable, "-m", "ruff", "check", "--config", str(ROOT / "pyproject.toml"), "--ignore", "I001", str(folder)], capture_output=True, text=True)
        assert linted.returncode == 0, linted.stdout


@pytest.mark.frameworks
def test_the_generated_tests_pass(tmp_path: Path) -> None:
    """One process for all of them: MindSpore starts once."""
    for name, operator in operators().items():
        folder = tmp_path / f"op_{operator.stem}"
        generate(name, folder)
        subprocess.run(["sh", str(folder / "build.sh")], check=True)
    paths = " ".join(f"op_{operator.stem}" for operator in operators().values())
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--import-mode=importlib", "-p", "no:cacheprovider", "-o", f"pythonpath={paths}", "."],
        cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "GLOG_v": "3", "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert "skipped" not in ran.stdout and f"{2 * sum(len(o.cases) for o in operators().values())} passed" in ran.stdout
