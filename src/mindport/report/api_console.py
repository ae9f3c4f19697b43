"""API cards on a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from mindport.report.api_card import ApiCard, EntryCard
from mindport.report.console import COLOURS

EVIDENCE = {"verified": "green", "partial": "yellow", "documented": "yellow", "absent": "red"}


def show(card: ApiCard, console: Console) -> None:
    """Print one card."""
    for number, entry in enumerate(card.entries):
        if number:
            console.rule(style="dim")
        _entry(card, entry, console)


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
        if each.deprecated:
            told.append(f"  deprecated: {each.deprecated}", style="yellow")
        facts.add_row("MindSpore", told)
    if entry.evidence:
        told = Text(entry.evidence, style=EVIDENCE.get(entry.evidence, ""))
        told.append(f" on {card.device}, MindSpore {card.mindspore}", style="dim")
        facts.add_row("evidence", told)
    for name, value in _counts(entry):
        facts.add_row("", Text(f"{name}: {value}"))
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
    if entry.kind != "constant":
        console.print(Padding(Syntax(entry.source, "python", background_color="default", word_wrap=True), (1, 0, 1, 2)))


def _counts(entry: EntryCard) -> list[tuple[str, str]]:
    """The plain values of an outcome, one level deep."""
    lines: list[tuple[str, str]] = []
    for name, value in (entry.outcome or {}).items():
        if isinstance(value, dict):
            text = ", ".join(f"{key} {inner}" for key, inner in value.items() if not isinstance(inner, dict | list))
        elif isinstance(value, list):
            text = "; ".join(str(item) for item in value[:3]) + (f"; and {len(value) - 3} more" if len(value) > 3 else "")
        else:
            text = str(value)
        if text and text != "None":
            lines.append((name, text))
    return lines
