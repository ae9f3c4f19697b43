"""Converts every project in examples/training, climbs the ladder with it, and writes docs/training-examples.md.

    python benchmarks/training_examples.py                     # those whose result is missing or out of date
    python benchmarks/training_examples.py --only gpt vae      # these, whatever there is
    python benchmarks/training_examples.py --page              # the page alone, from the results that there are

No hand edits: `mindport convert` alone, then `mindport verify --train` over the first 100 optimizer steps. One JSON file a
project in `benchmarks/results/training/`. What is run is a project's `train.py`, `main.py` or the only
script that starts something. `--torchvision` names a folder that holds torchvision where it is not installed.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from mindport.convert import convert, write
from mindport.source.discover import discover
from mindport.verify.training.ladder import climb_ladder
from mindport.verify.training.plan import TrainSide, TrainSpec
from mindport.verify.training.result import RUNGS

HERE = Path(__file__).resolve().parent
PROJECTS = HERE.parent / "examples" / "training"
RESULTS = HERE / "results" / "training"
PAGE = HERE.parent / "docs" / "training-examples.md"
#: Lets torchvision's Python part be imported next to a torch that its compiled part was not made for.
PRELUDE = HERE.parent / "examples" / "torchvision_prelude.py"

#: What a use may become, without the names that stay as they are.
CONVERTED = ("renamed", "constant", "inlined", "rewritten", "removed", "vendored")


class Result(msgspec.Struct):
    """One project: what conversion did, and how far up the ladder it came."""

    project: str
    files: int
    lines: int
    uses: int
    counts: dict[str, int]
    blockers: list[str] = msgspec.field(default_factory=list)
    verdict: str = ""
    rungs: dict[str, str] = msgspec.field(default_factory=dict)
    messages: dict[str, str] = msgspec.field(default_factory=dict)
    figures: dict[str, float] = msgspec.field(default_factory=dict)  # of the loss curve
    troubles: list[str] = msgspec.field(default_factory=list)
    departure: str = ""
    seconds: dict[str, float] = msgspec.field(default_factory=dict)
    fingerprint: str = ""


def projects() -> list[Path]:
    """The folders that hold a project."""
    return sorted(p for p in PROJECTS.iterdir() if p.is_dir() and any(p.glob("*.py")))


def script(project: Path) -> str:
    """The file that trains: ``train.py``, ``main.py``, or the only one with an ``if __name__`` or with a loop over epochs."""
    names = [p.name for p in sorted(project.glob("*.py"))]
    return next((n for n in ("train.py", "main.py") if n in names), None) or next(
        n for n in names if "__main__" in (project / n).read_text(encoding="utf-8")
    )


def convert_project(project: Path, out: Path) -> Result:
    """Convert into `out`, and count."""
    discovery = discover([project])
    conversion = convert(discovery)
    write(conversion, out)
    for text in conversion.files.values():
        ast.parse(text)
    lines = sum(len(p.read_text(encoding="utf-8").splitlines()) for p in project.glob("*.py"))
    counts: dict[str, int] = {}
    for record in conversion.log:
        counts[record.strategy] = counts.get(record.strategy, 0) + 1
    blockers = [f"{f.code} {f.path}:{f.span.line} {f.message}" for f in conversion.findings if f.risk == "blocker"]
    return Result(project.name, len(list(project.glob("*.py"))), lines, sum(counts.values()), counts, blockers)


def torch_side(project: Path, torchvision: str | None, work: Path) -> TrainSide:
    """The original; with a torchvision that is only unpacked, its operators are declared as Python starts."""
    path = []
    uses = any("torchvision" in p.read_text(encoding="utf-8") for p in project.glob("*.py"))
    if torchvision and uses:
        start = work / "start"
        start.mkdir(exist_ok=True)
        (start / "sitecustomize.py").write_text(f"import runpy\nimport sys\n\nsys.modules['torchvision_prelude'] = runpy.run_path({str(PRELUDE)!r})\n", encoding="utf-8")
        path = [str(start), torchvision]
    return TrainSide(str(project), path=path)


def run(project: Path, work: Path, steps: int, torchvision: str | None) -> Result:
    """Convert and climb."""
    original, converted = work / "original", work / "converted"
    for folder in (original, converted):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(project, original, ignore=lambda _, names: [n for n in names if not n.endswith(".py")])
    result = convert_project(original, converted)
    result.project = project.name
    side = torch_side(original, torchvision, work)
    plan = TrainSpec(script(project), side, TrainSide(str(converted)), steps=steps)
    began = time.monotonic()
    ladder = climb_ladder(plan, work / "ladder", lambda sentence: print(f"  {sentence}", flush=True))
    result.seconds = {**ladder.seconds, "all": time.monotonic() - began}
    result.verdict = ladder.verdict
    result.rungs = {r.name: r.verdict for r in ladder.rungs}
    result.messages = {r.name: r.message for r in ladder.rungs if r.message}
    result.figures = next((r.figures for r in ladder.rungs if r.name == "loss curve"), {})
    result.troubles = [f"{t.side}: {t.message}"[:600] if hasattr(t, "side") else t.message[:600] for t in ladder.troubles]
    if ladder.departure is not None:
        d = ladder.departure
        result.departure = " ".join(filter(None, [d.what, d.module, d.operator, d.line]))
    return result


def fingerprint(project: Path) -> str:
    """Changes with the project and with mindport."""
    seen = hashlib.blake2b(digest_size=12)
    package = HERE.parent / "src" / "mindport"
    for path in [*sorted(project.glob("*.py")), *sorted(package.rglob("*.py"))]:
        seen.update(path.read_bytes())
    return seen.hexdigest()


def stored(name: str) -> Result | None:
    """The result that a former run left."""
    path = RESULTS / f"{name}.json"
    return msgspec.json.decode(path.read_bytes(), type=Result) if path.exists() else None


def rung(result: Result) -> str:
    """How far up: ``9 of 9``, or the rung that stopped it."""
    passed = [name for name in RUNGS if result.rungs.get(name) == "passes"]
    failed = next((f"{name}: {v}" for name, v in result.rungs.items() if v not in ("passes", "not reached")), "")
    failed = failed or ", ".join(f"{name}: not run" for name in RUNGS if result.rungs and name not in result.rungs)
    return f"{len(passed)} of {len(RUNGS)}" + (f" ({failed})" if failed else "")


def page(results: list[Result]) -> str:
    """The table."""
    rows = []
    for r in results:
        why = "; ".join([*r.troubles, *r.blockers]) or r.departure
        share = f"{r.figures['share of the band']:.0%}" if "share of the band" in r.figures else ""
        converted = sum(r.counts.get(k, 0) for k in CONVERTED)
        curve = r.messages.get("loss curve", "")
        rows.append(
            f"| [{r.project}](../examples/training/{r.project}) | {r.files} / {r.lines} | {r.uses} | {converted} | {r.counts.get('same', 0)} "
            f"| {r.counts.get('unconverted', 0)} | {rung(r)} | {share or curve} | {why.replace('|', '/')[:300]} |"
        )
    whole = sum(all(r.rungs.get(name) == "passes" for name in RUNGS) for r in results)
    compiled = sum("as run" in r.seconds for r in results)
    return "\n".join([
        "# Training projects: converted, and proved over time", "",
        "Written for this purpose in the idioms that people use, on data that they generate. `mindport convert` alone, no hand edits; then",
        "`mindport verify --train` (docs/verify.md) over the first 100 optimizer steps. Made by `python benchmarks/training_examples.py`.", "",
        f"The whole ladder: **{whole} of {len(results)}**. Its last rung, *as run*, is MindSpore's side once more with its graphs on; it compiled something in {compiled}.", "",
        "| project | files / lines | uses of PyTorch | converted | right as they are | left | rungs passed | loss curve | what stands in the way |",
        "| --- | ---: | ---: | ---: | ---: | ---: | --- | --- | --- |", *rows, "",
        "`loss curve`: the largest deviation as a share of the band, which is torch's own noise; the figures of every rung are in",
        "`benchmarks/results/training/`.", "",
    ])  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[], metavar="PROJECT")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--page", action="store_true", help="write the page from the results that there are")
    parser.add_argument("--torchvision", default=os.environ.get("MINDPORT_TORCHVISION"), metavar="FOLDER")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "mindport-training", help="working folder, kept")
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    RESULTS.mkdir(parents=True, exist_ok=True)
    for project in [] if options.page else projects():
        if options.only and project.name not in options.only:
            continue
        now = fingerprint(project)
        before = stored(project.name)
        if not options.only and before is not None and before.fingerprint == now:
            continue
        print(project.name, flush=True)
        work = options.work / project.name
        work.mkdir(parents=True, exist_ok=True)
        result = run(project, work, options.steps, options.torchvision)
        result.fingerprint = now
        (RESULTS / f"{project.name}.json").write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n")
        for name, verdict in result.rungs.items():
            print(f"  {name}: {verdict}: {result.messages.get(name, '')}", flush=True)
        for line in (*result.troubles, *result.blockers, *filter(None, [result.departure])):
            print(f"  ! {line}", flush=True)
    results = [r for p in projects() if (r := stored(p.name)) is not None]
    PAGE.write_text(page(results), encoding="utf-8")
    whole = sum(all(r.rungs.get(name) == "passes" for name in RUNGS) for r in results)
    print(f"{whole} of {len(results)} climb the whole ladder", file=sys.stderr)


if __name__ == "__main__":
    main()
