"""A run laid over its baseline: on the console, as JSON, and as one HTML file with charts that works offline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mindport.report import charts
from mindport.report.html import _environment, _hash, _part
from mindport.report.quote import visible

if TYPE_CHECKING:
    from mindport.verify.training.overlay import Overlay

_COLOURS = {"fine": "green", "better": "green", "could not judge": "yellow"}


def render_json(overlay: Overlay) -> str:
    """The comparison as JSON; numbers that JSON has not are null."""
    return msgspec.json.format(msgspec.json.encode(overlay), indent=1).decode() + "\n"


def show(overlay: Overlay, console: Console) -> None:
    """Print the judgements, the time of each phase and the facts of both runs."""
    for verdict in overlay.verdicts:
        colour = _COLOURS.get(verdict.verdict, "red")
        console.print(f"[bold]{escape(verdict.what)}[/]: [{colour}]{verdict.verdict}[/] ({escape(verdict.message)})")
    for title, found, factor, unit in (
        ("milliseconds of a step", overlay.phases, 1e3, "ms"), ("seconds by class of layers", overlay.layers, 1.0, "s"),
    ):
        rows = _rows(found)
        if not rows:
            continue
        table = Table(title=title, title_justify="left")
        table.add_column("")
        for label in ("baseline", "run", "ratio"):
            table.add_column(label, justify="right")
        for name, values in list(rows.items())[:12]:
            one, two = values.get("baseline", 0.0), values.get("run", 0.0)
            ratio = f"{two / one:.2f}" if one else ""
            table.add_row(escape(name), f"{one * factor:.4g} {unit}", f"{two * factor:.4g} {unit}", ratio)
        console.print(table)
    table = Table(title="both runs", title_justify="left")
    for heading in ("", "baseline", "run"):
        table.add_column(heading, overflow="fold")
    for fact in overlay.facts:
        table.add_row(*(escape(visible(part)) for part in fact))
    console.print(table)
    for note in overlay.notes:
        console.print(escape(note), style="dim")


def render(overlay: Overlay) -> str:
    """The page's text."""
    style = _part("report.css") + _part("overlay.css")
    drawn = [(s.name, charts.lines(s.name, {"one": s.baseline, "two": s.run})) for s in overlay.series]
    kinds = {"baseline": "one", "run": "two"}
    bars = []
    for title, found, factor, unit in (
        ("Where a step's time goes", overlay.phases, 1e3, "ms"), ("Time by class of layers", overlay.layers, 1.0, "s"),
    ):
        rows = {name: {kinds[k]: v for k, v in values.items()} for name, values in list(_rows(found).items())[:12]}
        bars.append((title, charts.bars(title, rows, unit, factor)))
    return _environment().get_template("overlay.html.j2").render(
        overlay=overlay, style=Markup(style), policy=f"default-src 'none'; style-src '{_hash(style)}'; img-src 'none'",
        charts=drawn, bars=[b for b in bars if b[1]],
    )


def _rows(found: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    names = dict.fromkeys(name for values in found.values() for name in values)
    return {name: {label: values.get(name, 0.0) for label, values in found.items()} for name in names}
