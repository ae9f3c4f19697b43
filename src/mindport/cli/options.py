"""Options that several commands share."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from mindport.cli.answering import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from mindport.source.discover import Discovery


class Format(str, Enum):
    """For people or for programs."""

    console = "console"
    json = "json"


FormatOption = Annotated[Format, typer.Option("--format", help="console for people, json for programs.")]
MindSporeOption = Annotated[str, typer.Option("--mindspore", metavar="VERSION", help="The MindSpore version to judge for.")]
DeviceOption = Annotated[Literal["cpu", "gpu", "ascend"], typer.Option("--device", help="The device to tell about.")]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="GLOB", help="Leave out what matches, in .gitignore's language. Repeatable."),
]
WithOption = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="LIBRARY[=FOLDER]", help="A library that the project imports: its source, installed here or in FOLDER, counts as the project's. Repeatable."),
]
MINDSPORE = "2.10.0"
DEVICE: Literal["cpu"] = "cpu"


def console() -> Console:
    """The terminal; where output goes to a file or pipe, lines may be as long as they are."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False) if sys.stdout.isatty() else Console(highlight=False, width=120)


def existing(paths: list[Path]) -> list[Path]:
    """The paths; raises InputError about the first that is not there."""
    for path in paths:
        if not path.exists() and not path.is_symlink():
            raise InputError(f"there is no file or folder {str(path)!r}")
    return paths


def frameworks(command: str) -> None:
    """Raise InputError where a framework that the command runs is not installed."""
    from importlib.util import find_spec

    missing = [name for name in ("torch", "mindspore") if find_spec(name) is None]
    if missing:
        raise InputError(f"{command} runs both frameworks, and {' and '.join(missing)} is not installed: pip install 'mindport[verify]'")


def mindspore_version(version: str) -> str:
    """The version, if its tables are shipped; "2.7" is the last 2.7.x. Raises InputError that names those that are."""
    from mindport.targets.load import versions

    known = versions()
    version = next((each for each in reversed(known) if each.startswith(f"{version}.")), version)
    if version not in known:
        raise InputError(f"nothing is known about MindSpore {version!r}; shipped: {', '.join(known)} (see mindport targets build)")
    return version


def discovered(paths: Sequence[Path] | Path, exclude: Sequence[str] | None, libraries: Sequence[str] | None) -> Discovery:
    """The project's files, and those of the libraries that it takes along. Raises InputError where one cannot be taken."""
    from mindport.source.carried import Library, NotCarried, carry
    from mindport.source.discover import discover

    found = discover(paths, exclude or ())
    try:
        if libraries:
            carry(found, [Library.named(text) for text in libraries])
    except NotCarried as error:
        raise InputError(str(error)) from None
    return found
