"""``python -m mindport.verify spec.json [workdir]``: compare, print, exit with 0, 1 or 2."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import msgspec
from rich.console import Console

from mindport.verify import SpecError, load_spec, run
from mindport.verify.console import show


def main(arguments: list[str]) -> int:
    """The exit code; the result is left in the working folder as ``comparison.json``."""
    console = Console()
    if not 1 <= len(arguments) <= 2:
        console.print("usage: python -m mindport.verify spec.json \\[workdir]")
        return 2
    workdir = Path(arguments[1] if len(arguments) > 1 else tempfile.mkdtemp(prefix="mindport-verify-"))
    try:
        comparison = run(load_spec(Path(arguments[0])), workdir)
    except SpecError as error:
        console.print(str(error), style="yellow", markup=False)
        return 2
    (workdir / "comparison.json").write_bytes(msgspec.json.format(msgspec.json.encode(comparison)))
    show(comparison, console)
    return comparison.exit_code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
