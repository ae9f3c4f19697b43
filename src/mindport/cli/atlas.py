"""mindport atlas: everything known about every API, as a site that needs no network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mindport.cli.answering import InputError, answering
from mindport.cli.options import MINDSPORE, Format, FormatOption, MindSporeOption, mindspore_version


@answering("the old site is still in place")
def atlas(
    names: Annotated[list[str] | None, typer.Argument(help="PyTorch names, or beginnings of them; without it, all.", metavar="[NAME]…")] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The site's folder; an older atlas there is replaced.", metavar="DIR")] = Path("build/site"),
    mindspore: MindSporeOption = MINDSPORE,
    form: FormatOption = Format.console,
) -> int:
    """Build a site with a page for every PyTorch API.

    What it becomes, its evidence in every MindSpore version, differences, refusals, failures, related names; coverage by
    namespace; search. The pages work from disk, without a network. Needs Zensical: pip install 'mindport[atlas]'.

    \b
    Example: mindport atlas --output build/site
    Example: mindport atlas torch.nn.functional torch.Tensor.view
    """
    from importlib.util import find_spec

    from mindport import catalog as knowledge
    from mindport.report.atlas import MARK, build
    from mindport.report.atlas_model import Atlas

    mindspore = mindspore_version(mindspore)
    if find_spec("zensical") is None:
        raise InputError("atlas needs Zensical, which is not installed: pip install 'mindport[atlas]'")
    if output.exists() and (not output.is_dir() or (any(output.iterdir()) and not (output / MARK).exists())):
        raise InputError(f"{output} exists and is no atlas; name another folder, or remove it")
    catalog = knowledge.load()
    chosen = [n for n in catalog.names() if not names or any(n == each or n.startswith(f"{each}.") for each in names)]
    if not chosen:
        raise InputError(f"nothing is known about {' or '.join(names or [])}")
    built = build(Atlas(catalog, mindspore), output, chosen)
    if form is Format.json:
        import json

        typer.echo(json.dumps({"site": str(built.site), "names": built.names, "pages": built.pages, "standings": built.standings}))
    else:
        told = ", ".join(f"{count} {standing}" for standing, count in sorted(built.standings.items()))
        typer.echo(f"{built.site / 'index.html'}: {built.names} names on {built.pages} pages; {told}")
    return 0
