"""mindport api: everything known about one API."""

from __future__ import annotations

from typing import Annotated

import typer

from mindport.cli.answering import InputError, answering
from mindport.cli.options import (
    DEVICE,
    MINDSPORE,
    Format,
    FormatOption,
    MindSporeOption,
    console,
    mindspore_version,
)


@answering("nothing was written")
def api(
    name: Annotated[list[str], typer.Argument(help="A PyTorch name, a MindSpore name, part of one, or words.", metavar="NAME…")],
    mindspore: MindSporeOption = MINDSPORE,
    form: FormatOption = Format.console,
) -> int:
    """Show everything known about an API.

    Both signatures, what a call becomes, its differences and its evidence.

    A MindSpore name is looked up backwards; words search names and descriptions.

    \b
    Example: mindport api torch.flatten
    Example: mindport api mindspore.ops.flatten
    Example: mindport api batch norm
    """
    from mindport import catalog as knowledge
    from mindport.analysis.lookup import lookup
    from mindport.evidence import store
    from mindport.report.api_card import card, render_json
    from mindport.targets.load import load

    mindspore = mindspore_version(mindspore)
    catalog = knowledge.load()
    query = " ".join(name)
    found = lookup(catalog, query)
    if not found.names:
        near = f"; near: {', '.join(found.near)}" if found.near else ""
        raise InputError(f"nothing is known about {query!r}{near}")
    target, evidence = load(mindspore), store.load(DEVICE, mindspore)
    if form is Format.json:
        typer.echo(render_json([card(each, catalog, target, evidence, DEVICE) for each in found.names]), nl=False)
        return 0
    from mindport.report.api_console import show

    out = console()
    if len(found.names) == 1:
        show(card(found.names[0], catalog, target, evidence, DEVICE), out)
        return 0
    out.print(f"{query}: {len(found.names)} names by {found.how}", markup=False)
    for each in found.names:
        first = card(each, catalog, target, evidence, DEVICE).entries[0]
        out.print(f"  {each}  {first.mode}  {first.becomes or first.why}", markup=False, overflow="ellipsis", no_wrap=True)
    return 0
