"""mindport analyze: every question of the guide about a project, answered with evidence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mindport.cli.answering import InputError, answering
from mindport.cli.options import (
    DEVICE,
    MINDSPORE,
    ExcludeOption,
    MindSporeOption,
    console,
    existing,
    mindspore_version,
)
from mindport.cli.ratchet import BaselineOption, FailOnOption, exit_code, known_before
from mindport.cli.scan import ReportFormat, check_output

if TYPE_CHECKING:
    from mindport.report.analysis import Analysis
    from mindport.trace.reading import Trace


@answering("nothing was written")
def analyze(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders of the project.", metavar="PATH…")],
    form: Annotated[ReportFormat, typer.Option("--format", help="The form of the report.")] = ReportFormat.console,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the report here.", metavar="FILE")] = None,
    exclude: ExcludeOption = None,
    mindspore: MindSporeOption = MINDSPORE,
    fail_on: FailOnOption = None,
    baseline: BaselineOption = None,
    trace: Annotated[
        Path | None, typer.Option("--trace", help="What mindport trace recorded: says which shapes, sizes and APIs a run saw.", metavar="FILE")
    ] = None,
) -> int:
    """Answer the guide's questions about a project: structure, recipe, data, APIs, gradients, shapes, sparsity.

    The code is read, never run, and every statement names its file and line.

    \b
    Example: mindport analyze . --format html --output analysis.html
    Example: mindport analyze . --trace trace.jsonl
    Example: mindport analyze src configs --format json --fail-on blocker
    """
    from mindport.report.analysis import analyze as make_analysis
    from mindport.report.scan import collection_paused
    from mindport.source.discover import discover

    mindspore = mindspore_version(mindspore)
    before = known_before(baseline, fail_on)
    recorded = _recorded(trace)
    with collection_paused():
        discovery = discover(existing(paths), exclude or ())
    if output is not None:
        check_output(output, discovery)
    made = make_analysis(discovery, [path.as_posix() for path in paths], mindspore, DEVICE, trace=recorded)
    if output is not None:
        from mindport.source.edits import write

        write(output, _text(made, form, before))
        typer.echo(f"{made.report.answer}: the analysis is in {output}", err=True)
    elif form is ReportFormat.console:
        from mindport.report.analysis_text import show

        show(made, console())
    else:
        typer.echo(_text(made, form, before), nl=False)
    return exit_code(made.report, fail_on, baseline, before)


def _recorded(path: Path | None) -> Trace | None:
    if path is None:
        return None
    from mindport.trace.reading import TraceError, read

    try:
        return read(path)
    except TraceError as error:
        raise InputError(str(error)) from None


def _text(made: Analysis, form: ReportFormat, before: frozenset[str] | None) -> str:
    match form:
        case ReportFormat.json:
            from mindport.report.analysis_text import json_text

            return json_text(made)
        case ReportFormat.markdown:
            from mindport.report.analysis_text import markdown

            return markdown(made)
        case ReportFormat.html:
            from mindport.report.html import render

            return render(made.report, made.sections, made.verdict)
        case ReportFormat.csv:
            from mindport.report.csv_ import render as csv_text

            return csv_text(made.report)
        case ReportFormat.sarif:
            from mindport.report.sarif import render as sarif_text

            return sarif_text(made.report, before)
        case ReportFormat.console:
            from io import StringIO

            from rich.console import Console

            from mindport.report.analysis_text import show

            text = StringIO()
            show(made, Console(file=text, width=120, highlight=False))
            return text.getvalue()
