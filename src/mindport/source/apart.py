"""``a = x[:, 1]; a *= 2``: statements that share a line get lines of their own.

What is written behind or around a statement needs a line. The text changes, the tree does not: the new file's nodes come in the same order as the
old one's, so that places are still told as the user's own (`SourceFile.original`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import pairwise

from mindport.source import edits
from mindport.source.edits import Edit
from mindport.source.file import SourceFile, parse

_BLOCKS = ("body", "orelse", "finalbody")
_HEADERS = re.compile(r".*:[ \t]*", re.DOTALL)
_LAST = re.compile(r"[ \t]*;[ \t]*(?:#|$)", re.MULTILINE)
_STEP = "    "


def apart(file: SourceFile, lines: Collection[int]) -> SourceFile:
    """The file with all statements apart that begin on one of `lines` (1-based) beside others, or behind a header; itself where none can be."""
    changes = [edit for owner, block in _blocks(file) for group in _groups(block) if any(one.lineno in lines for one in group) for edit in _parted(file, owner, group)]
    if not changes:
        return file
    text = edits.apply(file.text, changes)
    new = replace(file, text=text, tree=parse(text), original=file.original or file)
    assert len(new.nodes) == len(file.nodes), "only lines change"
    return new


def alone(file: SourceFile, statement: ast.stmt) -> bool:
    """Whether no other statement, and no header, shares a simple statement's lines, which no backslash joins."""
    start, end = file.offsets(statement)
    before = file.text[file.text.rfind("\n", 0, start) + 1 : start]
    after = file.text[end : file.text.find("\n", end) if "\n" in file.text[end:] else len(file.text)].strip()
    return not before.strip() and (not after or after.startswith("#")) and "\\\n" not in file.text[max(0, start - len(before) - 2) : end]


def _blocks(file: SourceFile) -> Iterator[tuple[ast.AST, list[ast.stmt]]]:
    for node in file.nodes:
        for name in _BLOCKS:
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                yield node, block


def _groups(block: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """Runs of statements each of which begins where the one before ends."""
    group = block[:1]
    for before, statement in pairwise(block):
        if statement.lineno != before.end_lineno:
            yield group
            group = []
        group.append(statement)
    yield group


def _parted(file: SourceFile, owner: ast.AST, group: list[ast.stmt]) -> list[Edit]:
    """The line ends that set a run of statements apart; none where a line goes on by a backslash."""
    start, end = file.offsets(group[0])[0], file.offsets(group[-1])[1]
    line_start = file.text.rfind("\n", 0, start) + 1
    head = file.text[line_start:start]
    if file.text[:line_start].endswith("\\\n"):
        return []
    found: list[Edit] = []
    indent = head
    if head.strip():  # behind ``if c:``
        if isinstance(owner, ast.Module) or not _HEADERS.fullmatch(head):
            return []
        indent = _indent_of_header(file, owner, group[0].lineno) + _step(file)
        blank = line_start + len(head.rstrip())
        found.append(Edit(blank, start, file.text[blank:start], f"\n{indent}"))
    for before, statement in pairwise(group):
        a, b = file.offsets(before)[1], file.offsets(statement)[0]
        if file.text[a:b].strip() != ";" or "\n" in file.text[a:b]:
            return []
        found.append(Edit(a, b, file.text[a:b], f"\n{indent}"))
    rest = file.text[end : (file.text.find("\n", end) + 1) or len(file.text)]
    if _LAST.match(rest):
        semicolon = end + rest.index(";") + 1
        found.append(Edit(end, semicolon, file.text[end:semicolon], ""))
    return found


def _indent_of_header(file: SourceFile, owner: ast.AST, line: int) -> str:
    """What stands before the header: on the line itself, or on that of the statement whose condition goes over several."""
    lines = [line, owner.lineno] if isinstance(owner, (ast.stmt, ast.ExceptHandler)) else [line]
    return min((_blanks(file.line(number)) for number in lines), key=len)


def _blanks(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _step(file: SourceFile) -> str:
    """One step of indentation as the file has it."""
    first = next((block[0] for owner, block in _blocks(file) if isinstance(owner, ast.stmt) and block[0].lineno > owner.lineno), None)
    if first is None:
        return _STEP
    line = file.line(first.lineno)
    return "\t" if line.startswith("\t") else _STEP
