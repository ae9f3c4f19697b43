"""Converts torchvision, runs its builders on both frameworks, and writes the table in docs/torchvision.md.

    python benchmarks/torchvision_models.py --source /work/tv                    # all builders, all modes
    python benchmarks/torchvision_models.py --only resnet18 vgg11 --mode eval

No hand edits: the package is converted, weights are moved from a seeded torch model, and outputs (evaluation
mode, `ms.jit`) or outputs, running statistics and gradients (training mode) are compared in one process
(torchvision_worker.py). A result is one file a builder and mode in `benchmarks/results/torchvision/`; it is
made again when the converted code that the builder reaches changed, so an interrupted run goes on.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from torchvision_cost import cost  # noqa: E402
from torchvision_page import Row, write_page  # noqa: E402
from torchvision_plan import MODES, job, plan, stamp  # noqa: E402
from worker_process import WorkerProcess  # noqa: E402

RESULTS = HERE / "results" / "torchvision"
#: With weights and inputs of another seed: where an input of relu lies within rounding of zero, one flipped
#: sign moves a gradient by far more than rounding.
SEEDS = (0, 1, 2)


def main() -> int:
    """Convert, compare, write results and page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, help="an unpacked torchvision wheel (default: fetched by pip)")
    parser.add_argument("--converted", type=Path, help="an already converted package's parent folder")
    parser.add_argument("--only", nargs="*", default=[], help="builders or families")
    parser.add_argument("--mode", choices=[*MODES, "all"], default="all")
    parser.add_argument("--again", action="store_true", help="also what failed with this code before")
    parser.add_argument("--missing", action="store_true", help="only what has no equal result yet, from whatever code")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder of the results")
    parser.add_argument("--gib", type=float, default=10, help="memory that the comparing process may take")
    parser.add_argument("--page-only", action="store_true", help="write the page from the kept results")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one builder and pass")
    arguments = parser.parse_args()
    if not arguments.page_only:
        source = arguments.source or fetch()
        with tempfile.TemporaryDirectory() as scratch:
            converted = arguments.converted or convert(source, Path(scratch))
            compare_all(source, converted, arguments)
    write_page(arguments.results)
    return 0


def fetch() -> Path:
    """The parent folder of torchvision's package, from the registry's wheel."""
    cache = HERE.parent / "build" / "torchvision"  # where make puts it
    if not (cache / "torchvision").is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(cache), "torchvision==0.28.0"], check=True)
        import zipfile

        zipfile.ZipFile(next(cache.glob("torchvision-*.whl"))).extractall(cache)
    return cache


def convert(source: Path, scratch: Path) -> Path:
    """Convert the package; the parent folder of the result."""
    out = scratch / "torchvision"
    command = [sys.executable, "-m", "mindport", "convert", str(source / "torchvision"), "-o", str(out)]
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL)  # blockers elsewhere in the package
    if not (out / "models").is_dir():
        raise SystemExit("torchvision could not be converted")
    return scratch


def compare_all(source: Path, converted: Path, arguments: argparse.Namespace) -> None:
    """Compare what has no result for this converted code, cheap builders first: a run that is cut off has most done."""
    arguments.results.mkdir(parents=True, exist_ok=True)
    worker = WorkerProcess("torchvision_worker.py", str(source), str(converted), gib=arguments.gib)
    chosen = [p for p in plan() if not arguments.only or p[1] in arguments.only or p[0] in arguments.only]
    chosen.sort(key=lambda p: cost(source, *p))
    modes = MODES if arguments.mode == "all" else (arguments.mode,)
    for late in (False, True):
        for family, builder in chosen:
            made = stamp(converted, family, builder)
            # Compiling a detector, with host code in its middle, is for its reason: last.
            due = [m for m in modes if ((family, m) == ("detection", "jit")) == late and not kept(arguments.results, builder, m, made, arguments)]
            if due:
                run(worker, arguments.results, family, builder, due, made, arguments.timeout)
    worker.stop()


def kept(results: Path, builder: str, mode: str, made: str, arguments: argparse.Namespace) -> bool:
    """Whether there is a result for this code already."""
    path = results / f"{builder}-{mode}.json"
    if not path.exists():
        return False
    row = msgspec.json.decode(path.read_bytes(), type=Row)
    if row.verdict == "skipped" or (arguments.missing and row.verdict == "equal"):
        return row.verdict == "equal"
    return row.digest == made and not (arguments.again and row.verdict != "equal")


def run(worker: WorkerProcess, results: Path, family: str, builder: str, modes: list[str], made: str, timeout: float) -> None:
    """Compare one builder and write its rows; a gradient that differs is looked at with other seeds."""
    for row in ask(worker, job(family, builder, modes, 0), timeout * len(modes)):
        mode = row["mode"]
        earlier: dict[str, float] = {}
        for seed in SEEDS[1:]:
            if mode != "train" or row["verdict"] != "differs" or "gradient" not in row["reason"]:
                break
            earlier[str(seed - 1)] = max(row["errors"].values(), default=0.0)
            row = ask(worker, job(family, builder, ["train"], seed), timeout)[0]
        found = msgspec.convert({**row, "family": family, "builder": builder, "digest": made, "earlier": earlier}, Row)
        (results / f"{builder}-{mode}.json").write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
        print(f"{time.strftime('%H:%M:%S')} {builder:28} {found.mode:5} {found.verdict:13} {found.errors} {found.seconds} {found.reason}", flush=True)


def ask(worker: WorkerProcess, wanted: dict[str, Any], timeout: float) -> list[dict[str, Any]]:
    """The answers of a job; for modes without one, what happened to the process."""
    if worker.asked >= 25 or worker.gib() > worker.most / 2:  # compiled graphs and pools of memory stay
        worker.stop()
    rows, problem = worker.answers(wanted, timeout)
    answered = {r["mode"] for r in rows}
    return rows + [{"mode": m, "verdict": "could not run", "reason": problem} for m in wanted["modes"] if m not in answered]


if __name__ == "__main__":
    sys.exit(main())
