"""mindport scan: which PyTorch APIs a project uses, and what each becomes."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mindport.cli.answering import InputError, answering
from mindport.cli.options import (
    DEVICE,
    MINDSPORE,
    ExcludeOption,
    MindSporeOption,
    WithOption,
    console,
    discovered,
    existing,
    mindspore_version,
)
from mindport.cli.ratchet import BaselineOption, FailOnOption, exit_code, known_before

if TYPE_CHECKING:
    from mindport.report.model import Report
    from mindport.source.discover import Discovery


class ReportFormat(str, Enum):
    """The forms of a report."""

    console = "console"
    json = "json"
    csv = "csv"
    sarif = "sarif"
    markdown = "markdown"
    html = "html"


class By(str, Enum):
    """What the console's table has a row for."""

    file = "file"
    class_ = "class"
    api = "api"


@answering("nothing was written")
def scan(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders of the project.", metavar="PATH…")],
    form: Annotated[ReportFormat, typer.Option("--format", help="The form of the report.")] = ReportFormat.console,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the report here.", metavar="FILE")] = None,
    exclude: ExcludeOption = None,
    libraries: WithOption = None,
    mindspore: MindSporeOption = MINDSPORE,
    by: Annotated[By, typer.Option("--by", help="What the console's table has a row for.")] = By.file,
    show_all: Annotated[bool, typer.Option("--all", help="Show every row and finding on the console.")] = False,
    fail_on: FailOnOption = None,
    baseline: BaselineOption = None,
) -> int:
    """Say what each PyTorch API that a project uses becomes.

    The code is read, never run. Verdicts, from what needs nothing to what needs you: same,
    equivalent, packaged, rewritten; differs, refused, custom operator, missing, third party, unresolved.

    \b
    Example: mindport scan src --by api
    Example: mindport scan . --format html --output report.html --fail-on silent
    Example: mindport scan . --baseline report.json --fail-on new
    """
    from mindport.report.scan import collection_paused
    from mindport.report.scan import scan as make_report

    mindspore = mindspore_version(mindspore)
    before = known_before(baseline, fail_on)
    with collection_paused():
        discovery = discovered(existing(paths), exclude, libraries)
    if output is not None:
        check_output(output, discovery)
    report = make_report(discovery, [path.as_posix() for path in paths], mindspore, DEVICE)
    if output is not None:
        from mindport.source.edits import write

        write(output, _text(report, form, by, show_all, before))
        typer.echo(f"{report.answer}: the report is in {output}", err=True)
    elif form is ReportFormat.console:
        from mindport.report.console import show

        show(report, console(), by.value, most=_most(show_all))  # type: ignore[arg-type]
    else:
        typer.echo(_text(report, form, by, show_all, before), nl=False)
    return exit_code(report, fail_on, baseline, before)


def _most(show_all: bool) -> int:
    return 10**9 if show_all else 20


def _text(report: Report, form: ReportFormat, by: By, show_all: bool, before: frozenset[str] | None) -> str:
    if form is ReportFormat.console:
        from io import StringIO

        from rich.console import Console

        from mindport.report.console import show

        text = StringIO()
        show(report, Console(file=text, width=120, highlight=False), by.value, most=_most(show_all))  # type: ignore[arg-type]
        return text.getvalue()
    if form is ReportFormat.sarif:
        from mindport.report.sarif import render

        return render(report, before)
    import importlib

    module = {"json": "json_", "csv": "csv_"}.get(form.value, form.value)
    made: str = importlib.import_module(f"mindport.report.{module}").render(report)
    return made


def check_output(output: Path, discovery: Discovery) -> None:
    """A report never takes the place of what it reports on."""
    place = output.resolve()
    sources = {file.path.resolve() for file in discovery.files} | {other.resolve() for other in discovery.others if other.suffix in (".py", ".pyw", ".ipynb")}
    if place in sources:
        raise InputError(f"{output} is part of the project; choose another place for the report")
    if output.is_dir():
        raise InputError(f"{output} is a folder; name a file")
