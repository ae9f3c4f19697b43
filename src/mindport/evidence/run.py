"""Runs entries against torch and stores the outcomes: ``python -m mindport.evidence.run``.

What was run with the same source, the same samples and the same versions is not run again. After each entry
its file is written, so that a run can be stopped at any time and goes on where it was.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import time
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from mindport import catalog
from mindport.catalog import Entry
from mindport.evidence import record, store
from mindport.evidence.attempt import CONFIRMED, Attempt
from mindport.evidence.processes import STEP_SECONDS, NotStarted, Worker
from mindport.evidence.runner import installed, runner_hash
from mindport.evidence.store import Evidence, Outcome, status_of


class Lane:
    """Two workers: one for all steps, and one that only repeats what raised in the first.

    Errors can leave MindSpore in a state where right calls fail; the second worker runs neither empty tensors nor
    second gradients, which do that most.
    """

    def __init__(self, step_seconds: float = STEP_SECONDS) -> None:
        self.step_seconds = step_seconds
        self.rough, self.clean = Worker(), Worker()

    def run(self, entry: Entry, earlier: Outcome | None = None, checks: Sequence[str] = ()) -> Outcome:
        """Run one entry's steps; a worker that dies is replaced, and the step that killed it is a `crash`.

        With `checks`, only these are run; what `earlier` says of the others stays.
        """
        began = time.monotonic()
        if earlier is None or not earlier.counts:
            checks = ()
        outcome = record.without(earlier, checks) if earlier is not None and checks else record.begin(entry, runner_hash(), installed())
        first = Attempt(entry, self.rough, self.step_seconds, began)
        first.run({"key": entry.key, "first": 0, **({"checks": list(checks)} if checks else {})})
        doubtful = [n for n, r in first.results.items() if r.verdict == "raises" and r.check in CONFIRMED]
        if os.environ.get("MINDPORT_EVIDENCE_SEED", "0") != "0":
            doubtful = []  # the proof of silence asks for what is not loud
        if doubtful:
            again = Attempt(entry, self.clean, self.step_seconds, time.monotonic())
            again.run({"key": entry.key, "first": 0, "only": doubtful})
            first.results.update(again.results)
        for _, found in sorted(first.results.items()):
            record.add(outcome, found)
        outcome.notes = first.notes
        outcome.seconds = round(outcome.seconds + time.monotonic() - began, 1)
        return outcome

    def stop(self) -> None:
        """End both workers."""
        self.rough.stop()
        self.clean.stop()


def run_entry(entry: Entry, *, step_seconds: float = STEP_SECONDS) -> Outcome:
    """Run one entry in workers of its own."""
    lane = Lane(step_seconds)
    try:
        return lane.run(entry)
    finally:
        lane.stop()


#: What torch imports where it keeps its samples.
SAMPLES_NEED = ("expecttest",)


def due(entries: Iterable[Entry], evidence: Evidence, force: bool, missing: bool = False) -> list[Entry]:
    """The entries whose outcome is missing or belongs to another source; unless `missing`, also to another way of running."""
    found = []
    for entry in entries:
        if entry.kind == "absent":
            continue
        outcome = evidence.outcome(entry)
        if force or outcome is None or not outcome.counts or not missing and outcome.runner != runner_hash():
            found.append(entry)
    return found


def selected(names: Sequence[str]) -> list[Entry]:
    """All entries, or those of the named torch APIs and knowledge files (``activation``, ``layers-linear``); ``*`` in a name stands for anything."""
    known = catalog.load()
    if not names:
        return known.entries
    return [e for e in known.entries if any(fnmatchcase(said, name) for said in (store.stem(e), *e.names) for name in names)]


def run(entries: list[Entry], evidence: Evidence, jobs: int, console: Console, checks: Sequence[str] = ()) -> None:
    """Run entries, `jobs` at a time, and write each outcome as it comes."""
    from concurrent.futures import ThreadPoolExecutor
    from queue import SimpleQueue

    idle: SimpleQueue[Lane] = SimpleQueue()
    lanes = [Lane() for _ in range(jobs)]
    for lane in lanes:
        idle.put(lane)

    def one(entry: Entry) -> tuple[Entry, Outcome]:
        lane = idle.get()
        try:
            return entry, lane.run(entry, evidence.outcome(entry), checks) if checks else lane.run(entry)
        finally:
            idle.put(lane)

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress, ThreadPoolExecutor(jobs) as pool:
        task = progress.add_task("evidence", total=len(entries))
        pending = [pool.submit(one, entry) for entry in entries]
        try:
            for future in pending:
                entry, outcome = future.result()
                evidence.read(store.stem(entry))[entry.key] = outcome
                evidence.write(store.stem(entry))
                progress.update(task, advance=1, description=entry.name)
                if not console.is_terminal:
                    console.print(f"{entry.key}: {status_of(outcome)} {outcome.seconds} s", markup=False)
        finally:
            for future in pending:
                future.cancel()
            for lane in lanes:
                lane.stop()


def drop_gone(evidence: Evidence) -> None:
    """Remove outcomes of entries that no longer exist."""
    alive: dict[str, set[str]] = {}
    for entry in catalog.load().entries:
        alive.setdefault(store.stem(entry), set()).add(entry.key)
    for path in sorted(evidence.directory.glob("*.json")):
        outcomes = evidence.read(path.stem)
        gone = set(outcomes) - alive.get(path.stem, set())
        for key in gone:
            del outcomes[key]
        if not outcomes:
            path.unlink()
        elif gone:
            evidence.write(path.stem)


def main(argv: list[str] | None = None) -> int:
    """Run what is due. Exit code 0 when all of it ran, 2 where no worker starts or torch's samples are not there, 130 when it was stopped."""
    parser = argparse.ArgumentParser(prog="mindport evidence", description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="torch names or knowledge files")
    parser.add_argument("--jobs", type=int, default=1, help="workers at a time (default 1)")
    parser.add_argument("--force", action="store_true", help="run again what is up to date")
    parser.add_argument("--missing", action="store_true", help="only what has no outcome for its present source")
    parser.add_argument("--checks", nargs="+", default=[], help="these alone; what is known of the others stays")
    parser.add_argument("--seed", type=int, default=0, help="other numbers, values alone, and hard cases in all dtypes")
    parser.add_argument("--into", type=Path, help="write the outcomes to this folder")
    given = parser.parse_args(argv)
    if given.seed and not given.into:
        parser.error("--seed wants --into: the repository's data is of seed 0")
    os.environ["MINDPORT_EVIDENCE_SEED"] = str(given.seed)
    console = Console(stderr=True, highlight=False)
    evidence = Evidence(given.into) if given.into else store.load("cpu", installed()["mindspore"])
    entries = due(selected(given.only), evidence, given.force or bool(given.checks), given.missing)
    if entries and (lacking := [name for name in SAMPLES_NEED if importlib.util.find_spec(name) is None]):
        console.print(f"torch's own samples need {', '.join(lacking)}: pip install 'mindport[verify]' (without it the outcomes would be void)")
        return 2
    console.print(f"{len(entries)} entries to run")
    try:
        run(entries, evidence, given.jobs, console, given.checks)
        if not given.only:
            drop_gone(evidence)
    except KeyboardInterrupt:
        console.print("stopped; the next run goes on from here")
        return 130
    except NotStarted as end:
        console.print(str(end))
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
