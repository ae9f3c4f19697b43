"""Statements written as others: places are told in the user's own lines."""

from __future__ import annotations

import ast

from mindport.findings import Span
from mindport.source.apart import apart
from mindport.source.file import SourceFile
from mindport.source.rewritten import Rewritten, rewritten

TEXT = "a = 1\nb = [f(i) for i in c]\nd = g(a); e = 2\n"


def changed() -> SourceFile:
    return rewritten(SourceFile.of(TEXT), [Rewritten(2, 2, (("b = []", 2), ("for i in c:", 2), ("    b.append(f(i))", 2)))])


def spans(file: SourceFile, name: str) -> list[Span]:
    return [file.span(node) for node in file.nodes if isinstance(node, ast.Name) and node.id == name]


def test_lines_know_the_users_own() -> None:
    file = changed()
    assert file.text == "a = 1\nb = []\nfor i in c:\n    b.append(f(i))\nd = g(a); e = 2\n"
    assert [file.number(line) for line in range(1, 6)] == [1, 2, 2, 2, 3]
    assert file.as_written.text == TEXT and file.as_written.line_count == 3


def test_what_was_written_is_told_where_it_stood_and_what_was_not_as_its_line() -> None:
    assert spans(changed(), "g") == [Span(3, 4, 3, 5)]
    assert spans(changed(), "f") == [Span(2, 0, 2, 21)]


def test_again_and_apart() -> None:
    twice = rewritten(changed(), [Rewritten(3, 4, (("while c:", 3), ("    pass", 4), ("    b.append(f(c))", 4)))])
    assert [twice.number(line) for line in range(1, 7)] == [1, 2, 2, 2, 2, 3] and twice.as_written.text == TEXT
    parted = apart(twice, range(1, 100))
    assert parted.text.endswith("d = g(a)\ne = 2\n")
    assert [parted.number(line) for line in (6, 7)] == [3, 3]
    assert spans(parted, "e") == [Span(3, 10, 3, 11)] and spans(parted, "f") == [Span(2, 0, 2, 21)]
