"""What ``mindport --help`` costs, beside a Python that does nothing: the best of several runs, in one process order."""

from __future__ import annotations

import subprocess
import sys
import time

RUNS = 7
MOST_SECONDS = 0.3
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "mindport --help": ["-m", "mindport", "--help"],
    "mindport scan --help": ["-m", "mindport", "scan", "--help"],
    "mindport explain MP103": ["-m", "mindport", "explain", "MP103"],
}


def seconds(arguments: list[str]) -> float:
    """Wall-clock time of one start."""
    before = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - before


def main() -> int:
    """Print a line for each command; 1 where the help is too slow."""
    # Interleaved, so that a busy moment of the machine touches all commands alike.
    best = dict.fromkeys(COMMANDS, float("inf"))
    for _ in range(RUNS):
        for name, arguments in COMMANDS.items():
            best[name] = min(best[name], seconds(arguments))
    bare = best["python -c pass"]
    for name, taken in best.items():
        print(f"{name:24} {taken:6.3f} s  {taken / bare:5.1f} × a bare Python")
    return int(best["mindport --help"] > MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
