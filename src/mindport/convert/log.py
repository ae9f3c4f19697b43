"""What the conversion did, edit by edit: the receipt that goes with the converted project."""

from __future__ import annotations

from typing import Literal

import msgspec

Strategy = Literal["same", "renamed", "inlined", "vendored", "constant", "rewritten", "removed", "unconverted"]

#: Strategies that leave readable MindSpore code at the place, without the vendored module.
TIDY: tuple[Strategy, ...] = ("same", "renamed", "inlined", "constant", "rewritten", "removed")


class LogRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """One use of an API, or one rewritten construct, and what became of it."""

    path: str
    line: int
    column: int
    api: str
    kind: str
    strategy: Strategy
    old: str
    new: str = ""
    entry: str = ""  # where the knowledge stands: "equivalents/shape.py:12"
    evidence: str = ""  # status of the entry for the target version
    certainty: str = "certain"
    why: str = ""  # why it was vendored or not converted
    scope: str = ""
