"""mindport baseline: record a training run, unchanged."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mindport.cli.answering import FINDINGS, InputError, answering
from mindport.cli.options import Format, FormatOption, console


@answering("what was recorded up to now can be read: mindport compare takes it as it is")
def baseline(
    command: Annotated[list[str], typer.Argument(help="The command that trains, as you run it.", metavar="-- COMMAND…")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The recording's folder.", metavar="FOLDER")] = Path("baseline"),
    every: Annotated[int, typer.Option(help="Take the gradient norm every so many steps, after the first ten.", min=1)] = 10,
    layers: Annotated[bool, typer.Option("--layers", help="Time each class of layers, too (it costs time itself).")] = False,
    metric: Annotated[
        str | None, typer.Option(metavar="PATTERN", help="What the program prints, with (?P<value>…) and perhaps (?P<name>…).")
    ] = None,
    form: FormatOption = Format.console,
) -> int:
    """Record a training run, of PyTorch or of MindSpore, without changing it.

    The environment, losses, learning rates, gradient norms, times and memory go line by line into FOLDER/run.jsonl;
    the first batch and the parameters at both ends beside it. An interrupted recording is readable up to where it
    stopped; the same command begins anew and keeps it. Exit code 1 where the command itself fails.

    \b
    Example: mindport baseline -o baseline -- python train.py --epochs 3
    """
    from mindport.verify.training.launch import watched
    from mindport.verify.training.metrics import last
    from mindport.verify.training.recorded import load_run

    _make_room(out)
    job = {"detail": False, "every": every, "layers": layers}
    ending = watched(command, Path.cwd(), out.resolve(), job, quiet=form is Format.json)
    run = load_run(out)
    if run is None or not run.steps:
        if ending.code or ending.trouble:
            raise InputError(ending.sentence())
        raise InputError("the command trained nothing that could be seen: no optimizer of torch or MindSpore took a step in its process")
    found = {
        "folder": str(out), "framework": run.framework, "steps": len(run.steps), "ended": run.ended, "code": ending.code,
        "losses": [run.steps[0].loss, run.steps[-1].loss], "printed": last(run.printed(), metric), "memory": run.memory,
    }
    if form is Format.json:
        import json

        typer.echo(json.dumps(found, indent=1))
    else:
        screen = console()
        screen.print(f"{run.framework}: {len(run.steps)} steps recorded in {out}", markup=False)
        for name, value in last(run.printed(), metric).items():
            screen.print(f"  {name}, printed last: {value:g}", markup=False)
        if ending.code:
            screen.print(f"the recording holds what came before: {ending.sentence()}", markup=False)
    return FINDINGS if ending.code else 0


def _make_room(out: Path) -> None:
    """A whole recording is never overwritten; an interrupted one is put aside."""
    from mindport.verify.training.recorded import load_run

    if not out.exists():
        return
    if not out.is_dir():
        raise InputError(f"{out} is a file; name a folder")
    if not any(out.iterdir()):
        return
    run = load_run(out)
    if run is not None and run.ended:
        raise InputError(f"{out} holds a whole recording; name another folder with --out")
    if run is None and not (out / "job.json").is_file() and not (out / "stdout.txt").is_file():
        raise InputError(f"{out} is not empty and no recording; name another folder with --out")
    number = 1
    while (aside := out.with_name(f"{out.name}.interrupted-{number}")).exists():
        number += 1
    out.rename(aside)
    typer.echo(f"the interrupted recording is now {aside}", err=True)
