"""mindport issue: drafts a community issue about an API that MindSpore lacks or computes differently."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mindport.cli.answering import FINDINGS, InputError, answering
from mindport.cli.options import (
    DEVICE,
    MINDSPORE,
    DeviceOption,
    ExcludeOption,
    Format,
    FormatOption,
    MindSporeOption,
    existing,
    mindspore_version,
)


@answering("nothing was written")
def issue(
    name: Annotated[str, typer.Argument(help="A PyTorch name.", metavar="NAME")],
    project: Annotated[list[Path] | None, typer.Argument(help="Files and folders whose uses of it to list.", metavar="[PATH]…")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the draft here.", metavar="FILE")] = None,
    anyway: Annotated[bool, typer.Option("--anyway", help="Draft it for an API whose equivalent is verified, too.")] = False,
    exclude: ExcludeOption = None,
    mindspore: MindSporeOption = MINDSPORE,
    device: DeviceOption = DEVICE,
    form: FormatOption = Format.console,
) -> int:
    """Draft a community issue about an API that MindSpore lacks or computes differently.

    The draft is Markdown: a reproduction in PyTorch, the same in MindSpore, versions, device, policy
    rung, evidence, and the project's uses with file and line. Exit code 1: the API's equivalent is verified
    and there is nothing to report.

    \b
    Example: mindport issue torch.nested.nested_tensor src --output issue.md
    """
    from mindport import catalog as knowledge
    from mindport.analysis.lookup import lookup
    from mindport.evidence import store
    from mindport.inference.torchfacts import canonical
    from mindport.inference.torchfacts import lookup as torch_lookup
    from mindport.report.issue import draft, render, render_json
    from mindport.source.discover import discover
    from mindport.targets.load import load

    mindspore = mindspore_version(mindspore)
    official = canonical(name.strip().removesuffix("()"))
    catalog = knowledge.load()
    if not catalog.find(official) and torch_lookup(official) is None:
        found = lookup(catalog, name)
        near = (*found.names, *found.near)[:5]
        raise InputError(f"PyTorch has no public name {name!r}" + (f"; near: {', '.join(near)}" if near else ""))
    discovery = discover(existing(project), exclude or ()) if project else None
    made = draft(official, catalog, load(mindspore), store.load(device, mindspore), device, discovery)
    if not made.needed and not anyway:
        typer.echo(f"mindport: {official} has a verified equivalent without differences: there is nothing to report (--anyway drafts it)", err=True)
        return FINDINGS
    text = render_json(made) if form is Format.json else render(made)
    if output is None:
        typer.echo(text, nl=False)
        return 0
    from mindport.cli.scan import check_output
    from mindport.source.edits import write

    if discovery is not None:
        check_output(output, discovery)
    elif output.is_dir():
        raise InputError(f"{output} is a folder; name a file")
    write(output, text)
    typer.echo(f"the draft about {official} is in {output}", err=True)
    return 0
