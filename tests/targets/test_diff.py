"""What changed between two versions, on the shipped tables."""

from __future__ import annotations

from mindport.report.target_diff import diff
from mindport.targets import load


def test_from_2_7_to_2_10() -> None:
    found = diff(load("2.7.0"), load("2.10.0"))
    assert "mindspore.nn.TensorArray" in found.removed
    assert len(found.added) > 100 > len(found.removed) > 20
    changed = {change.name: change for change in found.changed}
    assert changed["mindspore.Tensor.add_"].new == "mindspore.Tensor.add_(other, *, alpha=1)"


def test_a_version_does_not_differ_from_itself() -> None:
    found = diff(load("2.10.0"), load("2.10.0"))
    assert (found.added, found.removed, found.changed) == ([], [], [])
