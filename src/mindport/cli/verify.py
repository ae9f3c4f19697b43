"""mindport verify: do both sides compute the same?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mindport.cli.answering import InputError, answering
from mindport.cli.options import Format, FormatOption, console, existing


@answering("the recordings made so far are in the working folder")
def verify(
    spec: Annotated[Path, typer.Argument(help="What to compare (JSON; see docs/verify.md).", metavar="SPEC")],
    workdir: Annotated[Path | None, typer.Option("--workdir", help="Keep recordings here.", metavar="FOLDER")] = None,
    form: FormatOption = Format.console,
) -> int:
    """Run both sides and compare what they compute.

    A PyTorch callable and its MindSpore counterpart, each in its own process. Exit code 0 where all tensors agree, 1 where some differ, 2 where a side could not run.

    \b
    Example: mindport verify resnet.verify.json --workdir build/verify
    """
    import tempfile

    import msgspec

    from mindport.verify import SpecError, load_spec, run

    existing([spec])
    place = workdir or Path(tempfile.mkdtemp(prefix="mindport-verify-"))
    try:
        comparison = run(load_spec(spec), place)
    except SpecError as error:
        raise InputError(str(error)) from error
    encoded = msgspec.json.format(msgspec.json.encode(comparison))
    (place / "comparison.json").write_bytes(encoded)
    if form is Format.json:
        typer.echo(encoded.decode())
    else:
        from mindport.verify.console import show

        show(comparison, console())
    return comparison.exit_code
