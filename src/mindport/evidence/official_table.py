"""Runs MindSpore's official mapping table against torch: ``python -m mindport.evidence.official_table --jobs 1``.

Each row's MindSpore function is called with torch's samples (`official.calling`) in a worker of its own kind; a worker that dies
is a result. What was run stays: a run can be stopped at any time and goes on where it was (``--again`` starts over). At
the end, or with ``--page`` at once, docs/official-table.md is written from the results.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from mindport.evidence.official.page import page
from mindport.evidence.official.rows import VERDICTS, Row, Told, path, read, rows, write
from mindport.evidence.processes import Died, TimedOut, Worker

STEP_SECONDS = 20.0
#: After so many deaths a row is left as it is.
MOST_DEATHS = 3
PAGE = Path(__file__).parents[3] / "docs" / "official-table.md"


def run_row(row: Row, worker: Worker) -> Told:
    """Run all samples of a row; a worker that dies is replaced."""
    found: list[tuple[str, str, str]] = []
    first, deaths = 0, 0
    while deaths < MOST_DEATHS:
        running = ""
        try:
            for event in worker.events({"torch": row.torch, "mindspore": row.mindspore, "first": first}, STEP_SECONDS):
                if "missing" in event:
                    return Told(*row.key, "missing", "", "", event["missing"])
                if "begin" in event:
                    first, running = event["begin"] + 1, event["call"]
                elif "verdict" in event:
                    found.append((event["verdict"], event["call"], event["message"]))
                elif "broken" in event:
                    break
            else:
                break
            worker.stop()
            deaths += 1
        except (Died, TimedOut) as end:
            worker.stop()
            deaths += 1
            if not running:
                found.append(("crash", "", str(end)))
                break
            found.append(("crash" if isinstance(end, Died) else "timeout", running, str(end)))
    return _told(row, found)


def _told(row: Row, found: list[tuple[str, str, str]]) -> Told:
    counted = Counter(verdict for verdict, _, _ in found)
    counts = ", ".join(f"{'no kernel' if verdict == 'not run here' else verdict} {number}" for verdict, number in counted.most_common())
    for verdict in ("differs", "crash", "timeout", "raises"):
        if counted[verdict]:
            _, call, message = min((one for one in found if one[0] == verdict), key=lambda one: (not one[1], len(one[1])))
            return Told(*row.key, verdict, counts, call, message)
    if counted["pass"]:
        return Told(*row.key, "agrees", counts)
    if counted["not run here"]:
        _, call, message = min((one for one in found if one[0] == "not run here"), key=lambda one: len(one[1]))
        return Told(*row.key, "no kernel", counts, call, message)
    return Told(*row.key, "no samples")


def main() -> int:
    """Run what has no result yet, store each result as it comes, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="torch names; default: every row")
    parser.add_argument("--jobs", type=int, default=1, help="workers at a time")
    parser.add_argument("--again", action="store_true", help="run rows that have a result, too")
    parser.add_argument("--page", action="store_true", help="only write the page")
    options = parser.parse_args()
    place = path("cpu", "2.10.0")
    results = read(place)
    todo = [row for row in rows() if not options.page and (not options.names or row.torch in options.names)]
    todo = [row for row in todo if options.again or options.names or row.key not in results]
    idle: SimpleQueue[Worker] = SimpleQueue()
    workers = [Worker("mindport.evidence.official.worker") for _ in range(options.jobs)]
    for worker in workers:
        idle.put(worker)

    def one(row: Row) -> Told:
        worker = idle.get()
        try:
            return run_row(row, worker)
        finally:
            idle.put(worker)

    with ThreadPoolExecutor(options.jobs) as pool:
        pending = [pool.submit(one, row) for row in todo]
        try:
            for number, future in enumerate(pending):
                told = future.result()
                results[told.torch, told.mindspore] = told
                write(place, results)
                print(f"{number + 1}/{len(todo)} {told.torch} → {told.mindspore}: {told.verdict} {told.counts}", flush=True)
        finally:
            for future in pending:
                future.cancel()
            for worker in workers:
                worker.stop()
    known = {row.key for row in rows()}
    results = {key: told for key, told in results.items() if key in known and told.verdict in VERDICTS}
    PAGE.write_text(page(rows(), results), "utf-8")
    print(f"{PAGE}: {len(results)} of {len(rows())} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
