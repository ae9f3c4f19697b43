"""mindport convert: a MindSpore project from a PyTorch project."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mindport.cli.answering import FINDINGS, InputError, answering
from mindport.cli.options import (
    DEVICE,
    MINDSPORE,
    ExcludeOption,
    Format,
    FormatOption,
    MindSporeOption,
    WithOption,
    console,
    discovered,
    existing,
    mindspore_version,
)
from mindport.cli.ratchet import FailOn

if TYPE_CHECKING:
    from mindport.convert import Conversion
    from mindport.source.file import SourceFile


@answering("your project is as it was, and the new folder was not made")
def convert(
    source: Annotated[Path, typer.Argument(help="The project, or one file.", metavar="SRC")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The new folder.", metavar="OUT")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and write nothing.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Print the changes as a unified diff.")] = False,
    log: Annotated[Path | None, typer.Option("--log", help="Write the conversion log (JSON) here, too.", metavar="FILE")] = None,
    exclude: ExcludeOption = None,
    libraries: WithOption = None,
    mindspore: MindSporeOption = MINDSPORE,
    form: FormatOption = Format.console,
    fail_on: Annotated[
        FailOn | None, typer.Option("--fail-on", help="Exit with 1 where a finding has this risk or a worse one.")
    ] = None,
) -> int:
    """Write a MindSpore project from a PyTorch project.

    The original is never changed. What cannot be converted keeps its text under a comment that says why. Beside the converted
    files stands mindport-log.json with every change, the knowledge behind it and its evidence.

    A library that is built on PyTorch is converted along with --with: what the project reaches of it stands beside the project's files.

    \b
    Example: mindport convert my_project -o my_project_ms
    Example: mindport convert my_project -o my_project_ms --with timm --with lpips=../site-packages
    Example: mindport convert model.py --dry-run --diff
    """
    if out is None and not (dry_run or diff):
        raise InputError("name a new folder with -o OUT, or look first with --dry-run or --diff")
    existing([source])
    if out is not None:
        _check_out(source, out)
    mindspore = mindspore_version(mindspore)
    from mindport.convert import Options, write
    from mindport.convert import convert as make
    from mindport.evidence import store

    discovery = discovered(source, exclude, libraries)
    with _progress(len(discovery.files)) as show:
        conversion = make(discovery, Options(mindspore, store.load(DEVICE, mindspore).status), show)
    if diff:
        from mindport.report.conversion import diff as differences

        for text in differences(conversion):
            typer.echo(text, nl=False)
    if out is not None and not dry_run:
        write(conversion, out)
    if log is not None:
        from mindport.convert.project import log_json
        from mindport.source.edits import write as write_text

        write_text(log, log_json(conversion))
    if not diff or form is Format.json:
        _tell(conversion, form, None if dry_run else out)
    if fail_on is None:
        return 0
    from mindport.findings import RISKS

    asked = RISKS[: RISKS.index(fail_on.value) + 1]
    return FINDINGS if any(finding.risk in asked for finding in conversion.findings) else 0


@contextmanager
def _progress(files: int) -> Iterator[Callable[[SourceFile], None]]:
    """On a terminal: which file is being converted; nothing elsewhere."""
    from rich.console import Console

    done = count(1)
    with Console(stderr=True).status(f"reading {files} files") as status:
        yield lambda file: status.update(f"{next(done)} of {files}: {file.relative}")


def _check_out(source: Path, out: Path) -> None:
    place, origin = out.resolve(), source.resolve()
    if out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file; name a new folder")
    if place == origin or origin in place.parents or place in origin.parents and source.is_dir():
        raise InputError(f"{out} and {source} lie within each other; the new folder stands apart from the project")
    if out.is_dir() and any(out.iterdir()):
        raise InputError(f"{out} is not empty; name a new folder for the converted project")


def _tell(conversion: Conversion, form: Format, out: Path | None) -> None:
    from mindport.report import conversion as told

    if form is Format.json:
        typer.echo(told.render_json(conversion, out), nl=False)
    else:
        told.show(conversion, out, console())
