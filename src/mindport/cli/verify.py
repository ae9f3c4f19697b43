"""mindport verify: do both sides compute the same, and do they train the same?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mindport.cli.answering import InputError, answering
from mindport.cli.options import Format, FormatOption, console, existing

if TYPE_CHECKING:
    from mindport.verify.training.plan import TrainSpec

_FOLDER = typer.Option(metavar="FOLDER", help="With --train: the folder of the PyTorch project.")


@answering("the recordings made so far are in the working folder; the same command goes on from them")
def verify(
    spec: Annotated[Path | None, typer.Argument(help="What to compare (JSON; see docs/verify.md).", metavar="[SPEC]")] = None,
    workdir: Annotated[Path | None, typer.Option("--workdir", help="Keep recordings here.", metavar="FOLDER")] = None,
    train: Annotated[
        str | None, typer.Option("--train", metavar="COMMAND", help="Climb the ladder over training: the command that trains, without python.")
    ] = None,
    original: Annotated[Path, _FOLDER] = Path("."),
    converted: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="With --train: the converted project; without it, it is converted into the working folder.")
    ] = None,
    steps: Annotated[int, typer.Option(help="With --train: optimizer steps to compare; 0 runs to the end.")] = 100,
    noise: Annotated[int, typer.Option(help="With --train: runs of torch that measure its own noise.")] = 2,
    metric: Annotated[
        str | None, typer.Option(metavar="PATTERN", help="With --train: what the script prints, with (?P<name>…) and (?P<value>…).")
    ] = None,
    keep_dropout: Annotated[bool, typer.Option("--keep-dropout", help="With --train: leave dropout on.")] = False,
    python_torch: Annotated[str, typer.Option(metavar="PATH", help="With --train: the interpreter that has torch.")] = sys.executable,
    python_mindspore: Annotated[str, typer.Option(metavar="PATH", help="With --train: the interpreter that has MindSpore.")] = sys.executable,
    form: FormatOption = Format.console,
) -> int:
    """Run both sides and compare what they compute.

    A PyTorch callable and its MindSpore counterpart, each in its own process; or, with --train, the same training
    command in the original and in the converted project, rung by rung from the first values to the last figure.
    Exit code 0 where all agrees, 1 where something differs, 2 where a side could not run or be judged.

    \b
    Example: mindport verify resnet.verify.json --workdir build/verify
    Example: mindport verify --train 'train.py --epochs 2' --original project --converted project_ms
    """
    import tempfile

    place = workdir or Path(tempfile.mkdtemp(prefix="mindport-verify-"))
    if train is not None:
        if spec is not None:
            raise InputError("give a spec or --train, not both")
        from mindport.verify.training.plan import TrainSide, TrainSpec

        existing([original])
        theirs = converted or _converted(original, place)
        existing([theirs])
        plan = TrainSpec(
            train, TrainSide(str(original.resolve()), python_torch), TrainSide(str(theirs.resolve()), python_mindspore),
            steps, noise, dropout=keep_dropout, metric=metric,
        )
        return _ladder(plan, place, form)
    if spec is None:
        raise InputError("give a spec file, or --train with a training command (see mindport verify --help)")
    existing([spec])
    return _spec(spec, place, form)


def _spec(spec: Path, place: Path, form: Format) -> int:
    import msgspec

    from mindport.verify import SpecError, load_spec, run

    try:
        if _trains(spec):
            from mindport.verify.training.plan import load_plan

            return _ladder(load_plan(spec), place, form)
        comparison = run(load_spec(spec), place)
    except SpecError as error:
        raise InputError(str(error)) from error
    encoded = msgspec.json.format(msgspec.json.encode(comparison))
    part = place / "comparison.json.part"
    part.write_bytes(encoded)
    part.replace(place / "comparison.json")
    if form is Format.json:
        typer.echo(encoded.decode())
    else:
        from mindport.verify.console import show

        show(comparison, console())
    return comparison.exit_code


def _trains(spec: Path) -> bool:
    import json

    try:
        found = json.loads(spec.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and "train" in found


def _ladder(plan: TrainSpec, place: Path, form: Format) -> int:
    import msgspec

    from mindport.verify import SpecError
    from mindport.verify.training.ladder import climb_ladder

    def say(sentence: str) -> None:
        typer.echo(sentence, err=True)

    try:
        ladder = climb_ladder(plan, place, say)
    except SpecError as error:
        raise InputError(str(error)) from error
    if form is Format.json:
        typer.echo(msgspec.json.format(msgspec.json.encode(ladder)).decode())
    else:
        from mindport.verify.training.show import show

        show(ladder, console())
    return ladder.exit_code


def _converted(original: Path, place: Path) -> Path:
    """The project, converted into the working folder; what stands there is made anew."""
    import shutil

    from mindport.convert import convert, write
    from mindport.source.discover import discover

    target = place / "converted"
    if target.exists():
        shutil.rmtree(target)
    place.mkdir(parents=True, exist_ok=True)
    write(convert(discover(original)), target)
    return target
