"""Public repositories by short drivers: ``python benchmarks/repositories/compare.py --sources SOURCES --work WORK [NAME…]`` (docs/unseen-training.md).

table.tsv has a line a driver: repository, commit and its date, file in drivers/, place that the driver takes in the repository, and which list it was
drawn in. Nothing of a repository is kept here. SOURCES holds OWNER+NAME folders at these commits; what is missing is cloned there. A driver trains the
repository's own networks a few steps on made-up data; edits.tsv holds what torch without CUDA needs, the same on both sides, before conversion.

Each repository is converted with its drivers inside. A row (JSON lines, ``--results``) is one driver; what has a row is not run again without ``--again``:
`agree`: all printed numbers to 1e-4 of their size, all kept parameters to 1e-4 of their largest; `as noise`: apart by no more than ten times what torch is
from torch started 1e-6 away, by up to three seeds (`not judged` where that is over 1 %); `told`: it stops, or a part of it does, at a line under a finding of conversion's, or before it; `refused`: at a sentence of mindport's own;
`crash`: at neither; `differs`: it ends with other numbers. Libraries that repositories import and that are not installed are stood in for
(stand_ins/); ``--libraries`` names folders of more.
"""

from __future__ import annotations

import argparse
import collections
import csv
import json
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from running import Program, converted, prepared, run  # noqa: E402  (beside this file)
from verdicts import verdict  # noqa: E402

#: Where it decides: PyTorch from other starts, one after the other.
NOISES = ("noise7", "noise8", "noise9")
RESULTS = HERE.parent / "results" / "repositories.jsonl"


def main() -> int:
    """Run what is asked for and has no row; a line a driver, and the tally."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="of repositories or drivers, a part is enough (all)")
    parser.add_argument("--sources", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--libraries", type=lambda folder: Path(folder).resolve(), nargs="*", default=[])
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--list", help="only the drivers of this list")
    parser.add_argument("--again", action="store_true", help="also what has a row")
    parser.add_argument("--torch-only", action="store_true", help="only PyTorch's side: do the drivers run?")
    parser.add_argument("--timeout", type=float, default=400)
    options = parser.parse_args()
    table = [row for row in rows("table.tsv") if (not options.names or any(n in f"{row['repository']} {row['driver']}" for n in options.names)) and options.list in (None, row["list"])]
    done = {} if not options.results.exists() else {r["driver"]: r for r in map(json.loads, options.results.read_text().splitlines())}
    for repository in dict.fromkeys(row["repository"] for row in table):
        of = [row for row in table if row["repository"] == repository and (options.again or options.torch_only or row["driver"] not in done)]
        if not of:
            continue
        begun = time.monotonic()
        programs = prepared(of, rows("edits.tsv"), options)
        theirs = {p.driver: run(p, "before", options) for p in programs}
        if options.torch_only:
            for driver, left in theirs.items():
                print(f"{driver:40} {left or 'runs'}", flush=True)
            continue
        report = converted(programs[0], options)
        for row, program in zip(of, programs, strict=True):
            found = {"verdict": "torch fails", "where": theirs[program.driver]} if theirs[program.driver] else judged(program, report, options)
            done[row["driver"]] = {**{k: row[k] for k in ("repository", "commit", "driver", "list")}, "mindport": state(), **found}
            options.results.write_text("".join(json.dumps(r) + "\n" for r in done.values()))
            print(f"{time.strftime('%H:%M:%S')} {row['driver']:40} {found['verdict']:10} {found['where'][:300]}", flush=True)
        print(f"         {repository}: {time.monotonic() - begun:.0f} s", flush=True)
    tally = collections.Counter(done[row["driver"]]["verdict"] for row in table if row["driver"] in done)
    print(f"{sum(tally.values())} drivers: " + ", ".join(f"{count} {name}" for name, count in tally.most_common()))
    return 0


def judged(program: Program, report: str, options: argparse.Namespace) -> dict[str, str]:
    """The verdict on the converted run; torch's own noise is measured only where it decides."""
    if report:
        return {"verdict": "crash", "where": report}
    stopped = run(program, "after", options)
    found = verdict(program, stopped, ())
    for count in range(1, len(NOISES) + 1):
        if found["verdict"] != "differs":
            break
        run(program, NOISES[count - 1], options)
        found = verdict(program, stopped, NOISES[:count])
    return found


def rows(name: str) -> list[dict[str, str]]:
    """A table of this folder."""
    with (HERE / name).open(newline="") as text:
        return list(csv.DictReader(text, delimiter="\t", quoting=csv.QUOTE_NONE))


def state() -> str:
    """The commit that converts."""
    return subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
