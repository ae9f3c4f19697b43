"""Every code has a page, and every page a code."""

from __future__ import annotations

import re

import pytest

from mindport.findings import CODES, RISKS, Code
from tests.project.layout import ROOT, package_files

PAGES = ROOT / "docs" / "codes"
_CODE = re.compile(r"MP\d{3}")


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.id)
def test_a_code_has_a_page(code: Code) -> None:
    text = (PAGES / f"{code.id}.md").read_text(encoding="utf-8")
    head, _, body = text.partition("\n")
    assert head == f"# {code.id} {code.title}"
    assert f"Risk: {code.risk}" in body and f"Effort: {code.effort}" in body
    for section in ("## What it means", "## Example", "## What to do"):
        assert section in body
    assert code.zh in body
    assert body.count("\n") <= 60


def test_a_page_has_a_code() -> None:
    assert {path.stem for path in PAGES.glob("MP*.md")} == set(CODES)


def test_codes_are_well_formed() -> None:
    for code in CODES.values():
        assert re.fullmatch(r"MP[1-9]\d\d", code.id)
        assert code.risk in RISKS
        assert code.zh and not code.title.endswith(".")


def test_no_file_speaks_of_a_code_that_does_not_exist() -> None:
    for path in package_files():
        assert set(_CODE.findall(path.read_text(encoding="utf-8"))) <= set(CODES), path
