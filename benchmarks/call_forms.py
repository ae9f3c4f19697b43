"""Call forms that nobody chose: small programs drawn for every entry with samples, converted and run beside torch.

    python benchmarks/call_forms.py --seed 1 --count 8 --out FOLDER [--without FOLDER] [NAME…]

Adds to `rows-PART.jsonl` (each program with its verdict) in FOLDER and prints the counts; entries whose rows stand in the folder
of `--without` are left out, so that an ended run goes on with its own folder there. Verdicts: `agrees`; `told` (raises under a
finding), `told, differs` (other values under a finding); `refused` (the converted program's own refusal, unannounced); `raises` and
`differs` (nothing said); `not run here` (no kernel on CPU); `torch raises` (the form is none of torch's); `torch draws` (another
seed gives torch other values); `dies`.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import tempfile
from pathlib import Path

from worker_process import WorkerProcess

from mindport import catalog
from mindport.evidence import store

#: Seconds for one entry's programs.
MOST_SECONDS = 240


def main() -> None:
    """Run the drawn programs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--without", type=Path, action="append", default=[])
    given = parser.parse_args()
    evidence = store.load("cpu", "2.10.0")
    entries = [e for e in catalog.load().entries if e.kind in ("function", "attribute", "layer") and evidence.status(e) in ("verified", "partial")]
    entries = [e for e in entries if not e.name.startswith(("torch.optim.", "torch.nn.Module."))]
    if given.names:
        entries = [e for e in entries if any(n in given.names for n in e.names)]
    drawn = {json.loads(line)["key"] for folder in given.without for file in folder.glob("rows-*.jsonl") for line in file.open()}
    entries = [e for e in entries if e.key not in drawn]
    random.Random(given.seed).shuffle(entries)
    part, parts = map(int, given.part.split("/"))
    entries = entries[part::parts]
    given.out.mkdir(parents=True, exist_ok=True)
    counts: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as folder, (given.out / f"rows-{part}.jsonl").open("a") as out:
        worker = WorkerProcess("call_forms_worker.py", folder, gib=4)
        for place, entry in enumerate(entries):
            done: set[int] = set()
            rows, ended = worker.answers({"key": entry.key, "seed": given.seed, "count": given.count}, MOST_SECONDS)
            for row in rows:
                if "verdict" in row:
                    done.add(row["number"])
                    counts[row["verdict"]] += 1
                    out.write(json.dumps({"key": entry.key, "seed": given.seed, **row}) + "\n")
            if ended:
                begun = [r for r in rows if "begin" in r and r["begin"] not in done]
                counts["dies"] += 1
                out.write(json.dumps({"key": entry.key, "verdict": "dies", "message": ended, **(begun[-1] if begun else {})}) + "\n")
            out.flush()
            if worker.asked >= 60:  # what a program leaves behind in the process must not add up
                worker.stop()
            if place % 50 == 0:
                print(place, len(entries), dict(counts), flush=True)
        worker.stop()
    print(dict(counts))


if __name__ == "__main__":
    main()
