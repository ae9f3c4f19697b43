"""mindport trace: what a run of the program shows, for mindport analyze."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mindport.cli.answering import FINDINGS, INTERRUPTED, InputError, answering
from mindport.cli.options import Format, FormatOption, console

if TYPE_CHECKING:
    from mindport.trace.reading import Trace


@answering("what was recorded up to now can be read: mindport analyze takes it as it is")
def trace(
    command: Annotated[list[str], typer.Argument(help="The command that runs the program, as you run it.", metavar="-- COMMAND…")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The trace.", metavar="FILE")] = Path("trace.jsonl"),
    steps: Annotated[int | None, typer.Option(help="End the program after so many iterations.", min=1, metavar="N")] = None,
    project: Annotated[
        list[Path] | None, typer.Option("--project", help="Whose files' calls are recorded (this folder without it). Repeatable.", metavar="FOLDER")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Take the place of a trace that is there.")] = False,
    form: FormatOption = Format.console,
) -> int:
    """Run a PyTorch program, unchanged, and record what only a run can see.

    The shapes and times of each layer over the iterations, the batches of each loader, the functions of PyTorch that
    your files call, and the losses. An iteration is an optimizer's step; in a program without an optimizer, a call of
    the network. The file can be read at any time: an interrupted run leaves a shorter trace.

    Exit codes: 0 recorded; 1 recorded, and the program failed; 2 nothing of PyTorch was seen, or wrong usage;
    130 interrupted, with what was recorded up to then.

    \b
    Example: mindport trace --steps 200 -- python train.py --epochs 1
    """
    from mindport.trace.reading import TraceError, read

    _make_room(out, force)
    folders = [folder.resolve() for folder in project or [Path.cwd()]]
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"--project: there is no folder {str(folder)!r}")
    code = _run(command, {"out": str(out.resolve()), "roots": [str(f) for f in folders], "steps": steps, "parent": os.getpid()}, form is Format.json)
    interrupted = code in (-signal.SIGINT, INTERRUPTED)
    try:
        found = read(out)
    except FileNotFoundError:
        if interrupted:
            raise InputError("the program was interrupted before it called anything of PyTorch: nothing was recorded") from None
        said = f"it ended with code {code}" if code >= 0 else f"it died with {signal.Signals(-code).name}"
        raise InputError(f"nothing of PyTorch was seen in the command's process ({said}); name the Python program itself after --") from None
    except TraceError as error:
        raise InputError(str(error)) from None
    if form is Format.json:
        typer.echo(json.dumps({"file": str(out), "code": code, **_summary(found)}, indent=1))
    else:
        _show(found, out)
    if interrupted or found.ended == "KeyboardInterrupt":
        return INTERRUPTED
    return FINDINGS if code else 0


def _make_room(out: Path, force: bool) -> None:
    """What is there is kept unless it is a trace and the user gives it up."""
    from mindport.trace.reading import TraceError, read

    if not out.parent.is_dir():
        raise InputError(f"there is no folder {str(out.parent)!r}")
    if not out.exists():
        return
    if out.is_dir():
        raise InputError(f"{out} is a folder; name a file with --out")
    if not force:
        raise InputError(f"{out} is there; name another file with --out, or give --force to replace a trace")
    try:
        read(out)
    except TraceError as error:
        raise InputError(f"--force replaces traces only: {error}") from None
    out.unlink()


def _run(command: list[str], job: dict[str, Any], quiet: bool) -> int:
    """The command's exit code; negative: the signal. It has the terminal as if it had been started without mindport."""
    from mindport.verify.training.launch import ENTRY

    with tempfile.TemporaryDirectory(prefix="mindport-trace-") as folder:
        place = Path(folder) / "job.json"
        place.write_text(json.dumps({"tool": "trace", "framework": "torch", "command": command, **job}), "utf-8")
        paths = [str(ENTRY), *filter(None, [os.environ.get("PYTHONPATH", "")])]
        surroundings = {**os.environ, "MINDPORT_RECORD": str(place), "PYTHONPATH": os.pathsep.join(paths)}
        sys.stdout.flush()
        # Ctrl-C reaches the program itself; mindport waits for what it does about it.
        before = signal.signal(signal.SIGINT, lambda number, frame: None)
        try:
            return subprocess.Popen(command, env=surroundings, stdout=sys.stderr.fileno() if quiet else None).wait()
        except OSError as error:
            raise InputError(f"{command[0]} cannot be started: {error.strerror or error}") from None
        finally:
            signal.signal(signal.SIGINT, before)


def _summary(found: Trace) -> dict[str, Any]:
    return {
        "iterations": found.iterations, "unit": found.unit, "ended": found.ended, "seconds": found.seconds, "memory": found.memory,
        "networks": [
            {
                "class": network.cls, "parameters": network.parameters, "layers": len(network.layers),
                "calls": network.top.calls if network.top else 0, "shapes": network.top.distinct if network.top else 0,
                "seconds": network.top.seconds if network.top else 0.0,
            }
            for network in found.networks
        ],
        "loaders": [{"dataset": loader.dataset, "place": f"{loader.file}:{loader.line}", "shapes": loader.distinct} for loader in found.loaders],
        "apis": len({call.name for call in found.calls}), "losses": [found.losses[0][1], found.losses[-1][1]] if found.losses else [],
    }  # fmt: skip


def _show(found: Trace, out: Path) -> None:
    screen = console()
    names = len({call.name for call in found.calls})
    screen.print(f"{found.iterations} iterations ({found.unit}) recorded in {out}; {names} functions of PyTorch called from your files", markup=False)
    for network in found.networks:
        top = network.top
        if top is None or not (network.parameters or len(network.layers) > 1):
            continue
        size = f"{network.parameters:,} parameters" if network.parameters is not None else "parameters unknown"
        screen.print(f"  {network.cls}: {size}, {top.calls} calls with {top.distinct} different shapes, {top.seconds:.3g} s forward", markup=False)
    for loader in found.loaders:
        screen.print(f"  {loader.dataset}, batches of {loader.batch_size}: {loader.distinct} different shapes", markup=False)
    if found.losses:
        screen.print(f"  loss: {found.losses[0][1]} → {found.losses[-1][1]}", markup=False)
    if found.ended not in ("finished", "steps"):
        screen.print(f"  the program did not end by itself ({found.ended or 'killed'}): the trace holds what came before", markup=False)
