"""Training scripts before and after conversion: the same losses step by step, and the same parameters at the end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert, write
from mindport.source.discover import discover

CASES = Path(__file__).parent / "training_cases"
TAPE = Path(__file__).parent / "tape_cases"  # steps that are no functions: a project of its own, as one process has one form
SIDES = Path(__file__).parent / "training_sides"
NAMES = sorted(path.stem for path in CASES.glob("case_*.py"))


def _run(folder: Path, out: Path) -> None:
    out.mkdir()
    environment = os.environ | {"OMP_NUM_THREADS": "1", "GLOG_v": "4", "PYTHONPATH": ""}
    done = subprocess.run([sys.executable, str(SIDES / "run.py"), str(folder), str(out)], env=environment, capture_output=True, text=True, timeout=1200, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The converted scripts."""
    folder = tmp_path_factory.mktemp("training") / "converted"
    write(convert(discover(CASES)), folder)
    return folder


@pytest.fixture(scope="module")
def results(converted: Path) -> tuple[Path, Path, Path]:
    """The converted scripts, and what both sides leave."""
    theirs, ours = (converted.parent / side for side in ("torch", "mindspore"))
    _run(CASES, theirs)
    _run(converted, ours)
    return converted, theirs, ours


@pytest.mark.frameworks
@pytest.mark.parametrize("name", NAMES)
def test_trains_the_same(results: tuple[Path, Path, Path], name: str) -> None:
    converted, torch_side, mindspore_side = results
    text = (converted / f"{name}.py").read_text()
    for side in (torch_side, mindspore_side):
        error = side / f"{name}.error"
        assert not error.exists(), f"{side.name}:\n{error.read_text()}\n{text}"
    expected, actual = np.load(torch_side / f"{name}.npz"), np.load(mindspore_side / f"{name}.npz")
    assert len(expected["losses"]) >= 5
    assert set(expected.files) == set(actual.files)
    for key in expected.files:
        np.testing.assert_allclose(actual[key], expected[key], rtol=1e-4, atol=2e-5, err_msg=f"{key}\n{text}")
    assert "MP401" not in text


@pytest.mark.parametrize("name", ["case_own_optimizers", "case_sam"])
def test_own_optimizers_need_no_mark(name: str, converted: Path) -> None:
    """``group["params"]`` holds parameters, and their updates in place reach them."""
    assert "mindport:" not in (converted / f"{name}.py").read_text()


@pytest.fixture(scope="module")
def tape_results(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """The same of the scripts whose steps are no functions."""
    base = tmp_path_factory.mktemp("tape")
    write(convert(discover(TAPE)), base / "converted")
    _run(TAPE, base / "torch")
    _run(base / "converted", base / "mindspore")
    return base / "converted", base / "torch", base / "mindspore"


@pytest.mark.frameworks
@pytest.mark.parametrize("name", sorted(path.stem for path in TAPE.glob("case_*.py")))
def test_trains_the_same_on_the_tape(tape_results: tuple[Path, Path, Path], name: str) -> None:
    test_trains_the_same(tape_results, name)


@pytest.mark.frameworks
def test_one_project_has_one_form(tape_results: tuple[Path, Path, Path]) -> None:
    """A recording ends at the first ``value_and_grad``: where one step needs it, all files of the project are written for it."""
    converted, _, _ = tape_results
    texts = {path: path.read_text() for path in converted.rglob("*.py") if path.name != "torch_equivalents.py"}
    assert not any("value_and_grad" in text for text in texts.values())
    scripts = [text for path, text in texts.items() if path.name.startswith("case_")]
    recorded = [text for text in scripts if re.search(r"\b(backward|gradients|stepper\.apply)\(", text)]
    assert recorded == scripts


def test_the_tape_stays_out_of_programs_of_their_own(tmp_path: Path) -> None:
    net = "from torch import nn\n\n\ndef make():\n    return nn.Linear(2, 1)\n"
    function = "from net import make\n\nmodel = make()\n\n\ndef step(x, opt):\n    opt.zero_grad()\n    loss = model(x).mean()\n    loss.backward()\n    opt.step()\n"
    none = "from net import make\n\nmodel = make()\n\n\ndef step(loss):\n    loss.backward()\n\n\ndef run(x):\n    step(model(x).mean())\n"
    for name, text in (("net", net), ("first", function), ("second", none)):
        (tmp_path / f"{name}.py").write_text(text)
    apart = {p.stem: t for p, t in convert(discover(tmp_path)).files.items()}
    assert "value_and_grad" in apart["first"] and "backward(loss)" in apart["second"]
    (tmp_path / "both.py").write_text("import first\nimport second\n")
    together = {p.stem: t for p, t in convert(discover(tmp_path)).files.items()}
    assert "backward(loss)" in together["first"] and "value_and_grad" not in together["first"]


def test_converting_twice_changes_nothing(converted: Path) -> None:
    twice = convert(discover(converted))
    assert twice.files
    for path, text in twice.files.items():
        assert (converted / path).read_text(encoding="utf-8") == text, path
