"""The report on a terminal: the answer, four numbers, where the trouble is, and the worst findings."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mindport.analysis.api import READY
from mindport.report.groups import By, grouped
from mindport.report.markdown import shares
from mindport.report.model import Found, Report, Row, severity, where
from mindport.report.quote import visible

COLOURS = {"blocker": "bold red", "silent": "magenta", "loud": "yellow", "style": "cyan"}
ANSWERS = {"GO": "bold green", "GO WITH WORK": "bold yellow", "BLOCKED": "bold red", "NOTHING TO PORT": "bold"}
_BAR = 60


def show(report: Report, console: Console, by: By = "file", most: int = 20) -> None:
    """Print the report; `most` rows of the table and `most` findings."""
    project, totals = report.project, report.totals
    head = Text.assemble(
        (report.answer, ANSWERS[report.answer]),
        f"  {visible(project.name)} on MindSpore {project.mindspore} ({project.device}): "
        f"{_count(totals.source_lines, 'line')} in {_count(totals.source_files, 'file')}",
    )
    console.print(head)
    for reason in report.reasons:
        console.print(_indented(Text(visible(reason))))
    if not report.rows and not report.problems:
        return
    console.print()
    console.print(_readiness(report))
    console.print(_verdicts(report))
    console.print()
    console.print(_groups(report, by, most))
    alike = _alike(report.found())
    if alike:
        console.print()
        console.print(_findings(alike[:most]))
        if len(alike) > most:
            rest = sum(len(items) for items in alike[most:])
            console.print(Text(f"{_count(rest, 'more finding')}: --all, or --format json, html, csv or sarif", style="dim"))
        codes = ", ".join(sorted({items[0].code or "" for items in alike}))
        console.print(Text(f"mindport explain CODE says what to do about {codes}", style="dim"))


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}" + ("" if number == 1 else "s")


def _readiness(report: Report) -> Text:
    parts = [f"{share.percent:.1f} % of {share.total:,} {unit}" for unit, share in shares(report)]
    return Text("Ready: " + ", ".join(parts) + "; what could not be resolved counts as not ready.")


def _verdicts(report: Report) -> RenderableType:
    """A bar with one stretch a verdict, and the counts in words."""
    counts = report.totals.by_verdict
    total = sum(counts.values())
    if not total:
        return Text("")
    bar, legend = Text(), Text()
    for verdict, count in counts.items():
        style = _verdict_style(verdict)
        bar.append("█" * max(1, round(_BAR * count / total)), style=style)
        legend.append(f"{verdict} ", style=style)
        legend.append(f"{count:,}   ")
    return Group(bar, legend)


def _verdict_style(verdict: str) -> str:
    if verdict in READY:
        return {"same": "green", "equivalent": "bright_green", "rewritten": "bright_green"}.get(verdict, "dark_sea_green4")
    return {"differs": "magenta", "unresolved": "bright_black", "refused": "yellow"}.get(verdict, "red")


def _groups(report: Report, by: By, most: int) -> Table:
    groups = grouped(report, by)
    hidden = f", the worst {most} of {len(groups)}" if len(groups) > most else ""
    table = Table(title=f"by {by}{hidden}", title_justify="left", box=None, pad_edge=False, header_style="bold")
    table.add_column(by, overflow="fold", ratio=1)
    for heading in ("uses", "ready"):
        table.add_column(heading, justify="right", no_wrap=True)
    for risk, style in COLOURS.items():
        table.add_column(risk, justify="right", style=style, no_wrap=True)
    if by == "api":
        table.add_column("verdict")
        table.add_column("evidence")
    for group in groups[:most]:
        cells: list[RenderableType] = [Text(visible(group.name)), str(group.uses.total), f"{group.uses.percent:.0f} %" if group.uses.total else ""]
        cells += [str(group.by_risk.get(risk, "")) for risk in COLOURS]
        if by == "api":
            cells += [", ".join(group.verdicts), group.evidence]
        table.add_row(*cells)
    return table


def _alike(found: list[Found]) -> list[list[Found]]:
    """Findings that say the same about the same API, together; the worst and most frequent first."""
    groups: dict[tuple[str | None, ...], list[Found]] = {}
    for item in found:
        groups.setdefault((item.risk, item.code, getattr(item, "api", item.path), item.message), []).append(item)
    return sorted(groups.values(), key=lambda items: (severity(items[0].risk), -len(items)))


def _findings(alike: list[list[Found]]) -> RenderableType:
    lines: list[RenderableType] = []
    for items in alike:
        item = items[0]
        api = item.api if isinstance(item, Row) else ""
        said = item.message if not api or api in item.message else f"{api}: {item.message}"
        lines.append(Text.assemble((f"{item.risk}", COLOURS[str(item.risk)]), f" {item.code} {visible(said)}"))
        told = f" {where(item)}" if item.cell else f":{item.line}:{item.column}"
        place = Text.assemble((visible(item.path) + told, "bold"))
        if isinstance(item, Row):
            place.append(f" {item.scope}" if item.scope else "", style="dim")
            place.append(" (likely)" if item.certainty == "likely" else "", style="dim")
        if len(items) > 1:
            place.append(f" and {_count(len(items) - 1, 'more place')}", style="dim")
        lines.append(_indented(place))
        if item.text:
            lines.append(_indented(Text("│ " + item.text, style="dim", no_wrap=True, overflow="ellipsis")))
    return Group(*lines)


def _indented(text: Text, by: int = 2) -> Padding:
    return Padding(text, (0, 0, 0, by), expand=False)
