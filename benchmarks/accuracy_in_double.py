"""Which functions lose digits in float64: results that are further from torch's than float64's rounding, where evidence's tolerance (1e-7) lets them pass.

    python benchmarks/accuracy_in_double.py --out FOLDER [NAME…]

Every function and attribute with samples of float64 is called beside torch, four samples each, and has to agree to 1e-11; layers, scenarios and gradients are not asked.
A difference of 1e-8 is float32's rounding inside: a number of Python's beside a tensor, a kernel that computes in float32. A process that dies is started again behind the entry.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: Of the largest value of a result: what a thousand roundings of float64 may be.
ROUNDING = 1e-11
SAMPLES = 4


def work(first: int, out: Path, names: list[str]) -> None:
    """Entries from number `first` on, one line each in `out`."""
    import torch

    from mindport.evidence import compare
    from mindport.evidence.run import selected

    compare.TOLERANCES[torch.float64] = compare.TOLERANCES[torch.complex128] = compare.Tolerance(ROUNDING, ROUNDING)
    entries = [entry for entry in selected(names) if entry.kind in ("function", "attribute") and not entry.random]
    with out.open("a", encoding="utf-8") as file:
        for number, entry in enumerate(entries[first:], first):
            file.write(json.dumps({"number": number, "name": entry.name, "begun": True}) + "\n")
            file.flush()
            for line in _outcomes(entry):
                file.write(json.dumps({"number": number, "name": entry.name, **line}) + "\n")
            file.flush()
        file.write(json.dumps({"number": len(entries), "name": "", "end": True}) + "\n")


def _outcomes(entry: Any) -> Iterator[dict[str, str]]:
    import torch

    from mindport.evidence import steps
    from mindport.evidence.knowledge import declaration
    from mindport.evidence.run_sample import Subject, forward
    from mindport.evidence.samples import plain
    from mindport.evidence.scenarios import SCENARIOS

    if any(name in SCENARIOS for name in entry.names):
        return
    declared = declaration(entry)
    for name in entry.names[:1]:
        subject = Subject(name, declared)
        try:
            made = steps._fitting(subject, plain(name, entry.opinfo, torch.float64, SAMPLES))
        except Exception as error:
            yield {"verdict": "no samples", "message": str(error)[:200]}
            continue
        for sample in made:
            yield _said(lambda s=sample, u=subject: forward(u, s))


def _said(run: Any) -> dict[str, str]:
    try:
        result = run()
    except Exception as error:
        return {"verdict": "error", "message": f"{type(error).__name__}: {error}"[:200]}
    return {"verdict": result.verdict, "call": result.call[:200], "message": result.message[:300]} if result is not None else {"verdict": "none"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--from", dest="first", type=int, default=None, help=argparse.SUPPRESS)
    given = parser.parse_args()
    rows = given.out / "rows.jsonl"
    if given.first is not None:
        work(given.first, rows, given.names)
        return
    given.out.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "GLOG_v": "4"}
    while True:
        lines = [json.loads(line) for line in rows.read_text().splitlines()] if rows.exists() else []
        if lines and lines[-1].get("end"):
            break
        first = lines[-1]["number"] + 1 if lines else 0
        size = rows.stat().st_size if rows.exists() else 0
        subprocess.run([sys.executable, "-W", "ignore", __file__, *given.names, "--out", str(given.out), "--from", str(first)], env=environment, timeout=3600)
        if not rows.exists() or rows.stat().st_size == size:
            raise SystemExit("the worker wrote nothing: see its message above")
    print(json.dumps(_totals(lines)))
    for line in lines:
        if line.get("verdict") == "differs":
            print(line["name"], line["call"], line["message"], sep=" | ")


def _totals(lines: list[dict[str, Any]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for line in lines:
        if "verdict" in line:
            found[line["verdict"]] = found.get(line["verdict"], 0) + 1
    return found


if __name__ == "__main__":
    main()
