"""--fail-on and --baseline: when a report makes the command fail."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mindport.cli.answering import FINDINGS, InputError

if TYPE_CHECKING:
    from mindport.report.model import Report

#: New findings that are named on standard error.
_MOST_NAMED = 20


class FailOn(str, Enum):
    """Risks, worst first."""

    blocker = "blocker"
    silent = "silent"
    loud = "loud"
    style = "style"


class FailOnOrNew(str, Enum):
    """What makes the exit code 1: risks, worst first, or any finding that an earlier report does not have."""

    blocker = "blocker"
    silent = "silent"
    loud = "loud"
    style = "style"
    new = "new"


FailOnOption = Annotated[
    FailOnOrNew | None,
    typer.Option(
        "--fail-on", help="Exit with 1 where a finding has this risk or a worse one (with --baseline: a new finding); new: any finding that is not in the baseline."
    ),
]
BaselineOption = Annotated[
    Path | None, typer.Option("--baseline", help="An earlier report (JSON or SARIF): say what is new since then, and what is gone.", metavar="FILE")
]


def known_before(baseline: Path | None, fail_on: FailOnOrNew | None) -> frozenset[str] | None:
    """The earlier report's fingerprints. Raises InputError where it cannot be read, or is missing and needed."""
    if baseline is None:
        if fail_on is FailOnOrNew.new:
            raise InputError("--fail-on new needs --baseline FILE, an earlier report written with --format json or sarif")
        return None
    from mindport.report.baseline import BaselineError, known

    try:
        return known(baseline)
    except BaselineError as error:
        raise InputError(str(error)) from None


def exit_code(report: Report, fail_on: FailOnOrNew | None, baseline: Path | None, before: frozenset[str] | None) -> int:
    """The exit code; with a baseline, standard error names what is new."""
    from mindport.findings import RISKS

    items = report.found()
    if before is not None and baseline is not None:
        from mindport.report.baseline import compare
        from mindport.report.quote import visible

        compared = compare(report, before)
        items = compared.new
        typer.echo(compared.sentence(baseline), err=True)
        for item in items[:_MOST_NAMED]:
            typer.echo(f"  new: {item.risk} {item.code} {visible(item.path)}:{item.line} {visible(item.message)}", err=True)
        if len(items) > _MOST_NAMED:
            typer.echo(f"  and {len(items) - _MOST_NAMED} more", err=True)
    if fail_on is None:
        return 0
    asked = RISKS if fail_on is FailOnOrNew.new else RISKS[: RISKS.index(fail_on.value) + 1]  # type: ignore[arg-type]
    return FINDINGS if any(item.risk in asked for item in items) else 0
