"""What a scan costs, as a multiple of ``ast.parse`` of the same files in the same run, and its peak memory.

    python benchmarks/scan.py [FOLDER]        # default: torchvision's models, as make test installs them
"""

from __future__ import annotations

import ast
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

from mindport import catalog
from mindport.report import json_
from mindport.report.scan import collection_paused, scan
from mindport.source.discover import discover

HERE = Path(__file__).parents[1]
DEFAULT = HERE / "build" / "torchvision" / "torchvision" / "models"
RUNS = 5
MOST_TIMES, MOST_MB = 10.0, 500.0


def seconds(work: Callable[[], object]) -> float:
    """Processor time of one run."""
    before = time.process_time()
    work()
    return time.process_time() - before


def main() -> int:
    """Print the figures; 1 where a limit is passed."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    texts = [file.text for file in discover(folder).files]

    def parse() -> list[ast.Module]:
        return [ast.parse(text) for text in texts]

    def whole() -> str:
        with collection_paused():
            return json_.render(scan(discover(folder)))

    knowledge = seconds(catalog.load)
    # Interleaved, so that a busy moment of the machine touches both alike.
    parsed, scanned = float("inf"), float("inf")
    for _ in range(RUNS):
        parsed, scanned = min(parsed, seconds(parse)), min(scanned, seconds(whole))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    lines = sum(text.count("\n") for text in texts)
    print(f"{len(texts)} files, {lines:,} lines; reading the knowledge once took {knowledge:.2f} s")
    print(f"ast.parse {parsed:.3f} s, scan to JSON {scanned:.3f} s: {scanned / parsed:.1f} times, {lines / scanned:,.0f} lines a second")
    print(f"peak memory {peak:.0f} MB")
    return int(scanned > MOST_TIMES * parsed or peak > MOST_MB)


if __name__ == "__main__":
    sys.exit(main())
