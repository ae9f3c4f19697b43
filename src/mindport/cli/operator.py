"""mindport operator: a custom operator for an API that MindSpore cannot compose, or only slowly."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mindport.cli.answering import InputError, answering
from mindport.cli.options import Format, FormatOption


@answering("what was written so far stays")
def operator(
    name: Annotated[str, typer.Argument(help="A PyTorch name; without it, all that there are operators for.", metavar="[NAME]")] = "",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The new folder.", metavar="DIR")] = None,
    form: FormatOption = Format.console,
) -> int:
    """Write a custom operator: C++ kernel, Python side with its gradient, test, build line.

    For CPU, through MindSpore's aot interface; a stub for Ascend. The test compares it with PyTorch in both modes.
    Nothing is compiled or run here.

    \b
    Example: mindport operator
    Example: mindport operator torch.cdist -o operators/cdist
    """
    import json

    from mindport.inference.torchfacts import canonical
    from mindport.report.operator import generate, operators

    if not name:
        if form is Format.json:
            typer.echo(json.dumps({each: told.why for each, told in operators().items()}, indent=1))
        else:
            for each, told in operators().items():
                typer.echo(f"{each}: {told.why}")
        return 0
    official = canonical(name)
    if official not in operators():
        raise InputError(f"there is no custom operator for {name!r}; there are {', '.join(operators())}")
    if output is None:
        raise InputError("name the new folder with --output")
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise InputError(f"{output} is not an empty folder")
    written = generate(official, output)
    if form is Format.json:
        typer.echo(json.dumps({"name": official, "files": [str(path) for path in written]}))
    else:
        typer.echo(f"{official}: {len(written)} files in {output}; sh {output / 'build.sh'} compiles it")
    return 0
