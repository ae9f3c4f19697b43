"""Programs of many statements that nobody wrote, converted and run beside torch.

    python benchmarks/composed.py --seed 1 --count 300 --out FOLDER [--kind training|networks]

Each statement is drawn from benchmarks/composed, filled with the values that stand there, and kept where torch runs it; then helpers, loops, conditions, regions without
gradients, a function or a module are put around them. `--kind training`: scripts that composed_training.py puts together; `--kind networks`: networks out of blocks, and uses of them (composed_networks.py). Rows go to `rows.jsonl` in FOLDER, with the verdicts of call_forms.py.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from worker_process import WorkerProcess, answers_alone

MOST_SECONDS = 240
FINE = ("agrees", "torch raises", "as noise")


def main() -> None:
    """Run the drawn programs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--length", type=int, default=14)
    parser.add_argument("--kind", choices=("statements", "training", "networks"), default="statements")
    parser.add_argument("--changes", type=float, default=0.25, help="how many of the statements change something in place")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    counts: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as folder, (given.out / "rows.jsonl").open("a") as out:
        worker = WorkerProcess("composed.py", "--worker", folder, gib=4)
        for number in range(given.count):
            job = {"seed": given.seed, "number": number, "kind": given.kind, "length": given.length, "changes": given.changes}
            answer = worker.answer(job, MOST_SECONDS)
            if worker.asked > 1 and (not isinstance(answer, dict) or answer["verdict"] not in FINE):  # again in a process of its own: a project sets MindSpore's indexing for all of one
                worker.stop()
                answer = worker.answer(job, MOST_SECONDS)
            row = answer if isinstance(answer, dict) else {"verdict": "dies", "message": answer, "number": number}
            counts[row["verdict"]] += 1
            out.write(json.dumps(row) + "\n")
            out.flush()
            if worker.asked >= 60 or row["verdict"] not in FINE:  # what a program leaves behind in the process must not add up
                worker.stop()
            if number % 25 == 24:
                print(number + 1, dict(counts), flush=True)
        worker.stop()
    print(dict(counts))


def serve_jobs(folder: Path) -> None:
    """The worker's side."""
    import composed_networks
    import composed_training
    from call_forms_worker import judged
    from composed_program import program

    answers = answers_alone()

    def row(job: dict[str, Any]) -> dict[str, Any]:
        draw = random.Random(f"{job['seed']} {job['number']}")
        made = {"training": composed_training.program, "networks": composed_networks.program}.get(job["kind"])
        text = made(draw) if made else program(draw, job["length"], job["changes"])
        verdict, message, findings, after = judged("", text, {}, folder)
        if made and verdict.endswith("differs") and (noise := composed_training.noise(text)):
            verdict, message = "as noise", f"{message}; torch from data 1e-7 away: {noise:.0e}"
        return {"number": job["number"], "verdict": verdict, "message": message, "findings": findings, "text": text, "after": after}

    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(row(json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        serve_jobs(Path(sys.argv[2]))
    else:
        main()
