"""mindport targets: the versions there are, and what changed between two."""

from __future__ import annotations

import json
import re
from pathlib import Path

from mindport import catalog
from mindport.report.target_diff import _grows, affected, diff
from mindport.source.discover import discover
from mindport.targets import Target, load
from mindport.targets.load import Param
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


def test_what_changed_leads_to_the_equivalents_and_the_projects_lines(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("import torch\n\ndef f(x: torch.Tensor):\n    return torch.nn.functional.relu(x)\n")
    new = load("2.10.0")
    old = Target("2.9.0", {name: new._raw[name] for name in new.names() if name != "mindspore.ops.relu"})
    found = affected(diff(new, old), catalog.load(), discover([tmp_path]))
    (gone,) = found.affected
    assert (gone.name, gone.what) == ("mindspore.ops.relu", "gone")
    assert {"torch.relu", "torch.nn.functional.relu"} <= set(gone.torch) and gone.uses == ["model.py:4"]


def test_equivalents_count_through_the_functions_that_they_call() -> None:
    new = load("2.10.0")
    old = Target("2.9.0", {name: new._raw[name] for name in new.names() if name != "mindspore.ops.bmm"})
    (gone,) = affected(diff(new, old), catalog.load()).affected
    assert "torch.einsum" in gone.torch


def test_diff_targets() -> None:
    ran = Ran("diff-targets", "2.7.0", "2.10.0")
    assert ran.code == 0 and "came" in ran.out.splitlines()[0] and "equivalents of torch." in ran.out
    assert json.loads(Ran("diff-targets", "2.10.0", "2.10.0", "--format", "json").out)["affected"] == []


def test_what_evidence_found_right_on_one_version_alone_is_told_with_the_projects_lines(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("import torch\n\ndef f(x: torch.Tensor):\n    return torch.nan_to_num(torch.trunc(x))\n")
    ran = Ran("diff-targets", "2.7", "2.10", str(tmp_path))
    assert "torch.trunc: its equivalent holds on 2.10.0 and not for every sample on 2.7.0" in ran.out and "used in model.py:4" in ran.out
    assert "more that the project does not use" in ran.out
    told, all_told = (set(re.findall(r"^(torch\S*): its equivalent holds on 2.10.0", out, re.MULTILINE)) for out in (ran.out, Ran("diff-targets", "2.7.0", "2.10.0").out))
    assert told <= {"torch.trunc", "torch.nan_to_num"} and told < all_told  # which others hold is the evidence's to say


def test_parameters_that_come_with_defaults_break_no_call() -> None:
    old = [Param("self"), Param("fn"), Param("axis", "POSITIONAL_OR_KEYWORD", "0")]
    assert _grows(old, [*old, Param("more", "POSITIONAL_OR_KEYWORD", "None")])
    assert _grows([Param("axis", "VAR_POSITIONAL")], [Param("dims", "VAR_POSITIONAL")])
    assert not _grows(old, [*old, Param("more")])
    assert not _grows(old, old[:-1]) and not _grows(old, [Param("fn"), Param("axis", "POSITIONAL_OR_KEYWORD", "1")])
    assert not _grows(old, [Param("fn"), Param("axes", "VAR_POSITIONAL")])


def test_a_short_version_is_the_last_of_its_kind() -> None:
    assert "MindSpore 2.7.0" in Ran("diff-targets", "2.7", "2.10").out
    assert json.loads(Ran("api", "torch.trunc", "--mindspore", "2.7", "--format", "json").out)[0]["entries"][0]["evidence"] == "partial"
    assert json.loads(Ran("api", "torch.trunc", "--format", "json").out)[0]["entries"][0]["evidence"] == "verified"
