"""A conversion, told: how many uses took which way, what stays to do, and the changes as a diff."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mindport.findings import RISKS, Finding
from mindport.report.console import COLOURS
from mindport.report.model import severity
from mindport.report.quote import visible

if TYPE_CHECKING:
    from mindport.convert import Conversion

STRATEGIES = {
    "same": "the text is right as it is",
    "renamed": "only the name changes",
    "constant": "a name that stands for a value or type",
    "inlined": "one MindSpore expression",
    "rewritten": "a construct in MindSpore's form",
    "removed": "MindSpore needs nothing here",
    "vendored": "calls the function or class in torch_equivalents.py",
    "unconverted": "kept under a comment that says why",
}

#: How many names the line about rare differences holds.
MOST_NAMES = 6


def show(conversion: Conversion, out: Path | None, console: Console, most: int = 12) -> None:
    """Print counts, the worst findings, and where the result is."""
    counts = conversion.counts
    total = sum(counts.values())
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(justify="right")
    for strategy, meaning in STRATEGIES.items():
        if counts[strategy]:
            table.add_row(f"{counts[strategy]:,}", strategy, f"{100 * counts[strategy] / total:.1f} %", meaning)
    console.print(Text(f"{len(conversion.sources):,} files, {total:,} uses of PyTorch"))
    console.print(table)
    carried = {path for path, source in conversion.sources.items() if source.library}
    findings = sorted((f for f in conversion.findings if not f.rare), key=lambda f: (severity(f.risk), not _of_file(f), f.path in carried, f.path, f.span is not None, f.span))
    for finding in findings[:most]:
        line = finding.span.line if finding.span else 1
        console.print(
            Text.assemble(
                (finding.risk, COLOURS[finding.risk]), f" {finding.code} ", (f"{visible(str(finding.path))}:{line} ", "bold"),
                visible(" ".join(finding.message.split())),
            )
        )  # fmt: skip
    if len(findings) > most:
        console.print(Text(f"{len(findings) - most} more findings: --format json", style="dim"))
    _show_rare(conversion, console)
    for library, files in libraries(conversion).items():
        console.print(Text(f"{files} file{'s' * (files != 1)} of {library} taken along; its licence holds for them."))
    if out is not None:
        console.print(Text(f"The MindSpore project is in {out}; every change is in {out / 'mindport-log.json'}."))
    else:
        console.print(Text("Nothing was written."))


def _of_file(finding: Finding) -> bool:
    """Whether a finding says that a whole file stays as it is: that is told before single places."""
    return finding.risk == "blocker" and finding.code.startswith("MP9")


def _show_rare(conversion: Conversion, console: Console) -> None:
    """One line for the differences that ordinary data do not meet."""
    apis = list(dict.fromkeys(f.api for f in conversion.findings if f.rare and f.api))
    if apis:
        names = ", ".join(apis[:MOST_NAMES]) + (f" and {len(apis) - MOST_NAMES} more" if len(apis) > MOST_NAMES else "")
        console.print(Text(f"Only unusual inputs (NaN, infinity, empty tensors, no batch axis, dtypes and layers that the project does not name) give other results in {names}: see `mindport api NAME`.", style="dim"))


def libraries(conversion: Conversion) -> dict[str, int]:
    """How many files of each library were taken along."""
    return dict(sorted(Counter(source.library for source in conversion.sources.values() if source.library).items()))


def render_json(conversion: Conversion, out: Path | None) -> str:
    """Counts, findings and log as JSON text."""
    by_risk = {risk: sum(f.risk == risk for f in conversion.findings) for risk in RISKS}
    findings = [
        {
            "code": f.code, "risk": f.risk, "path": str(f.path), "line": f.span.line if f.span else 1, "api": f.api,
            "message": f.message, "certainty": f.certainty, "rare": f.rare,
        }
        for f in conversion.findings
    ]  # fmt: skip
    told = {
        "mindport_conversion": 1, "out": str(out) if out else None, "files": len(conversion.sources),
        "libraries": libraries(conversion), "strategies": dict(sorted(conversion.counts.items())), "by_risk": by_risk, "findings": findings, "log": conversion.log,
    }  # fmt: skip
    return msgspec.json.format(msgspec.json.encode(told), indent=1).decode() + "\n"


def diff(conversion: Conversion) -> Iterator[str]:
    """Unified diffs of the files that change, and of the vendored module."""
    for path, new in conversion.files.items():
        source = conversion.sources.get(path)
        old = source.text if source is not None else ""
        if old != new:
            lines = difflib.unified_diff(
                old.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{path}" if source else "/dev/null", f"b/{path}"
            )
            for line in lines:
                yield line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"
