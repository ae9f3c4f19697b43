"""mindport evidence: run the knowledge against torch and store what comes out."""

from __future__ import annotations

from mindport.cli.answering import InputError, answering
from mindport.cli.options import Format, FormatOption


@answering("what ran is stored; the next run goes on from there")
def evidence(form: FormatOption = Format.console) -> int:
    """Run the knowledge against torch and store the outcome.

    Needs both frameworks.

    \b
    Example: mindport evidence
    """
    raise InputError("evidence is not wired yet")
