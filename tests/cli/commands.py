"""Runs commands in this process, and looks into their declarations."""

from __future__ import annotations

from typing import Any

import typer
from typer.testing import CliRunner

from mindport.cli.app import app


class Ran:
    """One run: exit code, standard output, standard error."""

    def __init__(self, *arguments: object) -> None:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        self.code, self.out, self.err = result.exit_code, result.stdout, result.stderr
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception


def commands() -> dict[str, Any]:
    """Every command by its name as typed ("targets build")."""
    found: dict[str, Any] = {}
    root: Any = typer.main.get_command(app)
    for name, command in root.commands.items():
        if hasattr(command, "commands"):
            found |= {f"{name} {inner}": each for inner, each in command.commands.items()}
        else:
            found[name] = command
    return found
