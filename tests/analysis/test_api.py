"""Verdicts follow from what a use becomes, the differences it hits, and the evidence."""

from __future__ import annotations

import ast

import pytest

from mindport import catalog
from mindport.analysis.api import READY, VERDICTS, Assessment, assess
from mindport.analysis.judgement import Judgement
from mindport.catalog import Entry
from mindport.declare import Risk, difference
from mindport.findings import CODES
from mindport.inference.facts import Facts, Unresolved, Use, UseKind
from mindport.source.file import SourceFile

(ENTRY,) = catalog.load().find("torch.sigmoid")[:1]


def left_alone(place: Unresolved, facts: Facts) -> Judgement:
    """Every place of unknown type stays as it is."""
    return Judgement("left", None, "MP105")


ABSENT = Entry(("torch.x",), "absent", ENTRY.module, 1, why="MindSpore has none", rung="custom operator")


def one(judgement: Judgement, name: str = "torch.sigmoid", kind: UseKind = "call", status: str = "verified", certain: bool = True) -> Assessment:
    file = SourceFile.of("f(x)\n")
    node = file.tree.body[0].value  # type: ignore[attr-defined]
    known = Facts(uses=[Use(node, name, kind, "certain" if certain else "likely", "")])
    (found,) = assess({file: known}, lambda use, facts: judgement, lambda entry: status, left_alone)
    return found


@pytest.mark.parametrize(
    ("becomes", "verdict", "rung"),
    [("same", "same", "equivalent"), ("inlined", "equivalent", "equivalent"), ("vendored", "packaged", "packaged"), ("rewritten", "rewritten", "equivalent")],
)
def test_what_is_ready(becomes: str, verdict: str, rung: str) -> None:
    found = one(Judgement(becomes, ENTRY))  # type: ignore[arg-type]
    assert (found.verdict, found.rung, found.code, found.risk) == (verdict, rung, None, None)
    assert found.verdict in READY


@pytest.mark.parametrize(
    ("code", "entry", "verdict", "rung"),
    [
        ("MP101", None, "missing", "community"),
        ("MP101", ABSENT, "custom operator", "custom operator"),
        ("MP102", ENTRY, "refused", ""),
        ("MP106", ENTRY, "unresolved", ""),
        ("MP107", ENTRY, "refused", ""),
    ],
)
def test_what_is_left(code: str, entry: Entry | None, verdict: str, rung: str) -> None:
    found = one(Judgement("left", entry, code, "because"))
    assert (found.verdict, found.rung, found.code, found.risk) == (verdict, rung, code, CODES[code].risk)
    assert found.message == "because" and found.verdict not in READY


def test_an_annotation_that_names_nothing_known_is_style() -> None:
    assert one(Judgement("left", None, "MP101", "none"), kind="type").risk == "style"


def test_evidence_matters_where_something_is_computed() -> None:
    kinds: tuple[UseKind, ...] = ("call", "value", "base", "type", "check")
    codes = [one(Judgement("same", ENTRY), kind=kind, status="absent").code for kind in kinds]
    assert codes == ["MP104", "MP104", "MP104", None, None]


@pytest.mark.parametrize(
    ("risks", "sure", "expected"),
    [(("silent",), True, ("silent", "certain")), (("style", "loud"), True, ("loud", "certain")), (("silent",), False, ("silent", "likely"))],
)
def test_the_worst_difference_counts(risks: tuple[Risk, ...], sure: bool, expected: tuple[str, str]) -> None:
    hits = tuple((difference(f"it differs in {risk}", risk=risk), sure) for risk in risks)
    found = one(Judgement("inlined", ENTRY, differs=hits))
    assert found.verdict == "differs" and (found.risk, found.certainty) == expected
    assert all(risk in found.message for risk in risks)
    assert found.code == "MP103"


def test_a_likely_use_is_never_certain() -> None:
    assert one(Judgement("same", ENTRY), certain=False).certainty == "likely"
    assert one(Judgement("same", ENTRY, differs=((difference("x"), True),)), certain=False).certainty == "likely"


def test_another_librarys_api() -> None:
    found = one(Judgement("same", None), name="torchvision.ops.nms")
    assert (found.verdict, found.code) == ("third party", "MP108")


def test_a_place_that_may_be_several_apis_counts_once_and_by_the_worst() -> None:
    file = SourceFile.of("f(x)\n")
    node = file.tree.body[0].value  # type: ignore[attr-defined]
    known = Facts(uses=[Use(node, "torch.a", "call"), Use(node, "torch.b", "call")])
    answers = {"torch.a": Judgement("same", ENTRY), "torch.b": Judgement("left", None, "MP101", "none")}
    (found,) = assess({file: known}, lambda use, facts: answers[use.name], lambda entry: "verified", left_alone)
    assert found.api == "torch.b" and found.verdict == "missing"


def test_unresolved_places_say_why() -> None:
    file = SourceFile.of("x.view(1)\n")
    node = file.tree.body[0].value  # type: ignore[attr-defined]
    assert isinstance(node, ast.Call)
    known = Facts(unresolved=[Unresolved(node, ".view", ("torch.Tensor.view",), "parameter x has no annotation")])
    (found,) = assess({file: known}, lambda use, facts: Judgement("same"), lambda entry: "", left_alone)
    assert (found.verdict, found.code, found.certainty) == ("unresolved", "MP105", "likely")
    assert "torch.Tensor.view" in found.message and "no annotation" in found.message


def test_every_verdict_is_explained() -> None:
    assert all(meaning and not meaning.endswith(".") for meaning in VERDICTS.values())


def test_a_call_of_another_library_that_does_not_fit_says_so() -> None:
    found = one(Judgement("left", ENTRY, "MP106", why="no parameter is called range"), name="torchvision.utils.save_image")
    assert found.code == "MP106" and "range" in found.message
