"""Runs the documents in `cases/`: each pair of blocks is a program before and after conversion."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

_PAIR = re.compile(r"(?P<title>[^\n]+)\n\n?```python before\n(?P<before>.*?)```\n```python after\n(?P<after>.*?)```", re.DOTALL)


def _cases() -> list[object]:
    found = []
    for path in sorted((Path(__file__).parent / "cases").glob("*.md")):
        for match in _PAIR.finditer(path.read_text(encoding="utf-8")):
            found.append(pytest.param(match["before"], match["after"], id=f"{path.stem}: {match['title']}"))
    return found


def converted(tmp_path: Path, text: str) -> str:
    """The text of one program after conversion."""
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    conversion = convert(discover(tmp_path))
    return next(text for path, text in conversion.files.items() if path.name == "program.py")


@pytest.mark.parametrize(("before", "after"), _cases())
def test_a_program_becomes(tmp_path: Path, before: str, after: str) -> None:
    compile(after, "expected", "exec")
    assert converted(tmp_path, before) == after


@pytest.mark.parametrize(("before", "after"), _cases())
def test_converting_twice_changes_nothing(tmp_path: Path, before: str, after: str) -> None:
    once = converted(tmp_path, before)
    assert converted(tmp_path, once) == once
