"""mindport check: one entry of the knowledge, run against torch, in seconds."""

from __future__ import annotations

from typing import Annotated

import typer

from mindport.cli.answering import InputError, answering
from mindport.cli.options import Format, FormatOption, console, frameworks


@answering("nothing was stored")
def check(
    names: Annotated[list[str], typer.Argument(help="PyTorch names that the knowledge has.", metavar="NAME…")],
    form: FormatOption = Format.console,
) -> int:
    """Run one entry against torch (for contributors).

    Shows everything about it, and stores nothing. Needs both frameworks. Exit code 1 where a sample disagrees.

    \b
    Example: mindport check torch.flatten
    """
    from mindport import catalog as knowledge
    from mindport.analysis.lookup import lookup

    catalog = knowledge.load()
    for name in names:
        if not catalog.find(name):
            found = lookup(catalog, name)
            near = ", ".join(found.names[:5] or found.near)
            raise InputError(f"no entry is for {name!r}" + (f"; near: {near}" if near else ""))
    frameworks("check")
    from mindport.evidence.check import check as run
    from mindport.evidence.check import show

    reports = [run(name) for name in names]
    if form is Format.json:
        import msgspec

        typer.echo(msgspec.json.format(msgspec.json.encode(reports)).decode())
    else:
        out = console()
        for report in reports:
            show(report, out)
    return max(report.exit_code for report in reports)
