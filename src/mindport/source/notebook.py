"""Jupyter notebooks: the code cells as one text, and that text, changed, as a notebook again.

The text holds, before each cell's lines, a comment line that names the cell (``# %% cell 3``).
`restore` cuts the text there, so edits need not know about notebooks: what was inserted
before the first such line belongs to the first Python cell.
"""

from __future__ import annotations

import json
import re
from pathlib import Path, PurePosixPath
from typing import Any

from mindport.findings import Finding, Span
from mindport.source import magics
from mindport.source.edits import EditConflict
from mindport.source.file import MOST_BYTES, Cell, SourceFile, Unparsable, finding, parse, too_large

#: Notebooks hold their outputs (images, tables), so they may be larger than the code in them.
MOST_NOTEBOOK_BYTES = 100_000_000

_HEAD = "# %% cell {}"
_HEAD_LINE = re.compile(r"^# %% cell (\d+)\n", re.MULTILINE)
_SURROGATE = re.compile("[\ud800-\udfff]")
_INDENT = re.compile(r"\n([ \t]+)\S")


class _Malformed(ValueError):
    """Not a notebook; the message is a sentence for the user."""


def load(path: Path, relative: PurePosixPath) -> tuple[SourceFile | None, list[Finding]]:
    """Read the Python code of a notebook.

    None without a finding for a notebook in another language; None with one where the notebook is
    malformed (MP906), cannot be read (MP904) or is too large (MP903). Magics are one MP907 for
    the notebook; a cell that does not parse is an MP901, and the other cells go on.
    """
    try:
        if path.stat().st_size > MOST_NOTEBOOK_BYTES:
            return None, [too_large(path.stat().st_size, relative)]
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return None, [finding("MP904", f"the notebook cannot be read: {reason}", relative)]
    try:
        document = _document(data)
        if not _is_python(document):
            return None, []
        sources = _code_cells(document)
    except _Malformed as error:
        advice = "Open it in Jupyter and save it again, or exclude it."
        return None, [finding("MP906", f"the notebook is malformed: {error}", relative, None, advice)]
    size = sum(len(source) for _, source in sources)
    if size > MOST_BYTES:
        return None, [too_large(size, relative)]
    return _assemble(path, relative, sources)


def restore(path: Path, text: str) -> str:
    """The notebook at `path` as JSON, with its code cells replaced by those of `text`.

    `text` is `SourceFile.text` after edits. A changed cell loses its outputs, which are the old
    code's; everything else stays. Raises `EditConflict` when the cells are no longer the ones that
    `text` was made from, OSError when the file is gone.
    """
    data = path.read_bytes()
    try:
        document = _document(data)
        sources = dict(_code_cells(document))
    except _Malformed as error:
        raise EditConflict(f"the notebook changed since it was read: {error}") from None
    parts = _cut(text)
    if [number for number, _ in parts] != list(sources):
        raise EditConflict("the code cells are not the ones that the text was made from")
    for number, code in parts:
        if code != sources[number]:
            cell = document["cells"][number]
            cell["source"] = code.splitlines(keepends=True) if isinstance(cell["source"], list) else code
            cell["outputs"], cell["execution_count"] = [], None
    raw = data.decode("utf-8-sig")
    found = _INDENT.search(raw)
    indent = found.group(1) if found else None
    shown = json.dumps(document, ensure_ascii=raw.isascii() and "\\u" in raw, indent=indent)
    if _SURROGATE.search(shown):  # in an output: it can only be written as an escape
        shown = json.dumps(document, indent=indent)
    return shown + "\n" * raw.endswith("\n")


def _document(data: bytes) -> dict[str, Any]:
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise _Malformed("it is not UTF-8") from None
    except RecursionError:
        raise _Malformed("it is nested too deeply") from None
    except ValueError as error:
        raise _Malformed(f"it is not JSON ({error})") from None
    if not isinstance(document, dict):
        raise _Malformed("it is not a JSON object")
    return document


def _is_python(document: dict[str, Any]) -> bool:
    metadata = document.get("metadata")
    if not isinstance(metadata, dict):
        return True
    for holder, key in (("language_info", "name"), ("kernelspec", "language")):
        about = metadata.get(holder)
        if isinstance(about, dict) and isinstance(about.get(key), str):
            return bool(about[key].lower().startswith(("python", "ipython")))
    return True


def _code_cells(document: dict[str, Any]) -> list[tuple[int, str]]:
    """Each code cell's number among all cells, and its text."""
    cells = document.get("cells")
    if cells is None and "worksheets" in document:
        raise _Malformed("it has the format that Jupyter used before 2015")
    if not isinstance(cells, list):
        raise _Malformed("it has no list of cells")
    sources = []
    for number, cell in enumerate(cells):
        if not isinstance(cell, dict):
            raise _Malformed(f"cell {number} is not an object")
        if cell.get("cell_type") != "code":
            continue
        source = cell.get("source")
        if isinstance(source, list) and all(isinstance(line, str) for line in source):
            source = "".join(source)
        if not isinstance(source, str):
            raise _Malformed(f"the source of cell {number} is neither a text nor a list of lines")
        if _SURROGATE.search(source):
            raise _Malformed(f"cell {number} holds half a character (a lone surrogate)")
        source = source.replace("\r\n", "\n").replace("\r", "\n")
        if _HEAD_LINE.search(source + "\n") or magics.is_marked(source):
            raise _Malformed(f"cell {number} holds a line that mindport uses as a mark")
        sources.append((number, source))
    return sources


def _assemble(
    path: Path, relative: PurePosixPath, sources: list[tuple[int, str]]
) -> tuple[SourceFile | None, list[Finding]]:
    text = ""
    line = 1
    cells: list[Cell] = []
    findings: list[Finding] = []
    hidden: list[int] = []  # lines of magics
    for number, source in sources:
        code, marked = magics.neutralise(source)
        line += 1
        if marked:
            hidden += [line] * marked
        try:
            parse(code)
        except Unparsable as error:
            findings.append(_shifted(error, line, number).finding(relative))
            code = magics.mark_all(source)
        text += f"{_HEAD.format(number)}\n{code}\n"
        end = line + code.count("\n")
        cells.append(Cell(number, line, end))
        line = end + 1
    if hidden:
        message = f"{len(hidden)} lines of notebook magics or shell commands are not analysed"
        place = Span(hidden[0], 0, hidden[0], 0)
        findings.append(finding("MP907", message, relative, place, "Install packages and set options outside."))
    try:
        tree = parse(text)
    except Unparsable as error:  # cells that parse alone, and not together
        return None, [*findings, error.finding(relative)]
    return SourceFile(path, relative, text, tree, cells=tuple(cells)), findings


def _shifted(error: Unparsable, line: int, number: int) -> Unparsable:
    span = error.span
    if span is not None:
        span = Span(span.line + line - 1, span.column, span.end_line + line - 1, span.end_column)
    return Unparsable(error.code, f"cell {number}: {error.message}", span, error.advice)


def _cut(text: str) -> list[tuple[int, str]]:
    """Cell number and code, magics restored, of each part of the text."""
    heads = list(_HEAD_LINE.finditer(text))
    ends = [*(head.start() for head in heads), len(text)]
    before = text[: ends[0]] if heads else ""
    parts = []
    for head, end in zip(heads, ends[1:], strict=True):
        code = magics.restore(text[head.end() : end].removesuffix("\n"))
        if before and not magics.is_foreign(code):
            magic = magics.cell_magic(code)  # has to stay the first line
            code, before = magic + before + code[len(magic) :], ""
        parts.append((int(head.group(1)), code))
    return parts
