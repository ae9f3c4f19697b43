"""The 100 measured differences: every row has a program or a reason, a result, and stands on the page."""

from __future__ import annotations

import ast
import json

from mindport.evidence.differences.rows import ROWS
from mindport.evidence.differences.run import MEANINGS, PAGE, RESULTS, page

MEASURED = {int(number): told for number, told in json.loads(RESULTS.read_text("utf-8")).items()}


def test_a_hundred_rows_with_a_program_for_either_side_or_a_reason() -> None:
    assert [row.number for row in ROWS] == list(range(1, 101))
    for row in ROWS:
        assert bool(row.why) != bool(row.torch and row.mindspore), row.number
        for program in (row.torch, row.mindspore):
            if program:
                ast.parse(program, mode="eval")


def test_every_program_was_run() -> None:
    assert set(MEASURED) == {row.number for row in ROWS if not row.why}
    assert {told["verdict"] for told in MEASURED.values()} <= set(MEANINGS) - {""}


def test_a_program_fails_for_the_difference_and_not_for_a_mistake_in_it() -> None:
    for number, told in MEASURED.items():
        assert "NameError" not in told["torch"] + told["mindspore"], number
        assert told["verdict"] != "torch raises" or number in (33, 38, 64), number


def test_the_page_is_made_of_the_results() -> None:
    assert PAGE.read_text("utf-8") == page(MEASURED)
