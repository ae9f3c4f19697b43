"""mindport explain: what a finding's code means and what to do."""

from __future__ import annotations

from typing import Annotated

import typer

from mindport.cli.answering import InputError, answering
from mindport.cli.options import Format, FormatOption, console


@answering("nothing was written")
def explain(
    code: Annotated[str | None, typer.Argument(help="A code such as MP103; without it, all codes.", metavar="CODE")] = None,
    form: FormatOption = Format.console,
) -> int:
    """Explain a finding's code.

    What it means, an example, what to do.

    \b
    Example: mindport explain MP103
    """
    from mindport.findings import CODES

    if code is None:
        return _list(form)
    found = CODES.get(code.upper())
    if found is None:
        from difflib import get_close_matches

        near = get_close_matches(code.upper(), CODES, 3, 0.4)
        raise InputError(f"there is no code {code!r}" + (f"; near: {', '.join(near)}" if near else "; mindport explain lists all"))
    from mindport.report.code_pages import page

    text = page(found.id)
    if form is Format.json:
        _echo({"code": found.id, "title": found.title, "risk": found.risk, "effort": found.effort, "zh": found.zh, "page": text})
    else:
        from rich.markdown import Markdown

        console().print(Markdown(text))
    return 0


def _list(form: Format) -> int:
    from mindport.findings import CODES

    if form is Format.json:
        _echo([{"code": c.id, "title": c.title, "risk": c.risk, "effort": c.effort, "zh": c.zh} for c in CODES.values()])
        return 0
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for heading in ("code", "risk", "effort", "title"):
        table.add_column(heading)
    for each in CODES.values():
        table.add_row(each.id, each.risk, each.effort, each.title)
    console().print(table)
    return 0


def _echo(data: object) -> None:
    import json

    typer.echo(json.dumps(data, indent=1, ensure_ascii=False))
