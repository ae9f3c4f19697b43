"""Statements that share a line are set apart: the tree stays, and places are told as the user wrote them."""

from __future__ import annotations

import ast
import sysconfig
from pathlib import Path, PurePosixPath

import pytest

from mindport.source.apart import apart
from mindport.source.file import SourceFile, load

EVERY = range(1, 10_000)


def text_of(text: str, lines: range = EVERY) -> str:
    return apart(SourceFile.of(text), lines).text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a = 1; b = 2  # both\nc = 3\n", "a = 1\nb = 2  # both\nc = 3\n"),
        ("if c: a = 1; b = 2;\nelse: a = 2\n", "if c:\n    a = 1\n    b = 2\nelse:\n    a = 2\n"),
        ("def f():\n\tif c:\n\t\tpass\n\tfor x in y: a = x; b = x\n", "def f():\n\tif c:\n\t\tpass\n\tfor x in y:\n\t\ta = x\n\t\tb = x\n"),
        ("def f():\n    if (a and\n            b): c = 1\n", "def f():\n    if (a and\n            b):\n        c = 1\n"),
        ("def f():\n    try: a = 1\n    except E: a = 2; b = 3\n    finally: d = 1\n", "def f():\n    try:\n        a = 1\n    except E:\n        a = 2\n        b = 3\n    finally:\n        d = 1\n"),
        ("a = f(1,\n      2); b = 3\n", "a = f(1,\n      2)\nb = 3\n"),
        ("a = 'x;y'; b = ';'\n", "a = 'x;y'\nb = ';'\n"),
        ("a = 1; \\\n  b = 2\n", "a = 1; \\\n  b = 2\n"),  # goes on by a backslash: stays
        ("match a:\n    case 1: b = 1; c = 2\n", "match a:\n    case 1:\n        b = 1\n        c = 2\n"),
    ],
)
def test_lines_of_their_own(before: str, after: str) -> None:
    assert text_of(before) == after


def test_only_the_lines_that_are_asked_for() -> None:
    assert text_of("a = 1; b = 2\nc = 3; d = 4\n", range(2, 3)) == "a = 1; b = 2\nc = 3\nd = 4\n"


def test_places_are_the_users() -> None:
    file = SourceFile.of("é = 1; b = é\nif b: c = b; d = c\ne = d\n")
    new = apart(apart(file, [1]), [3])  # the second time by the new file's lines
    assert new.text == "é = 1\nb = é\nif b:\n    c = b\n    d = c\ne = d\n"
    assert [new.span(node) for node in new.nodes if hasattr(node, "lineno")] == [file.span(node) for node in file.nodes if hasattr(node, "lineno")]
    assert [new.number(line) for line in range(1, 7)] == [1, 1, 2, 2, 2, 3]


def test_a_file_without_such_lines_is_itself() -> None:
    file = SourceFile.of("a = 1\nif a:\n    b = 2\n")
    assert apart(file, EVERY) is file


def test_pythons_own_modules_keep_their_trees() -> None:
    changed = 0
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py")):
        file, _ = load(path, PurePosixPath(path.name))
        if file is not None and (new := apart(file, range(1, file.line_count + 1))) is not file:
            changed += 1
            assert ast.dump(new.tree) == ast.dump(file.tree), path
            assert all(new.span(node) == file.span(twin) for node, twin in zip(new.nodes, file.nodes, strict=True) if isinstance(node, ast.stmt)), path
    assert changed > 20
