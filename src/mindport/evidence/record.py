"""Gathers the results of an entry's steps into an `Outcome`."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from mindport.catalog import Entry
from mindport.evidence.fingerprint import fingerprint
from mindport.evidence.store import BAD, Failure, Outcome

#: Failures kept, worst kinds first (a silent difference must not be crowded out by loud ones).
KEPT_FAILURES = 8
KEPT_REFUSALS = 5
KEPT_LENIENT = 4
#: They stand after the others.
_SIDE_CHECKS = ("nan and inf", "empty", "torch raises", "second shape", "dynamic shape", "second gradient", "second gradient, graph")
_WORST_FIRST = (*BAD, "not run here")


@dataclass(frozen=True)
class Found:
    """What one step came to."""

    check: str
    dtype: str
    verdict: str
    call: str
    message: str


def begin(entry: Entry, runner: str, versions: dict[str, str]) -> Outcome:
    """An outcome without results."""
    return Outcome(fingerprint(entry), runner, datetime.date.today().isoformat(), versions)


def without(outcome: Outcome, checks: Sequence[str]) -> Outcome:
    """The outcome as if these checks had not been run. `runner` stays: the others are still its."""
    return msgspec.structs.replace(
        outcome,
        counts={check: told for check, told in outcome.counts.items() if check not in checks},
        failures=[failure for failure in outcome.failures if failure.check not in checks],
        lenient=[failure for failure in outcome.lenient if failure.check not in checks],
    )


def add(outcome: Outcome, found: Found) -> None:
    """Count one result and keep its message if it is among the worst so far."""
    verdict, message = found.verdict, found.message
    outcome.add(found.check, found.dtype, verdict)
    if verdict == "refused" and message not in outcome.refusals and len(outcome.refusals) < KEPT_REFUSALS:
        outcome.refusals.append(message)
    if verdict == "returns" and len(outcome.lenient) < KEPT_LENIENT:
        outcome.lenient.append(Failure(found.check, found.dtype, verdict, found.call[:300], message))
    if verdict not in _WORST_FIRST:
        return
    kept = [*outcome.failures, Failure(found.check, found.dtype, verdict, found.call[:500], message)]
    kept.sort(key=lambda failure: (_WORST_FIRST.index(failure.verdict), failure.check in _SIDE_CHECKS))
    alike: dict[tuple[str, str, str], int] = {}
    outcome.failures = []
    for failure in kept:
        key = (failure.verdict, failure.check, failure.message[:60])
        alike[key] = alike.get(key, 0) + 1
        if alike[key] <= 2 and len(outcome.failures) < KEPT_FAILURES:
            outcome.failures.append(failure)
