"""Bytes → text, as Python itself would decode them.

Requirements: PEP 263 declarations and the UTF-8 byte order mark decide, UTF-8 otherwise; what
Python refuses to read is refused here too (UTF-16, NUL, bytes that do not fit the encoding), with
the line where it goes wrong. Text has ``\\n`` at the end of lines only; the file's own style is
returned beside it, so that writing restores it. A file that mixes styles is written in its
most frequent one.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_DECLARATION = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK_OR_COMMENT = re.compile(rb"[ \t\f]*(?:#|$)")
_LINE_END = re.compile(rb"\r\n|\r|\n")

_OTHER_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


class Undecodable(ValueError):
    """The bytes are not a Python source text; `line` is 1-based, or None for the whole file."""

    def __init__(self, message: str, line: int | None = None, advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.advice = advice


@dataclass(frozen=True)
class Decoded:
    """`text` with ``\\n`` line ends; `encoding` and `newline` write it back as it was."""

    text: str
    encoding: str
    newline: str


def decode(data: bytes) -> Decoded:
    """Decode a Python file. Raises `Undecodable` where Python would refuse the bytes."""
    _refuse_other_unicode(data)
    encoding, declared = _encoding(data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        advice = (
            "Correct the encoding in the file's first line, or save the file as UTF-8."
            if declared
            else "Save the file as UTF-8, or declare its encoding in the first line: # -*- coding: latin-1 -*-"
        )
        shown = data[error.start : error.start + 1].hex()
        raise Undecodable(
            f"byte 0x{shown} is not {encoding}", _line_of(data, error.start), advice
        ) from None
    except (LookupError, ValueError) as error:  # not a text codec; a codec that cannot decode at all
        raise Undecodable(f"the encoding {encoding!r} cannot be used: {error}", 1) from None
    if declared and declared not in text:
        raise Undecodable(
            f"the declared encoding {declared!r} does not hold the declaration itself",
            1,
            "Save the file as UTF-8 and remove the declaration.",
        )
    return Decoded(*_unify_newlines(text, encoding))


def _refuse_other_unicode(data: bytes) -> None:
    for mark, name in _OTHER_MARKS:
        if data.startswith(mark):
            raise Undecodable(f"the file is {name}", None, "Save the file as UTF-8.")
    at = data.find(b"\0")
    if at < 0:
        return
    head = data[:1000]
    if head.count(0) * 3 >= len(head):  # every second byte (or three of four) of English text
        raise Undecodable("the file looks like UTF-16 or UTF-32", None, "Save the file as UTF-8.")
    raise Undecodable(
        "the file holds a NUL byte", _line_of(data, at), "Is it a binary file? Remove the byte, or exclude the file."
    )


def _encoding(data: bytes) -> tuple[str, str | None]:
    """The encoding's name for `bytes.decode`, and the declared name where there is one."""
    marked = data.startswith(codecs.BOM_UTF8)
    if marked:
        data = data[len(codecs.BOM_UTF8) :]
    declared = None
    for line in _first_lines(data):
        found = _DECLARATION.match(line)
        if found:
            declared = found.group(1).decode("ascii", "replace")
            break
        if not _BLANK_OR_COMMENT.match(line):
            break
    if declared is None:
        return ("utf-8-sig" if marked else "utf-8"), None
    try:
        name = codecs.lookup(declared).name
    except (LookupError, ValueError):
        raise Undecodable(
            f"the encoding {declared!r} is unknown", 1, "Save the file as UTF-8 and remove the declaration."
        ) from None
    if not marked:
        return name, declared
    if name not in ("utf-8", "utf-8-sig"):
        raise Undecodable(
            f"the file starts with a UTF-8 mark and declares {declared!r}", 1, "Remove the declaration."
        )
    return "utf-8-sig", declared


def _first_lines(data: bytes) -> list[bytes]:
    if b"coding" not in data[:10_000]:
        return []
    return _LINE_END.split(data[:10_000], maxsplit=2)[:2]


def _line_of(data: bytes, offset: int) -> int:
    return len(_LINE_END.findall(data, 0, offset)) + 1


def _unify_newlines(text: str, encoding: str) -> tuple[str, str, str]:
    if "\r" not in text:
        return text, encoding, "\n"
    windows = text.count("\r\n")
    counts = {"\r\n": windows, "\n": text.count("\n") - windows, "\r": text.count("\r") - windows}
    newline = max(counts, key=lambda style: counts[style])
    return text.replace("\r\n", "\n").replace("\r", "\n"), encoding, newline
