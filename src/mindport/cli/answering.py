"""How a command ends: an exit code, and one clear sentence where something is wrong."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from typing import ParamSpec

import typer

P = ParamSpec("P")

FINDINGS, INPUT, DEFECT, INTERRUPTED = 1, 2, 3, 130


class InputError(Exception):
    """Something the user gave cannot be used; the message is one sentence for them."""


def answering(kept: str) -> Callable[[Callable[P, int]], Callable[P, None]]:
    """Makes a function that returns an exit code a command. `kept` says what an interrupted run leaves."""

    def decorate(function: Callable[P, int]) -> Callable[P, None]:
        @functools.wraps(function)
        def command(*args: P.args, **kwargs: P.kwargs) -> None:
            raise typer.Exit(_run(lambda: function(*args, **kwargs), kept))

        return command

    return decorate


def _run(call: Callable[[], int], kept: str) -> int:
    try:
        return call()
    except InputError as error:
        return _say(str(error), INPUT)
    except KeyboardInterrupt:
        return _say(f"interrupted: {kept}", INTERRUPTED)
    except BrokenPipeError:
        # The reader (head, less) has seen enough; Python must not complain about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _say(f"{error.filename or 'the file system'}: {error.strerror or error}", INPUT)
    except (typer.Exit, typer.BadParameter):
        raise
    except Exception as error:
        from mindport.findings import DEBUG

        if isinstance(error, ModuleNotFoundError) and (error.name or "mindport").partition(".")[0] != "mindport":
            return _say(f"this needs {error.name}, which is not installed: pip install 'mindport[verify]'", INPUT)
        if os.environ.get(DEBUG):
            raise
        return _say(
            f"a defect of mindport, not of your project: {type(error).__name__}: {error} ({_place(error)}). "
            "Set MINDPORT_DEBUG=1 to see where it comes from, and report it.",
            DEFECT,
        )


def _say(sentence: str, code: int) -> int:
    typer.echo(f"mindport: {' '.join(sentence.split())}", err=True)
    return code


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "unknown place"
    return f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
