"""What `mindport analyze` costs beside `mindport scan`, in processor time of whole commands.

    python benchmarks/analyze_cost.py FOLDER...

Each command runs as often as ``--runs`` says, one after another and by turns; the least time of each counts.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

#: `analyze` may take this many times as long as `scan`.
MOST = 2.0


def seconds(command: str, folder: Path, target: Path) -> float:
    """Processor time of one run, start-up included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "mindport", command, str(folder), "--format", "json", "-o", str(target)], capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure, print, and exit with 1 above the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--runs", type=int, default=2)
    given = parser.parse_args()
    worst = 0.0
    with tempfile.TemporaryDirectory() as kept:
        for folder in given.folders:
            times = {name: min(seconds(name, folder, Path(kept) / f"{name}.json") for _ in range(given.runs)) for name in ("scan", "analyze")}
            ratio = times["analyze"] / times["scan"]
            worst = max(worst, ratio)
            print(f"{folder.name}: scan {times['scan']:.1f} s, analyze {times['analyze']:.1f} s, {ratio:.2f} times", flush=True)
    raise SystemExit(worst > MOST)


if __name__ == "__main__":
    main()
