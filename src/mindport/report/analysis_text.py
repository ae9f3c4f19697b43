"""An analysis on a terminal, as Markdown, and as JSON with its schema."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from mindport.analysis.answers import Answer, Picture, Section, Snippet, Table
from mindport.report import console as scan_console
from mindport.report import markdown as scan_markdown
from mindport.report import verdict_text
from mindport.report.analysis import Analysis
from mindport.report.quote import visible
from mindport.report.schemas import schema_of

STYLES = {"found": "green", "not found": "bright_black", "conflict": "magenta", "unknown": "yellow", "claimed only": "cyan"}
#: Places and table rows on a terminal; the other forms hold all.
_MOST_PLACES, _MOST_ROWS = 3, 15
#: A table of more columns is written row by row where it would not fit.
_MOST_COLUMNS = 5


def show(analysis: Analysis, console: Console, most: int = 12) -> None:
    """Print the verdict and the scan's findings, then every section."""
    verdict_text.show(analysis, console)
    console.print()
    scan_console.show(analysis.report, console, most=most)
    for section in analysis.sections:
        console.print()
        console.print(Text(f"{section.letter}  {section.title}  {section.zh}", style="bold"))
        if section.answers:
            console.print(_answers(section))
        for part in section.parts:
            _part(part, console)


def _answers(section: Section) -> RichTable:
    table = RichTable(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True, style="bright_black")
    table.add_column(min_width=14, ratio=1, overflow="fold")
    table.add_column(no_wrap=True)
    table.add_column(ratio=4, overflow="fold")
    for answer in section.answers:
        said = Text(visible(answer.value))
        if answer.quotes:
            said.append(("\n" if answer.value else "") + _places(answer), style="bright_black")
        if answer.advice:
            said.append("\n" + visible(answer.advice), style="cyan")
        table.add_row(answer.row, Text(visible(answer.title)), Text(answer.status, style=STYLES[answer.status]), said)
    return table


def _places(answer: Answer) -> str:
    shown = [f"{visible(quote.path)}:{quote.line}" for quote in answer.quotes[:_MOST_PLACES]]
    more = len(answer.quotes) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _part(part: Table | Snippet | Picture, console: Console) -> None:
    if isinstance(part, Picture):
        return  # a terminal has the tables; pictures stand in the HTML form
    if isinstance(part, Snippet):
        console.print(Text(part.title, style="italic"))
        console.print(Text("\n".join("  " + visible(line) for line in part.code.splitlines())))
        return
    if _is_cramped(part, console.width):
        _records(part, console)
        return
    table = RichTable(title=Text(part.title), title_justify="left", box=None, pad_edge=False, header_style="bold")
    for column in part.columns:
        table.add_column(Text(column), overflow="fold")
    for row in part.rows[:_MOST_ROWS]:
        table.add_row(*(Text(visible(cell)) for cell in row))
    console.print(table)
    _more(part, console)


def _more(part: Table, console: Console) -> None:
    if len(part.rows) > _MOST_ROWS:
        console.print(Text(f"{len(part.rows) - _MOST_ROWS} more rows: --format json or html", style="dim"))


def _is_cramped(part: Table, width: int) -> bool:
    """Whether words would be cut in columns of this table: many columns, and twice the width would not do."""
    longest = [max((len(cell) for cell in column), default=0) for column in zip(part.columns, *part.rows, strict=True)]
    return len(part.columns) > _MOST_COLUMNS and sum(longest) + 2 * len(longest) > 1.5 * width


def _records(part: Table, console: Console) -> None:
    """A table of many columns, row by row: each cell beside its column's name."""
    console.print(Text(part.title, style="italic"))
    for row in part.rows[:_MOST_ROWS]:
        console.print(Text("  " + visible(row[0]), style="bold"))
        cells = RichTable.grid(padding=(0, 2, 0, 0))
        cells.add_column(no_wrap=True, style="bright_black")
        cells.add_column(overflow="fold")
        for column, cell in zip(part.columns[1:], row[1:], strict=True):
            if cell:
                cells.add_row("    " + column, Text(visible(cell)))
        console.print(cells)
    _more(part, console)


def markdown(analysis: Analysis) -> str:
    """The analysis as Markdown text."""
    return "\n".join(verdict_text.lines(analysis)) + "\n" + scan_markdown.render(analysis.report) + "\n" + "\n".join(_markdown_lines(analysis)) + "\n"


def _markdown_lines(analysis: Analysis) -> Iterator[str]:
    for section in analysis.sections:
        yield f"## {section.letter}. {section.title} ({section.zh})"
        yield ""
        if section.answers:
            yield "| row | question | status | answer | places |"
            yield "| --- | --- | --- | --- | --- |"
            for answer in section.answers:
                said = scan_markdown.cell(answer.value + (f" — {answer.advice}" if answer.advice else ""))
                yield f"| {answer.row} | {scan_markdown.cell(answer.title)} | {answer.status} | {said} | {scan_markdown.cell(_places(answer))} |"
            yield ""
        for part in section.parts:
            if isinstance(part, Table):
                yield f"### {scan_markdown.cell(part.title)}"
                yield ""
                yield "| " + " | ".join(scan_markdown.cell(c) for c in part.columns) + " |"
                yield "| " + " | ".join("---" for _ in part.columns) + " |"
                for row in part.rows:
                    yield "| " + " | ".join(scan_markdown.cell(c) for c in row) + " |"
                yield ""
            elif isinstance(part, Snippet):
                yield f"### {scan_markdown.cell(part.title)}"
                yield ""
                fence = "`" * max(3, max((len(run) for run in part.code.split() if set(run) == {"`"}), default=0) + 1)
                yield f"{fence}{part.language}\n{part.code.rstrip()}\n{fence}"
                yield ""


def json_text(analysis: Analysis) -> str:
    """The analysis as JSON text; docs/schema/analysis-1.json describes it."""
    return msgspec.json.format(msgspec.json.encode(analysis), indent=1).decode() + "\n"


def schema_text() -> str:
    """The JSON Schema (2020-12) of `json_text`'s output, made from the model."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "analysis-1.json", "title": "mindport analyze, version 1"}
    return msgspec.json.format(msgspec.json.encode({**head, **schema_of(Analysis)}), indent=2).decode() + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
