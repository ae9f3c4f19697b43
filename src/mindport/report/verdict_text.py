"""The verdict on a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from mindport.report import console as scan_console
from mindport.report.analysis import Analysis
from mindport.report.markdown import cell
from mindport.report.quote import visible

#: Files of the order of work on a terminal; the other forms hold all.
_MOST_STEPS = 10


def show(analysis: Analysis, console: Console) -> None:
    """One screen: the answer and why, risks, effort, the first files to work on."""
    verdict = analysis.verdict
    console.print(Text(verdict.answer, style=scan_console.ANSWERS[verdict.answer]))
    for line in verdict.why:
        console.print(Text("  " + visible(line)))
    table = RichTable.grid(padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for danger in verdict.dangers:
        table.add_row(
            Text("  " + danger.risk, style=scan_console.COLOURS[danger.risk]),
            Text(f"{danger.places} place{'s' * (danger.places != 1)}, {danger.kinds} kind{'s' * (danger.kinds != 1)}: " + visible("; ".join(danger.examples[:2]))),
        )  # fmt: skip
    console.print(table)
    for line in verdict.effort.rationale:
        console.print(Text("  " + visible(line), style="dim"))
    if verdict.order:
        steps = [visible(step.path) for step in verdict.order[:_MOST_STEPS]]
        more = len(verdict.order) - len(steps)
        console.print(Text("  order    " + ", ".join(steps) + (f" and {more} more" if more else "")))


def lines(analysis: Analysis) -> Iterator[str]:
    """The verdict as lines of Markdown."""
    verdict = analysis.verdict
    yield f"# {verdict.answer}"
    yield ""
    yield from (f"{number}. {cell(line)}" for number, line in enumerate(verdict.why, 1))
    yield ""
    if verdict.dangers:
        yield "| risk | places | kinds | most frequent |"
        yield "| --- | --- | --- | --- |"
        for danger in verdict.dangers:
            yield f"| {danger.risk} | {danger.places} | {danger.kinds} | {cell('; '.join(danger.examples))} |"
        yield ""
    yield f"Effort: {verdict.effort.low}–{verdict.effort.high} hours."
    yield ""
    yield from (f"- {cell(line)}" for line in verdict.effort.rationale)
    yield ""
    if verdict.order:
        yield "## Order of work"
        yield ""
        yield "| file | lines | uses | open | imports |"
        yield "| --- | --- | --- | --- | --- |"
        for step in verdict.order:
            yield f"| {cell(step.path)} | {step.lines} | {step.uses} | {step.open} | {cell(', '.join(step.needs))} |"
        yield ""
