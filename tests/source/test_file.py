"""Positions: the tree's byte columns against the characters of the text."""

from __future__ import annotations

import ast
import warnings
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindport.findings import Span
from mindport.source.depth import MOST_NESTED, too_deep
from mindport.source.file import SourceFile, Unparsable, load, parse

_LETTERS = st.text(st.sampled_from("aé张😀ß_"), min_size=1, max_size=6)
_STRINGS = st.text(st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="'\\{}"), max_size=8)


@given(st.lists(st.tuples(_LETTERS, _STRINGS), min_size=1, max_size=5))
def test_segments_are_the_nodes_text(parts: list[tuple[str, str]]) -> None:
    lines = [f"'{string}', {name.replace('😀', 'x')} . attribute  # {string}" for name, string in parts]
    file = SourceFile.of("\n".join(lines))
    attributes = [node for node in ast.walk(file.tree) if isinstance(node, ast.Attribute)]
    strings = [node for node in ast.walk(file.tree) if isinstance(node, ast.Constant)]
    attributes.sort(key=lambda node: node.lineno)
    strings.sort(key=lambda node: node.lineno)
    for node, constant, (name, string) in zip(attributes, strings, parts, strict=True):
        assert file.segment(node) == name.replace("😀", "x") + " . attribute"
        assert file.segment(constant) == f"'{string}'"
        start, end = file.offsets(node)
        assert file.span(node) == Span(node.lineno, len(string) + 4, node.lineno, len(string) + 4 + end - start)


def test_a_node_over_several_lines() -> None:
    file = SourceFile.of("é = f(\n  'é', g(\n   'ü'\n))\n")
    call = file.tree.body[0].value  # type: ignore[attr-defined]
    assert file.segment(call) == "f(\n  'é', g(\n   'ü'\n))"
    assert file.span(call) == Span(1, 4, 4, 2)
    assert file.segment(call.args[1]) == "g(\n   'ü'\n)"


def test_lines() -> None:
    file = SourceFile.of("a\n\x0c\nb\u2028c = '\x85'".replace("b\u2028", "'\u2028'; "))
    assert file.line_count == 3
    assert file.line(3) == "'\u2028'; c = '\x85'"
    assert (file.line(0), file.line(4)) == ("", "")
    assert SourceFile.of("a\nb\n").line_count == 2
    assert SourceFile.of("").line_count == 1


def test_files_are_compared_by_identity() -> None:
    one, other = SourceFile.of("x"), SourceFile.of("x")
    assert one != other
    assert len({one, other}) == 2


def test_a_syntax_error_has_a_place_and_advice() -> None:
    with pytest.raises(Unparsable) as caught:
        parse("x = 1\ny = (2\n")
    assert caught.value.code == "MP901"
    assert caught.value.span is not None and caught.value.span.line == 2
    with pytest.raises(Unparsable) as caught:
        parse("print 'x'\n")
    assert "Python 2" in caught.value.advice
    with pytest.raises(Unparsable) as caught:
        parse("x = 1\n<<<<<<< HEAD\n=======\n>>>>>>> other\n")
    assert caught.value.span is not None and caught.value.span.line == 2
    assert "conflict" in caught.value.message


def test_warnings_about_the_users_code_are_not_shown() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse("x = '\\d'\nassert (x, 'message')\nx is 'a'\n")


@pytest.mark.parametrize("levels", [MOST_NESTED // 2, MOST_NESTED + 10])
def test_the_limit_counts_statements_and_expressions(levels: int) -> None:
    chain = "x = y" + ".attribute" * levels
    elifs = "if a: pass\n" + "elif a: pass\n" * levels
    for text in (chain, elifs):
        assert (too_deep(ast.parse(text)) is not None) == (levels > MOST_NESTED)


@given(st.recursive(st.just("x"), lambda inner: st.one_of(inner.map("-{}".format), inner.map("({})".format), st.tuples(inner, inner).map(" + ".join)), max_leaves=60))
def test_ordinary_nesting_is_never_refused(expression: str) -> None:
    parse(expression)


_TOKENS = st.sampled_from(
    ["x", " ", "\n", "    ", "\t", "(", ")", "[", "]", "{", "}", ":", "=", ",", ".", "def f", "class A", "lambda", "if", "else", "f'", "'", '"""', "\\",
     "0", "0x", "1e999", "@", "->", "*", "**", "async", "await", "match", "case", "type X", "import", "from", "\x0c", "\x1a", "é", "\u2028", "\ud800", "\0", "#", "%", "!"]
)  # fmt: skip


@given(st.lists(_TOKENS, max_size=40).map("".join))
def test_any_text_gives_a_tree_or_a_refusal(text: str) -> None:
    try:
        file = SourceFile.of(text)
    except Unparsable as error:
        assert error.code in ("MP901", "MP905")
        assert error.message
        return
    for node in ast.walk(file.tree):
        if isinstance(node, (ast.stmt, ast.expr)):
            start, end = file.offsets(node)
            assert 0 <= start <= end <= len(text)


@given(st.binary(max_size=300))
def test_any_bytes_give_a_file_or_a_finding(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "x.py"
    path.write_bytes(data)
    file, findings = load(path, PurePosixPath("x.py"))
    assert (file is None) == bool(findings)
