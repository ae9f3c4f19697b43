"""A group of questions at which mindport itself fails is one row; the others are answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.analysis import questions
from mindport.findings import DEBUG
from mindport.report.analysis import Analysis, analyze
from mindport.source.discover import discover

TRAIN = "import torch\nnet = torch.nn.Linear(2, 2)\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"


def analysed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Analysis:
    """The analysis of a small program while the questions about the recipe fail."""
    (folder / "train.py").write_text(TRAIN)

    def fails(subject: object) -> None:
        raise IndexError("list index\nout of range")

    groups = [(letter, name, fails if name == "recipe" else section) for letter, name, section in questions.questions()]
    monkeypatch.setattr(questions, "questions", lambda: groups)
    return analyze(discover([folder]))


def test_the_other_questions_are_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DEBUG, raising=False)
    found = {answer.title: answer for section in analysed(tmp_path, monkeypatch).sections for answer in section.answers}
    assert found["recipe"].status == "unknown"
    assert found["recipe"].value.startswith("not answered: a defect of mindport, not of your project: IndexError: list index out of range. Set MINDPORT_DEBUG=1")
    assert len(found) > 10


def test_who_looks_for_the_defect_sees_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DEBUG, "1")
    with pytest.raises(IndexError):
        analysed(tmp_path, monkeypatch)
