"""Converted programs leave every variable as torch does, and give its gradients, or are refused: never silently different."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from generated import module
from run import Outcome, outcomes, shares

pytestmark = pytest.mark.frameworks
_PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """All programs, converted and run in one process a framework: by hand, without annotations, and made up."""
    folder, work = tmp_path_factory.mktemp("programs"), tmp_path_factory.mktemp("work")
    for path in _PROGRAMS.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        (folder / path.name).write_text(text, encoding="utf-8")
        if path.stem == "straight":
            (folder / "unannotated.py").write_text(text.replace(": torch.Tensor", ""), encoding="utf-8")
    (folder / "generated.py").write_text(module(60, seed=4), encoding="utf-8")
    return outcomes(folder, work)


def test_none_is_silently_different(found: dict[str, Outcome]) -> None:
    loud = "AttributeError: 'Tensor' object has no attribute"  # a method of something of which nothing is known stays
    wrong = {
        name: (one.problems, one.text)
        for name, one in found.items()
        if one.kind != "refused" and one.problems and not (name.startswith("unannotated.") and one.problems[0].startswith(loud))
    }
    assert not wrong


def test_few_idiomatic_programs_are_refused(found: dict[str, Outcome]) -> None:
    by_hand = {name: one for name, one in found.items() if name.startswith(("straight.", "shared."))}
    print(shares(by_hand))
    assert len(by_hand) >= 90
    assert sum(one.kind == "refused" for one in by_hand.values()) / len(by_hand) < 0.1


def test_changes_that_no_gradient_records_go_through_views(found: dict[str, Outcome]) -> None:
    refused = {name for name, one in found.items() if name.startswith("unrecorded.") and one.kind == "refused"}
    assert refused == {"unrecorded.detached_and_used", "unrecorded.stepped"}


def test_views_without_a_name_are_stored_back(found: dict[str, Outcome]) -> None:
    nameless = [one for name, one in found.items() if name.startswith("nameless.")]
    assert nameless
    assert not any(one.kind == "refused" for one in nameless)


def test_what_mappings_hold_is_changed_where_it_stands(found: dict[str, Outcome]) -> None:
    held = {name: one.text for name, one in found.items() if name.startswith("mappings.")}
    assert held
    assert not [name for name, one in found.items() if name in held and one.kind == "refused"]


def test_refusals_name_who_holds_the_storage(found: dict[str, Outcome]) -> None:
    refused = [one for name, one in found.items() if one.kind == "refused" and name.startswith(("straight.", "shared."))]
    assert refused
    assert all("line" in one.problems[0] or "holds it" in one.problems[0] for one in refused)
