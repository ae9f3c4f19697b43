"""Asks a worker about every function of the catalog, or those that are named. For gradients_many_times.py and gradients_through_whole.py."""

from __future__ import annotations

import argparse
import collections
import json
from pathlib import Path

from worker_process import WorkerProcess

from mindport import catalog


def each_function(script: str, description: str, seconds: float, shown: tuple[str, ...]) -> None:
    """Write the rows of all functions to the file of ``--out``, and print those whose verdict is among `shown`; `script --worker` answers keys."""
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    entries = [e for e in catalog.load().entries if e.kind == "function" and not e.random and (not given.names or e.name in given.names)]
    counts: collections.Counter[str] = collections.Counter()
    asked = WorkerProcess(script, "--worker", gib=5)
    with given.out.open("w") as out:
        for entry in entries:
            rows, ended = asked.answers({"key": entry.key}, seconds)
            begun = [r["begin"] for r in rows if "begin" in r]
            for row in [*(r for r in rows if "verdict" in r), *([{"key": entry.key, "verdict": "ends", "message": ended, "call": begun[-1] if begun else ""}] if ended else [])]:
                counts[row["verdict"]] += 1
                out.write(json.dumps(row) + "\n")
                out.flush()
                if row["verdict"] in shown:
                    print(row["key"], row["verdict"], row["message"], row.get("call", ""), sep=" | ", flush=True)
            if asked.asked >= 80:  # what one function wrote over must not be another's
                asked.stop()
    asked.stop()
    print(dict(counts))
