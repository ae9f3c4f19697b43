"""All commands under one name, and the version."""

from __future__ import annotations

from typing import Annotated

import typer

from mindport.cli import (
    analyze,
    api,
    atlas,
    baseline,
    check,
    compare,
    convert,
    evidence,
    explain,
    issue,
    operator,
    scan,
    targets,
    trace,
    verify,
    weights,
)

app = typer.Typer(
    name="mindport", no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=True,
    help="Moves PyTorch projects to MindSpore, and proves that they compute the same.",
    epilog="Exit codes: 0 fine; 1 findings at or above --fail-on, or different results; 2 wrong input or usage; "
    "3 a defect of mindport; 130 interrupted.",
)  # fmt: skip

for module, name in (
    (scan.scan, "scan"), (analyze.analyze, "analyze"), (api.api, "api"), (explain.explain, "explain"), (convert.convert, "convert"),
    (weights.weights, "weights"), (verify.verify, "verify"), (baseline.baseline, "baseline"), (trace.trace, "trace"),
    (compare.compare, "compare"), (check.check, "check"), (evidence.evidence, "evidence"), (issue.issue, "issue"),
    (targets.diff_targets, "diff-targets"), (atlas.atlas, "atlas"), (operator.operator, "operator"),
):  # fmt: skip
    app.command(name)(module)
app.add_typer(targets.app, name="targets")


def _version(wanted: bool) -> None:
    if wanted:
        from mindport import __version__

        typer.echo(f"mindport {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Options of the program itself."""


def main() -> None:
    """What ``mindport`` on the command line runs."""
    app(prog_name="mindport")
