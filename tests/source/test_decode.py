"""Decoding agrees with Python's own reading of source bytes."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindport.source.decode import Undecodable, decode

_HEADS = st.sampled_from(
    [b"", b"\xef\xbb\xbf", b"# coding: latin-1\n", b"#!/x\n# vim: set fileencoding=gbk :\n", b"\n \t# -*- coding: utf-8 -*-\n", b"x = 1\n# coding: klingon\n"]
)


@given(_HEADS, st.binary(max_size=40).map(lambda data: data.translate(None, b"\r\n\0\x1a'\\")))
def test_it_reads_what_python_reads(head: bytes, body: bytes) -> None:
    data = head + b"x = '" + body + b"'\n"
    try:
        expected = ast.dump(ast.parse(data))
    except (SyntaxError, ValueError):
        with pytest.raises(Undecodable):
            decode(data)
        return
    assert ast.dump(ast.parse(decode(data).text)) == expected


@given(st.binary(max_size=200))
def test_any_bytes_give_text_or_a_refusal(data: bytes) -> None:
    try:
        decoded = decode(data)
    except Undecodable as error:
        assert error.message
        return
    assert "\r" not in decoded.text


@pytest.mark.parametrize(
    ("data", "newline"),
    [(b"a\nb\r\n\n", "\n"), (b"a\r\nb\r\nc\n", "\r\n"), (b"a\rb\r", "\r"), (b"a", "\n")],
    ids=["mostly unix", "mostly windows", "old mac", "none"],
)
def test_the_most_frequent_line_end_is_kept(data: bytes, newline: str) -> None:
    assert decode(data).newline == newline


def test_the_line_of_the_wrong_byte_is_named() -> None:
    with pytest.raises(Undecodable) as caught:
        decode(b"a\r\nb\rc\n'\xe9'\n")
    assert caught.value.line == 4
