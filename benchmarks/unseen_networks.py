"""Converts packages that mindport was not made with, and compares their networks on both frameworks.

    python benchmarks/unseen_networks.py PLAN --source SRC --converted OUT --results RESULTS.jsonl [--only PACKAGE…]

PLAN is a JSON list of ``{"package", "module", "make", "inputs", "keywords", "call"}``: `make` is an expression in the
module's own names that constructs the network, `inputs` are shapes of floats or what `unseen_worker._array` takes.
SRC holds one folder a package with the importable package in it (an unpacked wheel); OUT gets the converted ones.
No hand edits. Weights are moved from the torch side. A row is one network: ``construct``, ``eval`` (outputs), ``train``
(outputs, running statistics, gradients of inputs and parameters; layers that drop at random are off).
"""

from __future__ import annotations

import argparse
import collections
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from worker_process import WorkerProcess

HERE = Path(__file__).parent
#: With weights and inputs of another seed: where an input of relu lies within rounding of zero, one flipped
#: sign moves a gradient by far more than rounding.
SEEDS = (0, 1, 2)


def main() -> int:
    """Convert what is not converted yet, compare, print the tally."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan", type=Path)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--converted", type=Path, required=True)
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[], help="packages, or expressions that make a network")
    parser.add_argument("--again", action="store_true", help="also what has a row already")
    parser.add_argument("--timeout", type=float, default=120)
    arguments = parser.parse_args()
    rows = [r for r in json.loads(arguments.plan.read_text()) if not arguments.only or r["package"] in arguments.only or r["make"] in arguments.only]
    done = {} if not arguments.results.exists() else {_key(r): r for r in map(json.loads, arguments.results.read_text().splitlines())}
    workers: dict[str, WorkerProcess] = {}
    for row in rows:
        if _key(row) in done and not arguments.again:
            continue
        name = row["package"]
        if name not in workers:
            for worker in workers.values():
                worker.stop()
            workers = {name: WorkerProcess("unseen_worker.py", str(arguments.source / name), str(converted(arguments.source / name, arguments.converted / name)))}
        for seed in SEEDS:
            answer = ask(workers[name], {**row, "seed": seed}, arguments.timeout)
            if classify(answer).startswith(("SILENT", "unannounced")) and workers[name].asked > 1:
                # PyNative keeps what it learnt of operators from one network to the next, sometimes wrongly: alone, as a user has it.
                workers[name].stop()
                answer = ask(workers[name], {**row, "seed": seed}, arguments.timeout)
            if classify(answer) != "SILENT, gradient only":
                break
        done[_key(row)] = {**{k: row[k] for k in ("package", "module", "make")}, **answer, "class": classify(answer)}
        arguments.results.write_text("".join(json.dumps(r) + "\n" for r in done.values()))
        found = done[_key(row)]
        reasons = [f"{s}: {found[s]['reason']}" for s in ("torch", "construct", "eval", "train") if s in found and found[s]["verdict"] != "equal"]
        print(f"{time.strftime('%H:%M:%S')} {name:20} {row['make'][:50]:50} {found['class']:22} {' | '.join(reasons)[:700]}", flush=True)
    for worker in workers.values():
        worker.stop()
    tally = collections.Counter(done[_key(r)]["class"] for r in rows)
    print(f"{len(rows)} networks of {len({r['package'] for r in rows})} packages: " + ", ".join(f"{k} {v}" for k, v in tally.most_common()))
    return 0


def _key(row: dict[str, Any]) -> tuple[str, str, str]:
    return row["package"], row["module"], row["make"]


def classify(answer: dict[str, Any]) -> str:
    """One word for a network: what its worst stage says."""
    verdicts = {stage: answer[stage]["verdict"] for stage in ("torch", "construct", "eval", "train") if stage in answer}
    if "torch" in verdicts:
        return "not compared"
    for verdict in ("differs", "crash", "could not run", "refused at run", "announced"):
        if verdict in verdicts.values():
            stages = "" if verdicts.get("eval") != "equal" else ", gradient only"
            return {"differs": "SILENT", "could not run": "unannounced"}.get(verdict, verdict) + stages
    return "agrees"


def converted(source: Path, out: Path) -> Path:
    """The folder of the converted package; several packages, or loose files, are one project."""
    packages = [p for p in source.iterdir() if (p / "__init__.py").exists()]
    alone = len(packages) == 1 and not any(source.glob("*.py"))
    asked, made = (packages[0], out / packages[0].name) if alone else (source, out)
    if not made.exists():
        subprocess.run([sys.executable, "-m", "mindport", "convert", str(asked), "-o", str(made)], check=False, stdout=subprocess.DEVNULL)  # it has findings
    return out


def ask(worker: WorkerProcess, job: dict[str, Any], timeout: float) -> dict[str, Any]:
    """The answer, or what happened to the process."""
    answer = worker.answer(job, timeout)
    return {"eval": {"verdict": "crash", "reason": answer}} if isinstance(answer, str) else answer


if __name__ == "__main__":
    raise SystemExit(main())
