"""mindport explain: every code, from a checkout and from an installation."""

from __future__ import annotations

import json
import re

import pytest

from mindport.findings import CODES
from mindport.report import code_pages
from tests.cli.commands import Ran
from tests.project.layout import ROOT


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_explained(code: str) -> None:
    ran = Ran("explain", code.lower())
    assert ran.code == 0 and CODES[code].title in ran.out and "What to do" in ran.out


def test_all_codes_are_listed() -> None:
    ran = Ran("explain")
    assert ran.code == 0 and all(code in ran.out for code in CODES)
    listed = json.loads(Ran("explain", "--format", "json").out)
    assert [each["code"] for each in listed] == list(CODES)


def test_json_holds_the_page() -> None:
    told = json.loads(Ran("explain", "MP103", "--format", "json").out)
    assert told["code"] == "MP103" and told["page"].startswith("# MP103 ")


def test_an_unknown_code_leads_to_the_nearest() -> None:
    ran = Ran("explain", "MP130")
    assert ran.code == 2 and re.search(r"near: MP\d\d\d", ran.err)


def test_the_wheel_holds_the_pages_where_they_are_looked_for() -> None:
    declared = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.search(r'"docs/codes" = "mindport/report/codes"', declared)
    assert [place.name for place in code_pages._PLACES] == ["codes", "codes"]
    assert code_pages._PLACES[0].parent == ROOT / "src" / "mindport" / "report"
