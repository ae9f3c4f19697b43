"""mindport evidence: run the knowledge against torch and store what comes out."""

from __future__ import annotations

from typing import Annotated

import typer

from mindport.cli.answering import InputError, answering
from mindport.cli.options import DEVICE, Format, FormatOption, frameworks


@answering("every outcome that was ready is stored; the next run goes on from there")
def evidence(
    names: Annotated[list[str] | None, typer.Argument(help="PyTorch names or knowledge files, also 'torch.fft.*'; without it, all.", metavar="NAME…")] = None,
    jobs: Annotated[int, typer.Option("--jobs", help="Workers at a time.", min=1)] = 1,
    force: Annotated[bool, typer.Option("--force", help="Run again what is up to date.")] = False,
    form: FormatOption = Format.console,
) -> int:
    """Run the knowledge against torch and store the outcome.

    Only what changed is run; a run that was stopped goes on where it was. Needs both frameworks.

    \b
    Example: mindport evidence
    Example: mindport evidence activation torch.flatten --force
    Example: mindport evidence 'layers-vision_models-*'
    """
    frameworks("evidence")
    from collections import Counter

    from rich.console import Console

    from mindport.evidence import run, store
    from mindport.evidence.runner import installed

    known = store.load(DEVICE, installed()["mindspore"])
    chosen = run.selected(names or [])
    if not chosen:
        raise InputError(f"no entry is for {' or '.join(names or [])}")
    entries = run.due(chosen, known, force)
    progress = Console(stderr=True, highlight=False)
    progress.print(f"{len(entries)} of {len(chosen)} entries to run")
    run.run(entries, known, jobs, progress)
    if not names:
        run.drop_gone(known)
    counts = Counter(known.status(entry) for entry in chosen if entry.kind != "absent")
    if form is Format.json:
        import json

        typer.echo(json.dumps({"run": len(entries), "status": counts}))
    else:
        typer.echo(", ".join(f"{count} {status}" for status, count in sorted(counts.items())))
    return 0
