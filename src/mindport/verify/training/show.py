"""A ladder on the console: one line a rung, where the first failing one departs, one line of verdict."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mindport.verify.training.result import Ladder

_COLOURS = {"passes": "green", "fails": "red", "could not judge": "yellow", "not reached": "dim"}


def show(ladder: Ladder, console: Console) -> None:
    """Print the rungs, the departure, the troubles and the notes."""
    table = Table(title="The ladder, from the first value to the last figure", title_justify="left")
    for heading in ("", "rung", "verdict", "what was seen"):
        table.add_column(heading, overflow="fold")
    for number, rung in enumerate(ladder.rungs, 1):
        table.add_row(str(number), rung.name, f"[{_COLOURS[rung.verdict]}]{rung.verdict}[/]", escape(rung.message))
    console.print(table)
    for rung in ladder.rungs:
        bad = [t for t in rung.tensors if t.verdict != "equal"]
        for tensor in bad[:5]:
            console.print(f"  {escape(tensor.name)}: {escape(tensor.message or tensor.verdict)}", style="dim")
        if len(bad) > 5:
            console.print(f"  and {len(bad) - 5} more", style="dim")
        for note in rung.notes:
            console.print(f"  {rung.name}: {escape(note)}", style="dim")
    departure = ladder.departure
    if departure is not None:
        console.print(f"[bold]Where they part:[/] {escape(departure.what)}")
        if departure.operator:
            at = f", called at {departure.line}" if departure.line else ""
            console.print(f"  the first operator: {escape(departure.operator + at)}")
        for api in departure.apis:
            console.print(f"  what is known about it, and its evidence: mindport api {escape(api)}")
    for trouble in ladder.troubles:
        console.print(f"[yellow]{escape(trouble.side or 'both sides')}[/]: {escape(trouble.message)}")
    for note in ladder.notes:
        console.print(escape(note), style="dim")
    console.print(f"[bold]{escape(verdict_line(ladder))}[/]")


def verdict_line(ladder: Ladder) -> str:
    """The one line to read."""
    passed = sum(r.verdict == "passes" for r in ladder.rungs)
    versions = " and ".join(ladder.frameworks.values())
    stopped = next((r for r in ladder.rungs if r.verdict in ("fails", "could not judge")), None)
    if stopped is not None:
        return f"{stopped.verdict}: {stopped.name} ({passed} of {len(ladder.rungs)} rungs pass; {versions})"
    if not passed:
        return "could not run: no rung was reached"
    return f"passes: {passed} of {len(ladder.rungs)} rungs ({versions})"
