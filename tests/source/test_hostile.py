"""Bad input becomes findings: never a traceback, never silence, and never a run of what was read."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mindport.findings import CODES
from mindport.source import edits, notebook
from mindport.source.discover import Discovery, discover
from tests.source.hostile import CASES, Case, hostile_files


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Discovery:
    """The whole corpus, read as one project."""
    root = tmp_path_factory.mktemp("hostile")
    hostile_files(root)
    return discover(root)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_reading_one_hostile_file_reports_its_codes(case: Case, tmp_path: Path) -> None:
    case.make(tmp_path / case.name)
    found = discover(tmp_path)
    assert {finding.code for finding in found.findings} == case.codes
    names = {file.relative.as_posix() for file in found.files}
    if case.parses:
        assert case.name in names
    else:
        assert case.name not in names
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("case", [case for case in CASES if case.parses], ids=lambda case: case.id)
def test_what_parses_has_positions_and_can_be_written_back(case: Case, tmp_path: Path) -> None:
    path = tmp_path / case.name
    case.make(path)
    before = path.read_bytes()
    found = discover(path)
    (file,) = found.files
    for node in ast.walk(file.tree):
        if isinstance(node, (ast.Name, ast.Constant)) and len(file.text) < 10_000:
            start, end = file.offsets(node)
            assert 0 <= start < end <= len(file.text)
    if file.cells:
        assert notebook.restore(path, file.text).encode() == before
    elif case.id != "all line ends mixed" and path.suffix == ".py":
        edits.write(path, file.text, file.encoding, file.newline)
        assert path.read_bytes() == before


def test_the_corpus_holds_what_was_promised() -> None:
    assert len(CASES) >= 40
    assert len({case.id for case in CASES}) == len(CASES)
    assert len({case.name for case in CASES}) == len(CASES)


def test_the_whole_corpus_is_read_as_one_project(whole: Discovery) -> None:
    expected = {case.name for case in CASES if case.parses}
    assert expected <= {file.relative.as_posix() for file in whole.files}
    assert {finding.code for finding in whole.findings} >= {"MP901", "MP902", "MP903", "MP904", "MP905", "MP906", "MP907"}
    for finding in whole.findings:
        assert finding.risk == CODES[finding.code].risk
        finding.path.as_posix().encode()  # printable everywhere
        finding.message.encode()


def test_trees_can_be_walked_recursively(whole: Discovery) -> None:
    class FourFrames(ast.NodeVisitor):
        """A visitor as careless as any in the other rooms."""

        def visit(self, node: ast.AST) -> None:
            self.first(node)

        def first(self, node: ast.AST) -> None:
            self.second(node)

        def second(self, node: ast.AST) -> None:
            self.generic_visit(node)

    for file in whole.files:
        FourFrames().visit(file.tree)
