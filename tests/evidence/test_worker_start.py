"""A worker that does not start measures nothing: it must not be taken for an entry that cannot run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mindport.evidence import run
from mindport.evidence.processes import NotStarted, Worker


def test_a_worker_that_does_not_start_is_no_outcome() -> None:
    worker = Worker("mindport.evidence.no_such_module")
    with pytest.raises(NotStarted, match="no_such_module"):
        list(worker.events({"key": "torch.add#add", "first": 0}))


@pytest.mark.frameworks
def test_a_relative_path_of_the_caller_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "PYTHONPATH", "nowhere")
    worker = Worker()
    try:
        assert any("end" in event for event in worker.events({"key": "torch.neg#neg", "first": 0, "checks": ["forward"]}))
    finally:
        worker.stop()


def test_without_torchs_samples_nothing_is_stored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # their workers start, and every entry would be void, in place of an outcome that a complete installation made
    monkeypatch.setattr(run, "SAMPLES_NEED", ("expecttest", "no_such_module"))
    assert run.main(["--only", "torch.relu", "--force", "--into", str(tmp_path)]) == 2
    assert "no_such_module" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
