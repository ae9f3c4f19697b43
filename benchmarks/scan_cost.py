"""What the analysis costs, beside `ast.parse` of the same files in the same run.

    python benchmarks/scan_cost.py [FOLDER]        # torchvision's models by default

Prints seconds for parsing and for everything inference does (values, uses, unresolved places of
all files), their ratio, and the process's peak memory.
"""

from __future__ import annotations

import argparse
import ast
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mindport.inference import Project, torchfacts
from mindport.source.discover import discover
from tests.corpus.torchvision_wheel import folder

#: The analysis may take this many times as long as parsing.
MOST = 8.0
MOST_MEGABYTES = 500


def measure(root: Path) -> tuple[int, float, float, float]:
    """Lines, seconds to parse, seconds to analyse (the smallest of three each), peak megabytes."""
    files = discover([root]).files
    torchfacts.lookup("torch.relu")  # the data's loading is start-up, not analysis
    parse = analyse = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        for file in files:
            ast.parse(file.text)
        parse = min(parse, time.perf_counter() - start)
        start = time.perf_counter()
        project = Project(files)
        for file in files:
            project.facts(file)
        analyse = min(analyse, time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return sum(file.text.count("\n") for file in files), parse, analyse, peak


def main() -> None:
    """Measure, print, and exit with 1 above the limits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    root = parser.parse_args().folder
    if root is None:
        home = folder()
        if home is None:
            raise SystemExit("torchvision's wheel cannot be fetched; name a folder")
        root = home / "torchvision" / "models"
    lines, parse, analyse, peak = measure(root)
    print(f"{lines} lines: parse {parse:.2f} s, analysis {analyse:.2f} s ({analyse / parse:.1f} times), peak {peak:.0f} MB")
    raise SystemExit(analyse / parse > MOST or peak > MOST_MEGABYTES)


if __name__ == "__main__":
    main()
