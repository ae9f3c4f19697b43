"""Positions of the expressions inside f-strings, where Python reports them wrongly.

Python 3.12 made f-strings part of the grammar; before, their expressions were parsed apart and given
positions by searching for their text. Python 3.10 finds the wrong place where that text occurs
earlier in the same string: in ``f"x.y {x.y}"`` the attribute would be at the words before it, and an
edit there would change what the program prints. So before 3.11 the positions are computed
here: the fields of each f-string are found in the text, each is parsed again, and the two trees,
which are alike, are walked side by side.

Known unsoundness: a tuple without parentheses (``f"{a, b}"``) is given the braces, as Python 3.11 does.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from itertools import accumulate

_MAY_HOLD = re.compile(r"[fF][rR]?['\"]|[rR][fF]['\"]")
_OPENING = re.compile(r"([A-Za-z]*)('{3}|\"{3}|'|\")")


def correct_positions(text: str, tree: ast.Module) -> None:
    """Set the positions inside f-strings of `tree`, which belongs to `text`, where Python is known to be wrong."""
    if sys.version_info < (3, 11) and _MAY_HOLD.search(text):
        place_fields(text, tree)


def place_fields(text: str, tree: ast.Module) -> None:
    """Set the positions of every node inside an f-string. For Python before 3.12 only."""
    strings = _strings(text)
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    for node in ast.walk(tree):  # outer before inner: a nested f-string has its place before it is entered
        if not isinstance(node, ast.JoinedStr):
            continue
        start, end = _offset(text, starts, node.lineno, node.col_offset), _offset(
            text, starts, node.end_lineno or 0, node.end_col_offset or 0
        )
        if start in strings:
            expressions = [span for at in _run(strings, start, end) for span in _fields(text, at, strings[at])]
        else:  # inside a field of another f-string, where tokenize sees only the outer one
            expressions = [span for at, stop in _inner(text, start, end) for span in _fields(text, at, stop)]
        values = list(_values(node))
        if len(values) == len(expressions):
            for value, (left, right) in zip(values, expressions, strict=True):
                _place(text, starts, value, left, right)


def _offset(text: str, starts: list[int], line: int, column: int) -> int:
    start = starts[line - 1]
    return start + len(text[start : start + column].encode()[:column].decode())


def _strings(text: str) -> dict[int, int]:
    """Start and end offset of every string token."""
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    found = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING:
            found[starts[token.start[0] - 1] + token.start[1]] = starts[token.end[0] - 1] + token.end[1]
    return found


def _run(strings: dict[int, int], start: int, end: int) -> list[int]:
    return sorted(at for at in strings if start <= at < end)


def _inner(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The string literals of ``text[start:end]``, which holds nothing but strings side by side."""
    for token in tokenize.generate_tokens(io.StringIO(f"({text[start:end]})").readline):
        if token.type == tokenize.STRING and token.start[0] == 1:
            yield start + token.start[1] - 1, start + token.end[1] - 1


def _values(node: ast.JoinedStr) -> Iterator[ast.expr]:
    """The expressions of an f-string in the order of the text, those of format specifications included."""
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            yield part.value
            if isinstance(part.format_spec, ast.JoinedStr):
                yield from _values(part.format_spec)


def _fields(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The spans of the expressions in one string literal."""
    opening = _OPENING.match(text, start)
    if opening is None or "f" not in opening.group(1).lower():
        return
    yield from _replacements(text, opening.end(), end - len(opening.group(2)), is_specification=False)


def _replacements(text: str, at: int, end: int, is_specification: bool) -> Iterator[tuple[int, int]]:
    while at < end:
        if text.startswith("\\N{", at) and not is_specification:
            at = text.index("}", at) + 1
        elif not is_specification and text[at : at + 2] in ("{{", "}}"):
            at += 2
        elif text[at] == "{":
            stop = _end_of_expression(text, at + 1)
            yield at + 1, stop
            at = stop
            if text.startswith("=", at):  # f"{x = }"
                at += 1
                while text[at].isspace():
                    at += 1
            if text[at] == "!":
                at += 2
            if text[at] == ":":
                close = _end_of_specification(text, at + 1)
                yield from _replacements(text, at + 1, close, is_specification=True)
                at = close
            at += 1
        else:
            at += 1


def _end_of_expression(text: str, at: int) -> int:
    """Where the expression that starts at `at` ends: at ``=``, ``!``, ``:`` or ``}`` outside brackets and strings."""
    depth = 0
    while True:
        sign = text[at]
        if sign in "'\"":
            quote = sign * 3 if text.startswith(sign * 3, at) else sign
            at = text.index(quote, at + len(quote)) + len(quote)
            continue
        if sign in "([{":
            depth += 1
        elif depth and sign in ")]}":
            depth -= 1
        elif not depth:
            if sign in "}:" or (sign == "!" and text[at + 1] != "="):
                return at
            if sign == "=" and text[at + 1] != "=" and text[at - 1] not in "=!<>":
                return at
        at += 1


def _end_of_specification(text: str, at: int) -> int:
    while text[at] != "}":
        if text[at] == "{":
            at = text.index("}", _end_of_expression(text, at + 1))  # no third level exists
        at += 1
    return at


def _place(text: str, starts: list[int], value: ast.expr, left: int, right: int) -> None:
    """Give `value`, whose text is ``text[left:right]``, and all below it their positions."""
    line = text.count("\n", 0, left) + 1
    column = len(text[starts[line - 1] : left].encode())
    try:
        again = ast.parse(f"({text[left:right]})", mode="eval").body
    except SyntaxError:  # a form that only the f-string itself allows: the positions stay as they are
        return
    for node, other in zip(ast.walk(value), ast.walk(again), strict=False):
        if type(node) is not type(other):
            return
        if isinstance(other, (ast.expr, ast.keyword, ast.arg)):
            _move(node, other, line, column)


def _move(node: ast.AST, other: ast.expr | ast.keyword | ast.arg, line: int, column: int) -> None:
    """`other` was parsed from column 1 (after a parenthesis) of line 1; `node` gets the place in the file."""
    last = other.end_lineno or other.lineno
    node.lineno = other.lineno + line - 1  # type: ignore[attr-defined]
    node.end_lineno = last + line - 1  # type: ignore[attr-defined]
    node.col_offset = other.col_offset + (column - 1 if other.lineno == 1 else 0)  # type: ignore[attr-defined]
    node.end_col_offset = (other.end_col_offset or 0) + (column - 1 if last == 1 else 0)  # type: ignore[attr-defined]
