"""mindport check: one entry of the knowledge, run against torch, in seconds."""

from __future__ import annotations

from typing import Annotated

import typer

from mindport.cli.answering import InputError, answering
from mindport.cli.options import Format, FormatOption


@answering("nothing was stored")
def check(
    name: Annotated[str, typer.Argument(help="A PyTorch name that the knowledge has.", metavar="NAME")],
    form: FormatOption = Format.console,
) -> int:
    """Run one entry against torch (for contributors).

    Shows everything about it. Needs both frameworks.

    Exit code 1 where a sample disagrees.

    \b
    Example: mindport check torch.flatten
    """
    raise InputError("check is not wired yet")
