"""The command line: one file a command, which turns arguments into calls.

Commands import the rooms they need inside their function, so that ``mindport --help`` loads typer
and nothing else.

Exit codes of every command: 0 fine; 1 findings at or above ``--fail-on``, or the two sides differ;
2 the input or the usage is wrong; 3 a defect of mindport itself; 130 interrupted.
"""

from __future__ import annotations

from mindport.cli.app import main

__all__ = ["main"]
