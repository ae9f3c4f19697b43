"""A weight report as a console table."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from mindport.weights.transfer import WeightReport


def problem_table(report: WeightReport) -> Table:
    """One row per problem: what is wrong, with which name, and the nearest names."""
    table = Table(title="The checkpoint does not fit the model", title_justify="left")
    for heading in ("problem", "name", "what"):
        table.add_column(heading, overflow="fold")
    for problem in report.problems:
        table.add_row(problem.kind, escape(problem.name), escape(problem.message))
    return table


def move_table(report: WeightReport, changed_only: bool = True) -> Table:
    """One row per array whose name or shape changed (or per array), then what was left out."""
    table = Table(title=f"{len(report.moved)} arrays moved to {report.to}", title_justify="left")
    for heading in ("from", "to", "dtype", "shape"):
        table.add_column(heading, overflow="fold")
    for move in report.moved:
        if changed_only and move.source == move.target and move.source_shape == move.target_shape:
            continue
        shape = str(move.source_shape)
        if move.source_shape != move.target_shape:
            shape += f" → {move.target_shape}"
        table.add_row(escape(move.source), escape(move.target), move.dtype, escape(shape))
    for name in report.dropped:
        table.add_row(escape(name), "[dim]no counterpart[/]", "", "")
    for name in report.absent:
        table.add_row("[dim]not in the source[/]", escape(name), "", "")
    return table
