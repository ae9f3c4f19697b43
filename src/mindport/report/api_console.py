"""API cards on a terminal."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from mindport.report.api_card import PLATFORMS, ApiCard, EntryCard, documented
from mindport.report.console import COLOURS
from mindport.report.operator import operators
from mindport.report.quote import visible

EVIDENCE = {"verified": "green", "partial": "yellow", "documented": "yellow", "absent": "red"}
_MOST_FAILURES = 5


def show(card: ApiCard, console: Console) -> None:
    """Print one card."""
    for number, entry in enumerate(card.entries):
        if number:
            console.rule(style="dim")
        _entry(card, entry, console)
    if card.name in operators():
        console.print(Text(f"custom operator: mindport operator {card.name} -o DIR ({operators()[card.name].why})"))


def _entry(card: ApiCard, entry: EntryCard, console: Console) -> None:
    console.print(Text(entry.signature, style="bold"))
    if entry.summary:
        console.print(Padding(Text(entry.summary), (0, 0, 0, 2)))
    facts = Table(box=None, show_header=False, pad_edge=False)
    facts.add_column(style="dim", no_wrap=True)
    facts.add_column(overflow="fold")
    if entry.kind == "absent":
        facts.add_row("MindSpore", Text(f"nothing to build it from: {entry.why}"))
        facts.add_row("way", entry.rung)
        console.print(facts)
        return
    facts.add_row("call", Text(entry.call))
    facts.add_row("becomes", Text(entry.becomes, style="green"))
    facts.add_row("mode", Text(f"{entry.mode}, {entry.why}" if entry.why else entry.mode))
    facts.add_row("way", entry.rung)
    for each in entry.mindspore:
        told = Text(each.signature or each.name)
        if not each.exists:
            told.append(f"  not in MindSpore {card.mindspore}'s table", style="yellow")
        if each.platforms:
            told.append(f"  {', '.join(each.platforms)}", style="dim")
        if each.exists and not documented(each, card.device):
            told.append(f"  not documented for {PLATFORMS[card.device]}", style="yellow")
        if each.deprecated:
            told.append(f"  deprecated: {each.deprecated}", style="yellow")
        facts.add_row("MindSpore", told)
    if entry.evidence:
        told = Text(entry.evidence, style=EVIDENCE.get(entry.evidence, ""))
        told.append(f" on {card.device}, MindSpore {card.mindspore}", style="dim")
        facts.add_row("evidence", told)
    for difference in entry.differs:
        when = f" (when {difference.when})" if difference.when else " (always)"
        facts.add_row("differs", Text.assemble((difference.risk, COLOURS.get(difference.risk, "")), f" {difference.what}{when}"))
    for name, why in entry.drops.items():
        facts.add_row("drops", Text(f"{name}: {why}"))
    for name, value in entry.state.items():
        facts.add_row("state", Text(f"{name} → {value}"))
    if entry.view:
        facts.add_row("", "torch returns a view")
    if entry.random:
        facts.add_row("", "compared by distribution")
    facts.add_row("knowledge", entry.place)
    console.print(facts)
    if entry.outcome:
        console.print(Padding(_evidence(entry.outcome), (1, 0, 0, 2), expand=False))
        for failure in [*entry.outcome.get("failures", [])[:_MOST_FAILURES], *entry.outcome.get("lenient", [])]:
            line = f"{failure['check']} {failure['dtype']} {failure['verdict']}: {failure['message']}"
            console.print(Padding(Text(visible(" ".join(line.split()))), (0, 0, 0, 2), expand=False))
            console.print(Padding(Text("│ " + visible(failure["call"]), style="dim"), (0, 0, 0, 2), expand=False))
    if entry.kind != "constant":
        console.print(Padding(Syntax(entry.source, "python", background_color="default", word_wrap=True), (1, 0, 1, 2)))


def _evidence(outcome: dict[str, Any]) -> Table:
    """One row for each check: how many samples had which verdict, over all dtypes."""
    rows: dict[str, Counter[str]] = {}
    for check, by_dtype in outcome.get("counts", {}).items():
        rows[check] = Counter()
        for told in by_dtype.values():
            rows[check].update(told)
    verdicts = list(dict.fromkeys(verdict for counts in rows.values() for verdict in sorted(counts, key=lambda v: v != "pass")))
    table = Table("samples", *verdicts, box=None, header_style="dim", pad_edge=False)
    for check, counts in rows.items():
        table.add_row(check, *(str(counts[verdict] or "") for verdict in verdicts))
    return table
