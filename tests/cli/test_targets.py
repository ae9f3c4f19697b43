"""mindport targets: the versions there are, and what changed between two."""

from __future__ import annotations

import json

from mindport.report.target_diff import diff
from mindport.targets import Target, load
from tests.cli.commands import Ran


def test_versions_are_listed() -> None:
    assert "2.10.0" in Ran("targets", "list").out
    assert json.loads(Ran("targets", "list", "--format", "json").out)["2.10.0"] > 1000


def test_a_version_does_not_differ_from_itself() -> None:
    told = json.loads(Ran("targets", "diff", "2.10.0", "2.10.0", "--format", "json").out)
    assert told["added"] == told["removed"] == told["changed"] == []


def test_names_that_came_went_and_changed() -> None:
    new = load("2.10.0")
    raw = {name: new._raw[name] for name in ("mindspore.ops.relu", "mindspore.ops.abs")}
    old = Target("2.9.0", {**raw, "mindspore.ops.gone": raw["mindspore.ops.abs"], "mindspore.ops.relu": new._raw["mindspore.ops.flatten"]})
    found = diff(old, Target("2.10.0", {**raw, "mindspore.ops.come": raw["mindspore.ops.abs"]}))
    assert (found.added, found.removed) == (["mindspore.ops.come"], ["mindspore.ops.gone"])
    assert [change.name for change in found.changed] == ["mindspore.ops.relu"]
    assert found.changed[0].old != found.changed[0].new


def test_an_unknown_version_is_a_sentence() -> None:
    ran = Ran("targets", "diff", "2.10.0", "9.9.9")
    assert ran.code == 2 and "9.9.9" in ran.err


def test_an_interpreter_that_cannot_build_is_a_sentence() -> None:
    ran = Ran("targets", "build", "--python", "/bin/false")
    assert ran.code == 2 and "could not build" in ran.err
