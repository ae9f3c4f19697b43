"""mindport api: everything known about one API."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from mindport.cli.answering import InputError, answering
from mindport.cli.options import (
    DEVICE,
    MINDSPORE,
    DeviceOption,
    Format,
    FormatOption,
    MindSporeOption,
    console,
    mindspore_version,
)

if TYPE_CHECKING:
    from mindport.targets import TargetApi


@answering("nothing was written")
def api(
    name: Annotated[list[str], typer.Argument(help="A PyTorch name, a MindSpore name, part of one, or words.", metavar="NAME…")],
    mindspore: MindSporeOption = MINDSPORE,
    device: DeviceOption = DEVICE,
    form: FormatOption = Format.console,
) -> int:
    """Show everything known about an API.

    Both signatures, what a call becomes, its differences and its evidence.

    A MindSpore name is looked up backwards: the PyTorch names whose equivalents use it. Another framework's
    name (tf., keras., jax., numpy., paddle.) leads to the PyTorch names that people mean by it; words search names and
    descriptions, with synonyms and typos.

    \b
    Example: mindport api torch.flatten
    Example: mindport api mindspore.ops.flatten
    Example: mindport api tf.nn.softmax_cross_entropy_with_logits
    Example: mindport api cross entropy with soft labels
    """
    from mindport import catalog as knowledge
    from mindport.analysis.lookup import lookup, mindspore_name
    from mindport.evidence import store
    from mindport.report.api_card import card, render_json
    from mindport.targets.load import load

    mindspore = mindspore_version(mindspore)
    catalog = knowledge.load()
    query = " ".join(name)
    found = lookup(catalog, query)
    target, evidence = load(mindspore), store.load(device, mindspore)
    if not found.names:
        offered = target.get(mindspore_name(query))
        if offered is not None:
            return _unused(mindspore_name(query), offered, mindspore, form)
        near = f"; near: {', '.join(found.near)}" if found.near else ""
        raise InputError(f"nothing is known about {query!r}{near}")
    if form is Format.json:
        typer.echo(render_json([card(each, catalog, target, evidence, device) for each in found.names]), nl=False)
        return 0
    from mindport.report.api_console import show

    out = console()
    if len(found.names) == 1:
        show(card(found.names[0], catalog, target, evidence, device), out)
        return 0
    out.print(f"{query}: {len(found.names)} names by {found.how}", markup=False)
    for each in found.names:
        first = card(each, catalog, target, evidence, device).entries[0]
        out.print(f"  {each}  {first.mode}  {first.becomes or first.why}", markup=False, overflow="ellipsis", no_wrap=True)
    return 0


def _unused(name: str, offered: TargetApi, mindspore: str, form: Format) -> int:
    """Tell about a MindSpore API that no equivalent is written in."""
    from mindport.report.api_card import signature

    shown = signature(name, offered.parameters) or name
    platforms = list(offered.platforms) if offered.platforms is not None else None
    if form is Format.json:
        told = {"mindspore": name, "version": mindspore, "signature": shown, "platforms": platforms, "deprecated": offered.deprecated, "used_by": []}
        typer.echo(json.dumps(told, indent=1))
        return 0
    typer.echo(f"{shown}\n  in MindSpore {mindspore}" + (f", documented for {', '.join(platforms)}" if platforms else ""))
    if offered.deprecated:
        typer.echo(f"  deprecated: {offered.deprecated}")
    typer.echo("  no PyTorch name's equivalent is written in it")
    return 0
