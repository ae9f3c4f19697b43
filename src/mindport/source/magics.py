"""IPython's magics and shell lines in a cell: taken out of Python's sight, line by line, and put back.

A line ``%time f(x)`` becomes ``pass  # mindport magic: %time f(x)``: it parses wherever a statement
may stand, keeps every line's number, and says itself what it was. Lines that are no statement of
their own (a command's second line, a whole cell in another language) become comments.
"""

from __future__ import annotations

import ast
import re
import warnings

_MARK = "# mindport magic: "
_MARKED = re.compile(r"^(?:([ \t]*)pass  )?" + _MARK + r"(.*)$", re.MULTILINE)

#: Cell magics whose cell is Python; the cell of any other one is another language.
_PYTHON_CELLS = frozenset(("%%time", "%%timeit", "%%capture", "%%prun", "%%python", "%%python3", "%%pypy"))

_MAGIC = re.compile(
    r"[ \t]*(?:%{1,2}[A-Za-z_]|!|\?{1,2}\w|[,;/](?=\w+ ))"  # %magic, !shell, ?help, ,autocall
    r"|[ \t]*[\w.]+(?:\(\))?\?{1,2}[ \t]*$"  # help?
    r"|[ \t]*[\w.,\[\] \t]+=[ \t]*(?:!|%[A-Za-z_])"  # x = !ls, x = %time f()
)
_TOKEN = re.compile(
    r"""'{3}|\"{3}|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\#[^\n]*|[(\[{]|[)\]}]|\\$""", re.VERBOSE
)


def parses(text: str) -> bool:
    """Is `text` plain Python?"""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def neutralise(cell: str) -> tuple[str, int]:
    """The cell with its magics marked, and how many lines that changed; plain Python stays as it is."""
    if parses(cell):
        return cell, 0
    lines = cell.split("\n")
    if is_foreign(cell):
        return mark_all(cell), len(lines)
    outside = _Outside()
    marked = 0
    continues = False
    for at, line in enumerate(lines):
        if continues or (outside.statement_starts() and _MAGIC.match(line)):
            lines[at] = _MARK + line if continues else _mark(line)
            marked += 1
            continues = line.endswith("\\")
        else:
            outside.read(line)
    return "\n".join(lines), marked


def is_foreign(cell: str) -> bool:
    """Is the cell, magics restored, in another language than Python?"""
    magic = cell_magic(cell)
    return bool(magic) and magic.split()[0] not in _PYTHON_CELLS


def cell_magic(cell: str) -> str:
    """The line ``%%name …`` that the cell starts with, empty lines before it included; else nothing."""
    found = re.match(r"\s*%%\S.*\n?", cell)
    return found.group() if found else ""


def mark_all(cell: str) -> str:
    """Every line of the cell marked, so that nothing of it is analysed."""
    return "\n".join(_MARK + line for line in cell.split("\n"))


def restore(text: str) -> str:
    """The inverse of `neutralise` and `mark_all`, on a text that may have changed elsewhere."""
    return _MARKED.sub(r"\1\2", text)


def is_marked(text: str) -> bool:
    """Does `text` hold the mark already, so that restoring would change it?"""
    return _MARKED.search(text) is not None


def _mark(line: str) -> str:
    code = line.lstrip(" \t")
    return f"{line[: len(line) - len(code)]}pass  {_MARK}{code}"


class _Outside:
    """Follows strings and brackets over lines: may a statement start at the next line?"""

    def __init__(self) -> None:
        self._quote = ""  # of the triple-quoted string that is open
        self._brackets = 0
        self._joined = False  # the last line ended in a backslash

    def statement_starts(self) -> bool:
        return not self._quote and self._brackets <= 0 and not self._joined

    def read(self, line: str) -> None:
        self._joined = False
        at = 0
        while True:
            if self._quote:
                end = _end_of_string(line, at, self._quote)
                if end < 0:
                    return
                self._quote, at = "", end
            token = _TOKEN.search(line, at)
            if token is None:
                return
            at = token.end()
            text = token.group()
            if text in ("'''", '"""'):
                self._quote = text
            elif text in "([{":
                self._brackets += 1
            elif text in ")]}":
                self._brackets -= 1
            elif text == "\\":
                self._joined = True


def _end_of_string(line: str, at: int, quote: str) -> int:
    while at < len(line):
        if line[at] == "\\":
            at += 2
        elif line.startswith(quote, at):
            return at + len(quote)
        else:
            at += 1
    return -1
