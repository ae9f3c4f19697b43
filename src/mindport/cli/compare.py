"""mindport compare: lay a run over its baseline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mindport.cli.answering import InputError, answering
from mindport.cli.options import Format, FormatOption, console, existing


@answering("nothing was changed")
def compare(
    baseline: Annotated[Path, typer.Argument(help="The recording to compare with (or a log).", metavar="BASELINE")],
    run: Annotated[Path, typer.Argument(help="The recording to judge (or a log).", metavar="RUN")],
    log: Annotated[bool, typer.Option("--log", help="Both are text files that training programs printed.")] = False,
    html: Annotated[Path | None, typer.Option("--html", help="Write the charts there (one file, works offline).", metavar="FILE")] = None,
    metric: Annotated[
        str | None, typer.Option(metavar="PATTERN", help="With --log: what was printed, with (?P<name>…) and (?P<value>…).")
    ] = None,
    form: FormatOption = Format.console,
) -> int:
    """Say whether a run converges and is as fast as its baseline.

    Recordings are folders that mindport baseline makes. Exit code 0 where the trend of the loss, the learning rate and
    the speed are fine, 1 where one is not, 2 where the trend cannot be judged.

    \b
    Example: mindport compare baseline run_ms --html compared.html
    Example: mindport compare --log torch.log mindspore.log
    """
    from mindport.verify.training.overlay import overlay, overlay_logs, recording

    existing([baseline, run])
    if log:
        for path in (baseline, run):
            if path.is_dir():
                raise InputError(f"{path} is a folder: leave --log out to compare recordings")
        made = overlay_logs(baseline, run, metric)
    else:
        found = [recording(path) if path.is_dir() else None for path in (baseline, run)]
        for path, one in zip((baseline, run), found, strict=True):
            if one is None:
                raise InputError(f"{path} holds no recording (mindport baseline makes one; --log compares text files)")
        assert found[0] is not None and found[1] is not None
        made = overlay(found[0], found[1])
    from mindport.report import overlay as told

    if html is not None:
        from mindport.source.edits import write

        write(html, told.render(made))
    if form is Format.json:
        typer.echo(told.render_json(made), nl=False)
    else:
        told.show(made, console())
        if html is not None:
            typer.echo(f"the charts are in {html}")
    return made.exit_code
