"""mindport targets: the tables of what each MindSpore version offers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mindport.cli.answering import INPUT, answering
from mindport.cli.options import Format, FormatOption, mindspore_version

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Build, list and compare the tables of MindSpore versions.")


@app.command("build")
@answering("the old table is still in place")
def build(
    python: Annotated[
        Path | None, typer.Option("--python", help="The interpreter of an environment with that MindSpore.", metavar="PYTHON")
    ] = None,
) -> int:
    """Write the table of an installed MindSpore, by importing it in a process of its own.

    \b
    Example: mindport targets build --python ~/ms-2.9/bin/python
    """
    import os
    import subprocess
    import sys

    package = Path(__file__).parents[2]
    environment = dict(os.environ, PYTHONPATH=f"{package}{os.pathsep}{os.environ.get('PYTHONPATH', '')}", GLOG_v="3")
    interpreter = str(python) if python is not None else sys.executable
    ran = subprocess.run([interpreter, "-m", "mindport.targets.build"], env=environment, capture_output=True, text=True)
    if ran.returncode:
        reason = ran.stderr.strip().splitlines()[-1:] or ["it ended without a word"]
        typer.echo(f"mindport: {interpreter} could not build the table: {reason[0]}", err=True)
        return INPUT
    typer.echo(ran.stdout, nl=False)
    return 0


@app.command("list")
@answering("nothing was written")
def list_(form: FormatOption = Format.console) -> int:
    """List the MindSpore versions that have a table.

    \b
    Example: mindport targets list
    """
    from mindport.targets.load import load, versions

    known = {version: len(load(version).names()) for version in versions()}
    if form is Format.json:
        import json

        typer.echo(json.dumps(known))
    else:
        for version, count in known.items():
            typer.echo(f"MindSpore {version}: {count:,} names")
    return 0


@app.command("diff")
@answering("nothing was written")
def diff(
    old: Annotated[str, typer.Argument(help="A MindSpore version.")],
    new: Annotated[str, typer.Argument(help="Another one.")],
    form: FormatOption = Format.console,
) -> int:
    """Say which names came, went, or take other parameters between two versions.

    \b
    Example: mindport targets diff 2.9.0 2.10.0
    """
    from mindport.report.target_diff import diff as compare
    from mindport.targets.load import load

    found = compare(load(mindspore_version(old)), load(mindspore_version(new)))
    if form is Format.json:
        import msgspec

        typer.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
        return 0
    typer.echo(f"MindSpore {old} → {new}: {len(found.added)} came, {len(found.removed)} went, {len(found.changed)} changed")
    for name in found.added:
        typer.echo(f"+ {name}")
    for name in found.removed:
        typer.echo(f"- {name}")
    for change in found.changed:
        typer.echo(f"~ {change.old}\n  {change.new}")
    return 0
