"""The ladder over a hand-written twin: all rungs pass, and a planted fault stops it at the right one."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.verify.spec import SpecError
from mindport.verify.training.ladder import climb_ladder
from mindport.verify.training.plan import TrainSide, TrainSpec, load_plan
from mindport.verify.training.result import Ladder

HERE = Path(__file__).parent
FAULTS = {
    "shape": "initial state", "mode": "initial state", "frozen": "initial state", "order": "data order",
    "operator": "forward by layer", "loss": "loss of step 1", "gradients": "gradients",
    "step": "parameters after one step", "statistics": "parameters after one step", "rate": "learning rate",
    "curve": "loss curve", "metric": "metric",
}


@pytest.fixture(scope="module")
def workdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ladder")


def climb(workdir: Path, fault: str, **options: object) -> Ladder:
    plan = TrainSpec(
        "python train.py", TrainSide(str(HERE / "project")),
        TrainSide(str(HERE / "twin"), environment={"FAULT": fault}), steps=0, noise=1, **options,  # type: ignore[arg-type]
    )
    return climb_ladder(plan, workdir)


@pytest.mark.frameworks
def test_a_right_conversion_passes_every_rung(workdir: Path) -> None:
    ladder = climb(workdir, "")
    assert ladder.troubles == []
    assert [(r.name, r.verdict) for r in ladder.rungs if r.verdict != "passes"] == []
    assert ladder.exit_code == 0 and ladder.departure is None
    assert len(ladder.curves["torch"]) == 16
    assert climb(workdir, "").seconds == {"torch": 0.0, "mindspore": 0.0, "as run": 0.0}, "what is recorded is not run again"


@pytest.mark.frameworks
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_stops_the_ladder_at_its_rung(workdir: Path, fault: str) -> None:
    ladder = climb(workdir, fault)
    stopped = next((r for r in ladder.rungs if r.verdict not in ("passes", "not reached")), None)
    if fault == "shape":
        assert ladder.exit_code == 2 and "cannot be moved" in ladder.troubles[0].message
        return
    assert stopped is not None and (stopped.name, stopped.verdict) == (FAULTS[fault], "fails"), ladder
    assert ladder.exit_code == 1
    departure = ladder.departure
    if fault == "operator":
        assert departure is not None
        assert (departure.operator, departure.line.partition(":")[0]) == ("torch.nn.functional.relu", "train.py")
    if fault == "gradients":
        assert "factor 2" in (departure.what if departure else "")
    if fault == "step":
        assert departure is not None and departure.apis == ["torch.optim.Adam"]
    if fault == "statistics":
        assert "norm.running" in stopped.message


@pytest.mark.frameworks
def test_a_command_that_fails_says_so(tmp_path: Path) -> None:
    side = TrainSide(str(HERE / "project"))
    ladder = climb_ladder(TrainSpec("train.py --nonsense", side, side), tmp_path)
    assert ladder.exit_code == 2
    assert "unrecognized arguments: --nonsense" in ladder.troubles[0].message


def test_a_wrong_plan_is_refused(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text('{"train": "gone.py", "torch": {"folder": "."}, "mindspore": {"folder": "."}}')
    with pytest.raises(SpecError, match=r"there is no file .*gone\.py"):
        load_plan(tmp_path / "plan.json")
    (tmp_path / "plan.json").write_text('{"train": "", "torch": {"folder": "."}, "mindspore": {"folder": "."}}')
    with pytest.raises(SpecError, match="is empty"):
        load_plan(tmp_path / "plan.json")
