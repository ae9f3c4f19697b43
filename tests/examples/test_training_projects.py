"""The training projects in examples/training: each converts to Python without a mark, once and for all, and two train alike."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mindport.convert import convert, write
from mindport.source.discover import discover

PROJECTS = Path(__file__).parents[2] / "examples" / "training"
NAMES = sorted(p.name for p in PROJECTS.iterdir() if any(p.glob("*.py")))


@pytest.mark.parametrize("name", NAMES)
def test_conversion_parses_and_is_final(name: str, tmp_path: Path) -> None:
    conversion = convert(discover([PROJECTS / name]))
    for text in conversion.files.values():
        ast.parse(text)
    write(conversion, tmp_path / "once")
    again = convert(discover([tmp_path / "once"]))
    assert {str(path): text for path, text in again.files.items() if str(path) in map(str, conversion.files)} == {
        str(path): text for path, text in conversion.files.items() if str(path) in map(str, again.files)
    }


@pytest.mark.frameworks
@pytest.mark.parametrize(("name", "script"), [("vae", "vae.py"), ("wgan_gp", "wgan_gp.py")])
def test_the_first_steps_agree(name: str, script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mindport.verify.training.ladder import climb_ladder
    from mindport.verify.training.plan import TrainSide, TrainSpec
    from tests.verify.forked import fork_scripts

    fork_scripts(monkeypatch)
    write(convert(discover([PROJECTS / name])), tmp_path / "converted")
    spec = TrainSpec(
        script, TrainSide(str(PROJECTS / name)), TrainSide(str(tmp_path / "converted")), steps=12, noise=1, float64=False
    )
    ladder = climb_ladder(spec, tmp_path / "ladder")
    assert not ladder.troubles
    assert [(r.name, r.message) for r in ladder.rungs if r.verdict not in ("passes", "not reached") and r.name != "metric"] == []
    assert next(r.verdict for r in ladder.rungs if r.name == "loss curve") == "passes"
