"""Everything about the entries of one torch name, measured now: ``python -m mindport.evidence.check torch.add``.

Prints where the signature departs from torch's, the outcomes by check and dtype, and the first failures
with a line that repeats each. Exit code 0: nothing differs or raises; 1: something does; 2: no such name.
"""

from __future__ import annotations

import argparse
import sys
import time

import msgspec
from rich.console import Console
from rich.table import Table

from mindport import catalog
from mindport.catalog import Entry
from mindport.evidence.store import Outcome, status_of


class EntryReport(msgspec.Struct):
    """One entry: `signature` are the departures from torch's, `outcome` what ran (None: `problem` says why not)."""

    key: str
    place: str
    kind: str
    signature: list[str]
    drops: dict[str, str]
    differs: list[str]
    status: str
    outcome: Outcome | None
    problem: str = ""
    seconds: float = 0.0


class CheckReport(msgspec.Struct):
    """All entries of one torch name."""

    name: str
    entries: list[EntryReport]

    @property
    def exit_code(self) -> int:
        """0 good, 1 something differs, raises or could not be imported, 2 no entry."""
        if not self.entries:
            return 2
        good = all(e.status in ("verified", "documented") and not e.problem for e in self.entries)
        return 0 if good else 1


def check(name: str) -> CheckReport:
    """Run the entries of `name` in workers of their own and report."""
    return CheckReport(name, [_entry_report(entry) for entry in catalog.load().find(name)])


def _entry_report(entry: Entry) -> EntryReport:
    from mindport.evidence.parity import departures
    from mindport.evidence.run import run_entry

    report = EntryReport(
        entry.key, entry.place, entry.kind, departures(entry), dict(entry.drops),
        [d.what + (f" (when {d.when})" if d.when else "") for d in entry.differs], "absent", None,
    )  # fmt: skip
    if entry.kind == "absent":
        report.status, report.problem = "documented", ""
        return report
    began = time.monotonic()
    report.outcome = run_entry(entry)
    report.seconds = round(time.monotonic() - began, 1)
    report.status = status_of(report.outcome)
    report.problem = "; ".join(report.outcome.notes)
    return report


def show(report: CheckReport, out: Console) -> None:
    """Print a report."""
    if not report.entries:
        out.print(f"[red]no entry is for {report.name}[/]: names are written as torch documents them (torch.nn.functional.relu)")
    for entry in report.entries:
        colour = {"verified": "green", "partial": "red"}.get(entry.status, "yellow")
        out.print(f"[bold]{entry.key}[/]  {entry.place}  [{colour}]{entry.status}[/]  {entry.seconds} s")
        for line in entry.signature:
            out.print(f"  signature: {line}", markup=False)
        for line in entry.differs:
            out.print(f"  declared: {line}", markup=False)
        if entry.problem:
            out.print(f"  problem: {entry.problem}", markup=False)
        if entry.outcome is not None:
            _show_outcome(entry.outcome, out)


def _show_outcome(outcome: Outcome, out: Console) -> None:
    verdicts = ["pass", "refused", "declared", "differs", "raises", "not run here", "recompiled", "returns", "none in torch", "crash", "timeout"]
    present = [v for v in verdicts if outcome.count(v)]
    if not present:
        out.print("  [yellow]no samples: write some in evidence/own/[/]")
        return
    table = Table(box=None, padding=(0, 2))
    for heading in ("check", "dtype", *present):
        table.add_column(heading, justify="left" if heading in ("check", "dtype") else "right")
    for name, by_dtype in outcome.counts.items():
        for dtype, told in by_dtype.items():
            table.add_row(name, dtype, *(str(told.get(v, "")) for v in present))
    out.print(table)
    for sentence in outcome.refusals:
        out.print(f"  refused: {sentence}", markup=False)
    for failure in (*outcome.failures, *outcome.lenient):
        out.print(f"  {failure.verdict} ({failure.check} {failure.dtype}): {failure.message}", markup=False)
        out.print(f"    {failure.call}", markup=False, style="dim")


def main(argv: list[str] | None = None) -> int:
    """Check the named torch APIs, one after the other."""
    parser = argparse.ArgumentParser(prog="python -m mindport.evidence.check", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="+", metavar="torch.name")
    parser.add_argument("--json", action="store_true", help="print the reports as JSON")
    given = parser.parse_args(argv)
    reports = [check(name) for name in given.names]
    if given.json:
        print(msgspec.json.format(msgspec.json.encode(reports)).decode())
    else:
        out = Console(width=None if sys.stdout.isatty() else 160, highlight=False)
        for report in reports:
            show(report, out)
    return max((report.exit_code for report in reports), default=2)


if __name__ == "__main__":
    sys.exit(main())
