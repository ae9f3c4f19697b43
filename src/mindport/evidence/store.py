"""Outcomes of the evidence run: their shape on disk, and what they say about an entry. Needs no framework.

One file for each file of knowledge: ``data/cpu-2.10.0/activation.json`` for ``equivalents/activation.py``,
``layers-activation.json`` for ``layers/activation.py``, ``optimizers-sgd.json`` for ``equivalents/optimizers/sgd.py``;
in it one `Outcome` for each entry.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import msgspec

from mindport.catalog import Entry
from mindport.evidence.fingerprint import fingerprint

DATA = Path(__file__).parent / "data"

Verdict = Literal["pass", "refused", "declared", "differs", "raises", "not run here", "crash", "timeout", "none in torch", "returns", "recompiled"]
Status = Literal["verified", "partial", "documented", "absent"]

#: Checks whose result tells whether values are right.
FORWARD = ("forward", "eval", "train", "statistics", "initial", "trace", "restored", "learning rate")
#: Uncommon inputs, where an error is loud and stays in the table, and only a silent difference counts.
UNCOMMON = ("edge", "unbatched", "keyword input")
GRADIENT = ("gradient",)
#: Shown and counted, without a part in the status: "empty" and "nan and inf", in which so many of MindSpore's CPU
#: kernels differ that docs/evidence/index.md lists them in one place; "graph"; and second gradients.
#: Verdicts that no user should meet unprepared.
BAD = ("differs", "raises", "crash", "timeout")


class Failure(msgspec.Struct, frozen=True):
    """One sample that did not pass. `call` is a line of Python that repeats it."""

    check: str
    dtype: str
    verdict: str
    call: str
    message: str


class Outcome(msgspec.Struct):
    """What happened to one entry. `counts`: check → dtype → verdict → number of samples.

    `lenient`: calls that torch refuses and the equivalent does not (a few of those counted as `returns`).
    `hash` belongs to the entry's source, `runner` to the code that ran it and the versions: a change of the
    first makes the outcome void, a change of the second makes the next run do it again.
    """

    hash: str
    runner: str
    date: str
    versions: dict[str, str]
    counts: dict[str, dict[str, dict[str, int]]] = {}
    failures: list[Failure] = []
    refusals: list[str] = []
    lenient: list[Failure] = []
    notes: list[str] = []
    seconds: float = 0.0

    def add(self, check: str, dtype: str, verdict: str) -> None:
        """Count one sample."""
        told = self.counts.setdefault(check, {}).setdefault(dtype, {})
        told[verdict] = told.get(verdict, 0) + 1

    def count(self, verdict: str, checks: tuple[str, ...] | None = None) -> int:
        """The number of samples with this verdict, in all checks or in some."""
        return sum(
            told.get(verdict, 0)
            for check, by_dtype in self.counts.items()
            if checks is None or check in checks
            for told in by_dtype.values()
        )


def status_of(outcome: Outcome) -> Status:
    """What the counts amount to.

    `verified`: a forward sample passed, none differs, raises or crashes, and no gradient and no uncommon input
    gives another result.
    `documented`: nothing could run here. Everything else is `partial`.
    """
    passed = outcome.count("pass", FORWARD)
    bad = sum(outcome.count(verdict, FORWARD) for verdict in BAD)
    bad += sum(outcome.count(verdict, (*UNCOMMON, *GRADIENT)) for verdict in ("differs", "crash"))
    if bad:
        return "partial"
    return "verified" if passed else "documented"


def stem(entry: Entry) -> str:
    """The name, without suffix, of the file that holds the entry's outcome."""
    parts = entry.module.name.split(".")[1:]
    return "-".join(parts[1:] if parts[0] == "equivalents" else parts)


class Evidence:
    """The outcomes for one device and MindSpore version; a file is read when an entry of it is asked for."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._files: dict[str, dict[str, Outcome]] = {}
        self._hashes: dict[int, str] = {}

    def read(self, name: str) -> dict[str, Outcome]:
        """All outcomes of one file, by `Entry.key`; empty where there is no file."""
        if name not in self._files:
            path = self.directory / f"{name}.json"
            self._files[name] = msgspec.json.decode(path.read_bytes(), type=dict[str, Outcome]) if path.exists() else {}
        return self._files[name]

    def write(self, name: str) -> None:
        """Write one file, beside and renamed, so that a reader never meets half of it."""
        self.directory.mkdir(parents=True, exist_ok=True)
        path = self.directory / f"{name}.json"
        beside = path.with_suffix(f".{os.getpid()}.part")
        text = msgspec.json.format(msgspec.json.encode(dict(sorted(self.read(name).items()))), indent=1)
        beside.write_bytes(text + b"\n")
        beside.replace(path)

    def outcome(self, entry: Entry) -> Outcome | None:
        """The outcome of the entry as it is now, None where it was never run or changed since."""
        found = self.read(stem(entry)).get(entry.key)
        return found if found is not None and found.hash == self._hash(entry) else None

    def status(self, entry: Entry) -> Status:
        """verified, partial, documented or absent; see `status_of`."""
        found = self.outcome(entry)
        return status_of(found) if found is not None else "absent"

    def _hash(self, entry: Entry) -> str:
        if id(entry) not in self._hashes:
            self._hashes[id(entry)] = fingerprint(entry)
        return self._hashes[id(entry)]


def load(device: str = "cpu", mindspore: str = "2.10.0") -> Evidence:
    """The evidence for a device and a MindSpore version; without data every status is `absent`."""
    return Evidence(DATA / f"{device}-{mindspore}")
