"""Statuses follow from counts, outcomes from what was found, and both survive the disk. Needs no framework."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport import catalog
from mindport.evidence import record
from mindport.evidence.fingerprint import fingerprint
from mindport.evidence.record import Found
from mindport.evidence.store import Evidence, Outcome, status_of, stem


def outcome(*told: tuple[str, str]) -> Outcome:
    made = Outcome("h", "r", "2026-11-21", {})
    for check, verdict in told:
        record.add(made, Found(check, "float32", verdict, "torch.x()", "why"))
    return made


@pytest.mark.parametrize(
    ("told", "status"),
    [
        ([("forward", "pass")], "verified"),
        ([("forward", "pass"), ("forward", "refused"), ("forward", "declared"), ("forward", "not run here")], "verified"),
        ([("forward", "pass"), ("gradient", "pass"), ("gradient", "not run here")], "verified"),
        ([("eval", "pass"), ("train", "pass"), ("statistics", "pass")], "verified"),
        ([("forward", "refused"), ("forward", "not run here")], "documented"),
        ([("forward", "declared")], "documented"),
        ([], "documented"),
        ([("forward", "pass"), ("forward", "differs")], "partial"),
        ([("forward", "pass"), ("forward", "raises")], "partial"),
        ([("forward", "pass"), ("forward", "crash")], "partial"),
        ([("forward", "pass"), ("forward", "timeout")], "partial"),
        ([("forward", "pass"), ("edge", "differs")], "partial"),
        ([("forward", "pass"), ("gradient", "differs")], "partial"),
        ([("eval", "pass"), ("unbatched", "raises")], "verified"),
        ([("eval", "pass"), ("unbatched", "crash")], "partial"),
        ([("eval", "pass"), ("statistics", "differs")], "partial"),
        ([("eval", "pass"), ("initial", "differs")], "partial"),
        ([("gradient", "pass")], "documented"),
    ],
)  # fmt: skip
def test_status(told: list[tuple[str, str]], status: str) -> None:
    assert status_of(outcome(*told)) == status


def test_silent_failures_are_kept_before_loud_ones() -> None:
    made = Outcome("h", "r", "", {})
    for number in range(20):
        record.add(made, Found("forward", "float32", "raises", "call", f"{number} loud"))
    record.add(made, Found("forward", "float32", "differs", "call", "silent"))
    assert made.failures[0].message == "silent"
    assert len(made.failures) == record.KEPT_FAILURES
    assert made.count("raises") == 20


def test_what_is_written_is_read(tmp_path: Path) -> None:
    entry = catalog.load().find("torch.relu")[0]
    one = Evidence(tmp_path)
    assert (one.outcome(entry), one.status(entry)) == (None, "absent")
    made = outcome(("forward", "pass"))
    made.hash = fingerprint(entry)
    one.read(stem(entry))[entry.key] = made
    one.write(stem(entry))
    other = Evidence(tmp_path)
    assert other.outcome(entry) == made and other.status(entry) == "verified"
    assert [path.name for path in tmp_path.iterdir()] == [f"{stem(entry)}.json"]


def test_an_outcome_of_another_source_does_not_count(tmp_path: Path) -> None:
    entry = catalog.load().find("torch.relu")[0]
    one = Evidence(tmp_path)
    one.read(stem(entry))[entry.key] = outcome(("forward", "pass"))
    assert one.status(entry) == "absent"


def test_files_of_both_rooms_keep_apart() -> None:
    known = catalog.load()
    assert stem(known.find("torch.nn.functional.relu")[0]) == "activation"
    assert stem(known.find("torch.nn.ReLU")[0]) == "layers-activation"
