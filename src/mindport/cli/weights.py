"""mindport weights: checkpoints between PyTorch and MindSpore."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mindport.cli.answering import FINDINGS, InputError, answering
from mindport.cli.options import Format, FormatOption, console, existing

if TYPE_CHECKING:
    from mindport.weights import WeightReport


@answering("the target file is whole or absent: it is written beside and renamed")
def weights(
    source: Annotated[Path, typer.Argument(help="A .pth, .pt, .ckpt or .safetensors file.", metavar="SRC")],
    target: Annotated[Path, typer.Argument(help="The file to write; its suffix decides the format.", metavar="DST")],
    layout: Annotated[Path, typer.Option("--layout", help="The map of names and layouts (JSON), as verify writes it.", metavar="FILE")],
    rest: Annotated[
        Path | None,
        typer.Option("--rest", help="A .safetensors for what MindSpore has no counterpart for: written there, read back here.", metavar="FILE"),
    ] = None,
    form: FormatOption = Format.console,
) -> int:
    """Move a checkpoint to the other framework.

    Strictly: nothing missing, nothing left over. Neither framework is needed. Exit code 1 where the checkpoint does not fit the map.

    \b
    Example: mindport weights resnet50.pth resnet50.ckpt --layout resnet50.layout.json
    """
    from mindport.weights import WeightError, convert_file
    from mindport.weights.transfer import MismatchError

    existing([source, layout])
    if target.resolve() == source.resolve():
        raise InputError(f"{target} is the source; name another file")
    try:
        report = convert_file(source, target, layout, rest)
    except MismatchError as error:
        _tell(error.report, form, None)
        return FINDINGS
    except WeightError as error:
        raise InputError(str(error)) from error
    _tell(report, form, target)
    return 0


def _tell(report: WeightReport, form: Format, target: Path | None) -> None:
    if form is Format.json:
        import msgspec

        typer.echo(msgspec.json.format(msgspec.json.encode(report)).decode())
        return
    out = console()
    for problem in report.problems:
        out.print(f"{problem.kind} {problem.name}: {problem.message}", markup=False)
    for note in report.notes:
        out.print(note, markup=False)
    if report.dropped:
        out.print(f"without a counterpart, left out: {', '.join(report.dropped)}", markup=False)
    if target is not None:
        out.print(f"{len(report.moved)} arrays are in {target}", markup=False)
    else:
        out.print(f"{len(report.problems)} problems; nothing was written", markup=False)
