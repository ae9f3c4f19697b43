"""One parsed source file, and the way from a syntax tree's positions to the user's text.

Requirements: nothing that a file holds can make loading raise or run it; a tree that leaves this
file can be walked recursively; positions count characters (the tree's own columns count
UTF-8 bytes); the indexes for positions are built on first use, so that a file nobody asks about
costs what `ast.parse` costs.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path, PurePosixPath
from typing import Protocol

from mindport.findings import CODES, Finding, Span
from mindport.source.decode import Undecodable, decode
from mindport.source.depth import MOST_NESTED, too_deep
from mindport.source.fstrings import correct_positions
from mindport.source.old_keywords import respelled
from mindport.source.walking import walk

#: Larger files are generated, and nobody ports them by hand: they are reported, not parsed.
MOST_BYTES = 5_000_000

_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?: |$)", re.MULTILINE)
_PYTHON_2 = re.compile(
    r"Missing parentheses in call to '(?:print|exec)'|leading zeros in decimal|invalid decimal literal"
    r"|multiple exception types must be parenthesized"
)
#: What CPython's parser says where it gives up because of nesting, not because of an error.
_NESTING = re.compile(r"too many nested parentheses|too many levels of indentation|too many statically nested blocks")


class Positioned(Protocol):
    """A syntax tree node that has a position."""

    lineno: int
    col_offset: int
    end_lineno: int | None
    end_col_offset: int | None


@dataclass(frozen=True)
class Cell:
    """A code cell of a notebook: `number` among all its cells, and its lines in the text, 1-based, inclusive."""

    number: int
    line: int
    end_line: int


@dataclass(eq=False)
class SourceFile:
    """A file that parses.

    `relative` is the path from the project's root, with ``/``. `text` has ``\\n`` line ends and no
    byte order mark; `encoding` and `newline` write it back (`edits.write`). `tree` belongs to
    `text`. `cells` is empty unless the file is a notebook; `notebook.restore` turns a notebook's
    changed text into a notebook again. `library` is the name of the library that the file was taken
    along from (`source.carried`), "" of the project's own. `original`: the file as the user wrote it, where
    statements of it were set apart (`source.apart`): same tree, other lines; places are told as they are there.
    `before` and `lines`: the same where statements were written as others (`source.rewritten`), and the line there of
    each line of `text`.
    """

    path: Path
    relative: PurePosixPath
    text: str
    tree: ast.Module
    encoding: str = "utf-8"
    newline: str = "\n"
    cells: tuple[Cell, ...] = ()
    library: str = ""
    original: SourceFile | None = None
    before: SourceFile | None = None
    lines: tuple[int, ...] = ()

    @staticmethod
    def of(text: str, relative: str = "module.py") -> SourceFile:
        """A file that exists in memory only. Raises `Unparsable`."""
        return SourceFile(Path(relative), PurePosixPath(relative), text, parse(text))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the tree, as `ast.walk` gives them; many ask, so they are collected once."""
        return tuple(walk(self.tree))

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *accumulate(len(line) + 1 for line in self.text.split("\n"))]

    @cached_property
    def _ascii(self) -> bool:
        return self.text.isascii()

    @property
    def line_count(self) -> int:
        """The number of lines; a text that ends in a line end has no empty line after it."""
        return len(self._line_starts) - 1 - self.text.endswith("\n")

    def line(self, number: int) -> str:
        """The text of a line (1-based) without its line end; empty beyond the file."""
        starts = self._line_starts
        if not 1 <= number < len(starts):
            return ""
        return self.text[starts[number - 1] : starts[number] - 1]

    def offset(self, line: int, byte_column: int) -> int:
        """The offset in `text` of a position as the syntax tree gives it (1-based line, UTF-8 column)."""
        start = self._line_starts[line - 1]
        if self._ascii:
            return start + byte_column
        head = self.text[start : start + byte_column]
        if head.isascii():
            return start + byte_column
        return start + len(head.encode("utf-8", "surrogatepass")[:byte_column].decode("utf-8", "surrogatepass"))

    def offsets(self, node: Positioned) -> tuple[int, int]:
        """Where `node` stands: ``text[start:end]``. A decorated definition starts at its ``def``."""
        assert node.end_lineno is not None and node.end_col_offset is not None, "the parser sets both"
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def segment(self, node: Positioned) -> str:
        """The text of `node`, without parentheses around it."""
        start, end = self.offsets(node)
        return self.text[start:end]

    def span(self, node: Positioned) -> Span:
        """The range of `node` in the user's text, in characters."""
        if self.original is not None:
            twin = self.twins.get(id(node))
            return self.original.span(twin) if twin is not None else Span(self.number(node.lineno), 0, self.number(node.lineno), 0)  # type: ignore[arg-type]
        start, end = self.offsets(node)
        starts = self._line_starts
        last = node.end_lineno or node.lineno
        if self.before is not None:
            return self._span_before(self.before, node.lineno, last, (start - starts[node.lineno - 1], end - starts[last - 1]))
        return Span(node.lineno, start - starts[node.lineno - 1], last, end - starts[last - 1])

    def _span_before(self, before: SourceFile, first: int, last: int, columns: tuple[int, int]) -> Span:
        """The place in what the user wrote; all of the lines where they read otherwise."""
        begin, end = self.number(first), self.number(last)
        if all(self.line(number) == before.line(self.number(number)) for number in (first, last)):
            return Span(begin, columns[0], end, columns[1])
        return Span(begin, len(before.line(begin)) - len(before.line(begin).lstrip()), end, len(before.line(end).rstrip()))

    @property
    def as_written(self) -> SourceFile:
        """The file with the lines that places are told in: the user's own."""
        return self.before or self

    @cached_property
    def twins(self) -> dict[int, ast.AST]:
        """By id(node): the same node of the user's own file."""
        assert self.original is not None, "statements were set apart"
        return {id(node): twin for node, twin in zip(self.nodes, self.original.nodes, strict=True)}

    @cached_property
    def _numbers(self) -> dict[int, int]:
        assert self.original is not None
        return {node.lineno: twin.lineno for node, twin in zip(self.nodes, self.original.nodes, strict=True) if hasattr(node, "lineno")}  # type: ignore[attr-defined]

    def number(self, line: int) -> int:
        """The user's own number of a line."""
        if self.original is not None:
            return self.original.number(self._numbers.get(line, line))
        return self.lines[line - 1] if self.before is not None and line <= len(self.lines) else line

    def cell_place(self, line: int) -> tuple[int, int] | None:
        """The notebook cell's number and the line within it (1-based) of a line of `text`."""
        for cell in self.cells:
            if cell.line <= line <= cell.end_line:
                return cell.number, line - cell.line + 1
        return None


class Unparsable(ValueError):
    """A text without a usable tree: the finding's code, sentence, place and advice."""

    def __init__(self, code: str, message: str, span: Span | None = None, advice: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.advice = advice

    def finding(self, relative: PurePosixPath) -> Finding:
        """This as a finding about the file `relative`."""
        return finding(self.code, self.message, relative, self.span, self.advice)


def finding(
    code: str, message: str, relative: PurePosixPath, span: Span | None = None, advice: str = ""
) -> Finding:
    """A finding with its code's own risk."""
    return Finding(code, message, relative, span, CODES[code].risk, advice=advice)


def parse(text: str) -> ast.Module:
    """The tree of a Python text. Raises `Unparsable`, and nothing else, for a text without one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except SyntaxError as error:
        raise _refusal(text, error) from None
    except (RecursionError, MemoryError):
        raise Unparsable("MP905", "Python's own parser gives up: the code is nested too deeply") from None
    except ValueError as error:  # NUL, lone surrogates, numbers with too many digits
        raise Unparsable("MP901", f"Python cannot read the text: {error}") from None
    deep = too_deep(tree)
    if deep is not None:
        span = Span(deep.lineno, 0, deep.lineno, 0)
        advice = "Split the expression, or turn the long chain of elif into a table."
        raise Unparsable("MP905", f"the code is nested more than {MOST_NESTED} levels deep", span, advice)
    correct_positions(text, tree)
    return tree


def _refusal(text: str, error: SyntaxError) -> Unparsable:
    message = error.msg or "invalid syntax"
    line = max(error.lineno or 1, 1)
    column = max((error.offset or 1) - 1, 0)
    span = Span(line, column, line, column)
    if _NESTING.search(message):
        return Unparsable("MP905", f"the code is nested too deeply: {message}", span)
    conflict = _CONFLICT.search(text)
    if conflict:
        line = text.count("\n", 0, conflict.start()) + 1
        span = Span(line, 0, line, len(conflict.group().rstrip()))
        return Unparsable("MP901", "the file holds a merge conflict", span, "Resolve the conflict first.")
    if _PYTHON_2.search(message):
        advice = "This looks like Python 2: move the file to Python 3 first."
    else:
        advice = f"Read with Python {sys.version_info.major}.{sys.version_info.minor}; newer syntax needs a newer Python."
    return Unparsable("MP901", f"the file does not parse: {message}", span, advice)


def load(path: Path, relative: PurePosixPath) -> tuple[SourceFile | None, list[Finding]]:
    """Read and parse one Python file; None where that is impossible, with a finding that says why."""
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return None, [finding("MP904", f"the file cannot be read: {reason}", relative)]
    if len(data) > MOST_BYTES:
        return None, [too_large(len(data), relative)]
    try:
        decoded = decode(data)
        text, tree = _read(decoded.text)
    except Undecodable as error:
        place = Span(error.line, 0, error.line, 0) if error.line else None
        return None, [finding("MP902", error.message, relative, place, error.advice)]
    except Unparsable as error:
        return None, [error.finding(relative)]
    return SourceFile(path, relative, text, tree, decoded.encoding, decoded.newline), []


def _read(text: str) -> tuple[str, ast.Module]:
    """A text and its tree; with the new name of an argument that became a keyword, where only that keeps it from parsing. Raises `Unparsable`."""
    try:
        return text, parse(text)
    except Unparsable:
        newer = respelled(text)
        if newer is None:
            raise
        try:
            return newer, parse(newer)
        except Unparsable:
            pass
        raise


def too_large(size: int, relative: PurePosixPath) -> Finding:
    """The finding about a file of `size` bytes that is not read."""
    return finding(
        "MP903",
        f"the file holds {size / 1e6:.1f} MB of code; files above {MOST_BYTES / 1e6:.0f} MB are not read",
        relative,
        None,
        "Generated data belongs in a data file; exclude it with --exclude.",
    )
