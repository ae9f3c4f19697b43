"""An earlier report as the measure: which findings are new since, and which are gone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from mindport.report.fingerprints import fingerprints
from mindport.report.model import Found, Report
from mindport.report.sarif import FINGERPRINT


class BaselineError(Exception):
    """A file that is no report of mindport; the message is for the user."""


class Compared(msgspec.Struct, frozen=True):
    """`new`: findings that the earlier report does not have, worst first; `known` and `gone` count the others."""

    new: list[Found]
    known: int
    gone: int

    def sentence(self, baseline: Path) -> str:
        """For people."""
        return f"since {baseline}: {len(self.new)} findings are new, {self.known} were known, {self.gone} are gone"


def known(path: Path) -> frozenset[str]:
    """The fingerprints of the findings in a report of `mindport scan` or `analyze`, in JSON or SARIF.

    Raises BaselineError; OSError where there is no such file.
    """
    try:
        read: Any = msgspec.json.decode(path.read_bytes())
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BaselineError(f"{path} is not JSON: a baseline is a report written with --format json or sarif") from None
    if isinstance(read, dict) and "mindport_analysis" in read:
        read = read.get("report")
    try:
        if isinstance(read, dict) and "mindport_report" in read:
            return frozenset(fingerprints(msgspec.convert(read, Report).found()))
        if isinstance(read, dict) and read.get("version") == "2.1.0":
            return frozenset(result["partialFingerprints"][FINGERPRINT] for run in read["runs"] for result in run["results"])
    except (msgspec.ValidationError, KeyError, TypeError) as error:
        raise BaselineError(f"{path} is no whole report of mindport: {type(error).__name__}: {error}") from None
    raise BaselineError(f"{path} is no report of mindport: a baseline is written with --format json or sarif")


def compare(report: Report, before: frozenset[str]) -> Compared:
    """What of the report is new."""
    items = report.found()
    prints = fingerprints(items)
    new = [item for item, print_ in zip(items, prints, strict=True) if print_ not in before]
    return Compared(new, len(items) - len(new), len(before.difference(prints)))
