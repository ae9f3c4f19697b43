"""The official table's rows, what running them came to, and the page made of both."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.evidence.official.page import consistent, page
from mindport.evidence.official.rows import VERDICTS, Row, Told, path, read, rows, write
from mindport.evidence.official_table import PAGE

ROWS = rows()
RESULTS = read(path("cpu", "2.10.0"))


def test_every_row_has_a_result() -> None:
    assert len(ROWS) > 1200 and {row.key for row in ROWS} == set(RESULTS)
    assert {told.verdict for told in RESULTS.values()} <= set(VERDICTS)


def test_a_bad_result_has_a_counter_example() -> None:
    for told in RESULTS.values():
        if told.verdict in ("differs", "raises"):
            assert told.call.startswith("torch.") or "torch." in told.call, told
            assert told.message, told


def test_the_page_is_made_of_the_results() -> None:
    assert PAGE.read_text("utf-8") == page(ROWS, RESULTS)


def test_results_survive_writing(tmp_path: Path) -> None:
    write(tmp_path / "x.tsv", RESULTS)
    assert read(tmp_path / "x.tsv") == {key: Told(*(" ".join(part.split()) for part in told)) for key, told in RESULTS.items()}


def test_the_newest_version_decides_what_a_row_says() -> None:
    assert consistent(Row("torch.a", "mindspore.a", "diff", "consistent"))
    assert consistent(Row("torch.a", "mindspore.a", "The functions are consistent, but the parameter names are inconsistent.", ""))
    assert not consistent(Row("torch.a", "mindspore.a", "diff", ""))


@pytest.mark.frameworks
def test_rows_run_in_a_worker_that_tells_right_from_wrong() -> None:
    from mindport.evidence.official_table import run_row
    from mindport.evidence.processes import Worker

    worker = Worker("mindport.evidence.official.worker")
    try:
        right = run_row(Row("torch.abs", "mindspore.ops.abs", "", ""), worker)
        wrong = run_row(Row("torch.flatten", "mindspore.ops.flatten", "", ""), worker)
        gone = run_row(Row("torch.abs", "mindspore.ops.no_such_name", "", ""), worker)
    finally:
        worker.stop()
    assert (right.verdict, gone.verdict) == ("agrees", "missing")
    assert wrong.verdict == "differs" and "shape" in wrong.message and wrong.call.startswith("torch.flatten(")
