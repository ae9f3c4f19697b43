"""A comparison on the console: one line per role, the differences in full, one line of verdict."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mindport.verify.result import CaseResult, Comparison, Role, TensorResult

_ROLES: tuple[Role, ...] = ("output", "layer", "input gradient", "parameter gradient", "buffer")
_COLOURS = {"equal": "green", "differs": "red", "could not run": "yellow"}


def show(comparison: Comparison, console: Console, worst: int = 5) -> None:
    """Print the summary of every case, its `worst` layers, and what differs."""
    for case in comparison.cases:
        console.print(summary(case))
        for note in case.notes:
            console.print(f"  {escape(note)}", style="dim")
        bad = [t for t in case.tensors if t.verdict != "equal"]
        if bad:
            console.print(differences(case.name, bad))
        elif any(t.role == "layer" for t in case.tensors):
            console.print(layers(case, worst))
    for trouble in comparison.troubles:
        where = " ".join(filter(None, (trouble.side, trouble.case and f"case {trouble.case!r}")))
        console.print(f"[yellow]{escape(where or 'both sides')}[/]: {escape(trouble.message)}")
    for note in comparison.notes:
        console.print(escape(note), style="dim")
    console.print(f"[bold {_COLOURS[comparison.verdict]}]{escape(verdict_line(comparison))}[/]")


def verdict_line(comparison: Comparison) -> str:
    """The one line to read."""
    counts = [sum(1 for c in comparison.cases for t in c.tensors if (t.verdict == "equal") == good) for good in (True, False)]
    versions = " and ".join(comparison.frameworks.values())
    line = f"{comparison.verdict}: {counts[0]} tensors agree, {counts[1]} do not"
    firsts = [f"{c.name}: {c.first}" for c in comparison.cases if c.first]
    if firsts:
        line += f"; first difference in {firsts[0]}"
    return line + (f" ({versions})" if versions else "")


def summary(case: CaseResult) -> Table:
    """One row per role: how many agree, and the largest error."""
    table = Table(title=f"{escape(case.name)}: [{_COLOURS[case.verdict]}]{case.verdict}[/]", title_justify="left")
    table.add_column("what")
    for heading in ("agree", "max |difference|", "share of scale", "allowed"):
        table.add_column(heading, justify="right")
    for role in _ROLES:
        tensors = [t for t in case.tensors if t.role == role]
        if not tensors:
            continue
        good = sum(t.verdict == "equal" for t in tensors)
        top = max(tensors, key=lambda t: t.difference)
        share = max(t.error for t in tensors)
        style = "" if good == len(tensors) else "red"
        table.add_row(
            role, f"{good} of {len(tensors)}", f"{top.difference:.2e}", f"{share:.1e}", f"{top.allowed:.1e}", style=style
        )
    return table


def differences(name: str, bad: list[TensorResult], most: int = 12) -> Table:
    """The tensors that differ, in order of execution."""
    table = Table(title=f"{escape(name)}: what differs, in order of execution", title_justify="left")
    for heading in ("what", "name", "verdict", "how"):
        table.add_column(heading, overflow="fold")
    for tensor in bad[:most]:
        kind = f" ({tensor.kind})" if tensor.kind else ""
        table.add_row(tensor.role, escape(tensor.name + kind), tensor.verdict, escape(tensor.message))
    if len(bad) > most:
        table.add_row("", f"and {len(bad) - most} more", "", "")
    return table


def layers(case: CaseResult, worst: int) -> Table:
    """The layers with the largest error as a share of their scale."""
    table = Table(title=f"{escape(case.name)}: the layers that agree least", title_justify="left")
    for heading in ("layer", "class", "shape"):
        table.add_column(heading, no_wrap=heading == "layer")
    for heading in ("max |diff.|", "share", "torch's noise"):
        table.add_column(heading, justify="right")
    for tensor in _worst_layers(case, worst):
        share = tensor.noise / tensor.scale if tensor.scale else 0.0
        table.add_row(
            escape(tensor.name), tensor.kind, escape(str(tensor.shape)), f"{tensor.difference:.2e}",
            f"{tensor.error:.1e}", f"{share:.1e}",
        )
    return table


def _worst_layers(case: CaseResult, worst: int) -> Iterator[TensorResult]:
    found = sorted((t for t in case.tensors if t.role == "layer"), key=lambda t: -t.error)
    yield from found[:worst]
