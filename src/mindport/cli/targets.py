"""mindport targets: the tables of what each MindSpore version offers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mindport.cli.answering import INPUT, answering
from mindport.cli.options import Format, FormatOption, existing, mindspore_version

if TYPE_CHECKING:
    from mindport.report.target_diff import TargetDiff

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Build, list and compare the tables of MindSpore versions.")


@app.command("build")
@answering("the old table is still in place")
def build(
    python: Annotated[
        Path | None, typer.Option("--python", help="The interpreter of an environment with that MindSpore.", metavar="PYTHON")
    ] = None,
) -> int:
    """Write the table of an installed MindSpore, by importing it in a process of its own.

    \b
    Example: mindport targets build --python ~/ms-2.9/bin/python
    """
    import os
    import subprocess
    import sys

    package = Path(__file__).parents[2]
    environment = dict(os.environ, PYTHONPATH=f"{package}{os.pathsep}{os.environ.get('PYTHONPATH', '')}", GLOG_v="3")
    interpreter = str(python) if python is not None else sys.executable
    ran = subprocess.run([interpreter, "-m", "mindport.targets.build"], env=environment, capture_output=True, text=True)
    if ran.returncode:
        reason = ran.stderr.strip().splitlines()[-1:] or ["it ended without a word"]
        typer.echo(f"mindport: {interpreter} could not build the table: {reason[0]}", err=True)
        return INPUT
    typer.echo(ran.stdout, nl=False)
    return 0


@app.command("list")
@answering("nothing was written")
def list_(form: FormatOption = Format.console) -> int:
    """List the MindSpore versions that have a table.

    \b
    Example: mindport targets list
    """
    from mindport.targets.load import load, versions

    known = {version: len(load(version).names()) for version in versions()}
    if form is Format.json:
        import json

        typer.echo(json.dumps(known))
    else:
        for version, count in known.items():
            typer.echo(f"MindSpore {version}: {count:,} names")
    return 0


@app.command("diff")
@answering("nothing was written")
def diff(
    old: Annotated[str, typer.Argument(help="A MindSpore version.")],
    new: Annotated[str, typer.Argument(help="Another one.")],
    form: FormatOption = Format.console,
) -> int:
    """Say which names came, went, or take other parameters between two versions.

    \b
    Example: mindport targets diff 2.9.0 2.10.0
    """
    from mindport.report.target_diff import diff as compare
    from mindport.targets.load import load

    found = compare(load(mindspore_version(old)), load(mindspore_version(new)))
    if form is Format.json:
        import msgspec

        typer.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
        return 0
    _show_names(found)
    return 0


@answering("nothing was written")
def diff_targets(
    old: Annotated[str, typer.Argument(help="A MindSpore version.")],
    new: Annotated[str, typer.Argument(help="Another one.")],
    project: Annotated[list[Path] | None, typer.Argument(help="Files and folders whose uses to list.", metavar="[PATH]…")] = None,
    names: Annotated[bool, typer.Option("--all", help="List every name that changed, not only what our equivalents use.")] = False,
    form: FormatOption = Format.console,
) -> int:
    """Say what breaks for whom between two MindSpore versions.

    Each MindSpore name that came, went, takes other parameters or runs on other platforms, with the PyTorch names whose
    equivalents are written in it, and the places of the project that use them; and the equivalents that evidence found right on
    one version alone. Of a project only what it uses is listed.

    \b
    Example: mindport diff-targets 2.7.0 2.10.0
    Example: mindport diff-targets 2.7.0 2.10.0 src
    """
    import msgspec

    from mindport import catalog as knowledge
    from mindport.evidence import store
    from mindport.report.target_diff import affected, measured
    from mindport.report.target_diff import diff as compare
    from mindport.source.discover import discover
    from mindport.targets.load import load

    found = compare(load(mindspore_version(old)), load(mindspore_version(new)))
    catalog, discovery = knowledge.load(), discover(existing(project)) if project else None
    found = affected(found, catalog, discovery)
    found = msgspec.structs.replace(found, measured=measured(catalog, store.load("cpu", found.old), store.load("cpu", found.new), discovery))
    if form is Format.json:
        typer.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
        return 0
    if names:
        _show_names(found)
    else:
        typer.echo(_count(found))
    _show_affected(found, everything=discovery is None or names)
    return 0


def _show_affected(found: TargetDiff, everything: bool) -> None:
    """What is touched, with its users; without `everything` what the project uses alone, and how much else there is."""
    changes = {change.name: change for change in (*found.changed, *found.platforms)}
    left = 0
    for each in found.affected:
        if not each.uses and not everything:
            left += 1
            continue
        typer.echo(f"{each.name}: {_MEANINGS[each.what].format(old=found.old, new=found.new)}")
        if each.name in changes and each.what != "deprecated":
            typer.echo(f"  was {changes[each.name].old}\n  now {changes[each.name].new}")
        if each.torch:
            shown = ", ".join(each.torch[:_MOST]) + (f" and {len(each.torch) - _MOST} more" if len(each.torch) > _MOST else "")
            typer.echo(f"  equivalents of {shown}")
        _show_uses(each.uses)
    for one in found.measured:
        if not one.uses and not everything:
            left += 1
            continue
        right, wrong = (found.new, found.old) if one.old == "partial" else (found.old, found.new)
        typer.echo(f"{one.name}: its equivalent holds on {right} and not for every sample on {wrong}")
        if one.told:
            typer.echo(f"  {one.told[:_LONGEST]}")
        _show_uses(one.uses)
    if left:
        typer.echo(f"{left} more that the project does not use (--all lists them)")
    if not found.affected and not found.measured:
        typer.echo("No equivalent uses what changed.")


def _show_uses(uses: list[str]) -> None:
    if uses:
        typer.echo(f"  used in {', '.join(uses[:_MOST])}" + (f" and {len(uses) - _MOST} more places" if len(uses) > _MOST else ""))


_LONGEST = 240
_MOST = 8
_MEANINGS = {
    "gone": "gone in {new}: code converted for {old} breaks there",
    "new": "new in {new}: the equivalents below do not run on {old}",
    "other parameters": "takes other parameters in {new}",
    "more parameters": "takes more parameters in {new}; calls written for {old} go on",
    "deprecated": "deprecated in {new}",
    "other platforms": "documented for other platforms in {new}",
}


def _count(found: TargetDiff) -> str:
    return f"MindSpore {found.old} → {found.new}: {len(found.added)} came, {len(found.removed)} went, {len(found.changed)} changed"


def _show_names(found: TargetDiff) -> None:
    typer.echo(_count(found))
    for name in found.added:
        typer.echo(f"+ {name}")
    for name in found.removed:
        typer.echo(f"- {name}")
    for change in found.changed:
        typer.echo(f"~ {change.old}\n  {change.new}")
