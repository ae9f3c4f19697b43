"""Runs training projects under `mindport trace` and compares what it saw with what reading the code says.

    python benchmarks/trace_agreement.py                      # those without a result
    python benchmarks/trace_agreement.py --only gpt vae       # these, whatever there is
    python benchmarks/trace_agreement.py --page               # the page alone

The projects are those of examples/training. A project *agrees* where every change of a shape that the run saw stands in the static answer (its inputs' and its computation's), and a
static answer without any change is one that the run did not contradict. One JSON file each in `benchmarks/results/trace/`, the page is docs/trace-agreement.md.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from mindport.analysis.network_run.computed import computed
from mindport.analysis.questions.called import section as called
from mindport.analysis.questions.dynamic_shape_run import missed
from mindport.analysis.subject import Subject
from mindport.catalog import load
from mindport.inference import Project
from mindport.source.discover import discover
from mindport.trace.reading import read

HERE = Path(__file__).resolve().parent
PROJECTS = HERE.parent / "examples" / "training"
PRELUDE = HERE.parent / "examples" / "torchvision_prelude.py"
RESULTS = HERE / "results" / "trace"
KINDS = ("confirmed", "not seen", "not visible", "not exercised")
PAGE = HERE.parent / "docs" / "trace-agreement.md"


class Result(msgspec.Struct):
    """One project. `sources`: place, why, what the run says of it, and how. `networks`: class, parameters computed, parameters in the run."""

    project: str
    iterations: int
    unit: str
    inputs: int
    loaders: list[int]
    sources: list[tuple[str, str, str, str]]
    missed: list[str]
    networks: list[tuple[str, list[int], int | None]]
    apis: str
    seconds: float

    @property
    def static(self) -> bool:
        """Whether the code lets a shape change."""
        return bool(self.sources)

    @property
    def agrees(self) -> bool:
        """Whether the run saw nothing that the static answer lacks."""
        return not self.missed


def main() -> None:
    """Run what is asked for, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--torchvision", default=os.environ.get("MINDPORT_TORCHVISION"), metavar="FOLDER", help="where it is unpacked, if not installed")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--steps", type=int, default=120)
    arguments = parser.parse_args()
    RESULTS.mkdir(parents=True, exist_ok=True)
    for folder in sorted(folder for folder in PROJECTS.iterdir() if folder.is_dir()):
        place = RESULTS / f"{folder.name}.json"
        if arguments.page or (arguments.only and folder.name not in arguments.only) or (not arguments.only and place.exists()):
            continue
        result = run(folder, arguments.steps, arguments.torchvision and os.path.abspath(arguments.torchvision))
        if result is not None:
            place.write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n")
            print(f"{result.project}: {'agrees' if result.agrees else result.missed}", flush=True)
    PAGE.write_text(page([msgspec.json.decode(p.read_bytes(), type=Result) for p in sorted(RESULTS.glob("*.json"))]), "utf-8")


def run(folder: Path, steps: int, torchvision: str | None) -> Result | None:
    """Trace the project's script and compare."""
    script = next((name for name in ("train.py", "main.py") if (folder / name).is_file()), None) or next(iter(sorted(p.name for p in folder.glob("*.py"))))
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "trace.jsonl"
        around = {}
        if torchvision and any("torchvision" in path.read_text(encoding="utf-8") for path in folder.glob("*.py")):
            # Its compiled operators are declared as Python starts; mindport's own start file goes on to this one.
            text = f"import runpy, sys\nsys.modules['torchvision_prelude'] = runpy.run_path({str(PRELUDE)!r})\n"
            (Path(scratch) / "sitecustomize.py").write_text(text, "utf-8")
            around = {"PYTHONPATH": os.pathsep.join((scratch, torchvision))}
        command = [sys.executable, "-m", "mindport", "trace", "-o", str(out), "--steps", str(steps), "--", sys.executable, script]
        copy = shutil.copytree(folder, Path(scratch) / folder.name)  # programs leave checkpoints behind
        ran = subprocess.run(command, cwd=copy, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1", **around})
        if ran.returncode not in (0,):
            print(f"{folder.name}: {ran.stderr.strip().splitlines()[-1:]}", flush=True)
            return None
        trace = read(out)
    discovery = discover(folder)
    inference = Project(discovery.files)
    subject = Subject(discovery.root, {file: inference.facts(file) for file in discovery.files}, inference, load(), (), discovery.others, trace=trace)
    traced = subject.traced
    assert traced is not None
    witnesses = [(source, traced.of_source(source)) for source in subject.shape_sources]
    computed_sizes: dict[str, list[int]] = {found.network.name: [] for found in computed(subject)}
    for found in computed(subject):
        if found.sizes.parameters is not None:
            computed_sizes[found.network.name].append(found.sizes.parameters)
    networks = [
        (name := network.cls.rpartition(".")[2], computed_sizes.get(name, []), network.parameters)
        for network in trace.networks if network.parameters and network.file and traced.file(network.file) is not None
    ]
    return Result(
        folder.name, trace.iterations, trace.unit, max((len({s.inputs for s in layer.shapes}) for layer in traced.inputs()), default=0),
        [loader.distinct for loader in trace.loaders],
        [(f"{s.file.relative}:{getattr(s.node, 'lineno', 1)}", s.message, w.seen, w.said) for s, w in witnesses],
        [said for said, _ in missed(subject, traced)], networks, called(subject).answers[0].value, trace.seconds,
    )  # fmt: skip


def page(results: list[Result]) -> str:
    """The page."""
    places = [source for result in results for source in result.sources]
    seen = {kind: sum(source[2] == kind for source in places) for kind in KINDS}
    compared = [(own, true) for result in results for _, own, true in result.networks]
    right = sum(true in own for own, true in compared)
    unknown = sum(not own for own, _ in compared)
    lines = [
        "# What reading says, and what a run sees", "",
        "Training projects under `mindport trace`, beside what `mindport analyze` says without running them. A project agrees where every change of a shape",
        "that the run saw is in the static answer. Made by `python benchmarks/trace_agreement.py`.", "",
        f"**{sum(r.agrees for r in results)} of {len(results)} agree.** Of {len(places)} places where the code lets a shape change, the runs confirmed {seen['confirmed']}; {seen['not seen']} ran",
        f"and gave one shape; {seen['not visible']} ran outside of the networks' calls, where shapes are not recorded; {seen['not exercised']} did not run. Parameters of {len(compared)} networks: {right} computed from the code and equal to the run's, {unknown} unknown,",
        f"{len(compared) - right - unknown} different.", "",
        "| project | iterations | input shapes seen | places: confirmed / not seen / not visible / not run | changes that the code does not show | parameters computed / in the run |", "| --- | ---: | ---: | --- | --- | --- |",
    ]  # fmt: skip
    for result in results:
        kinds = [sum(source[2] == kind for source in result.sources) for kind in KINDS]
        sizes = ", ".join(f"{name} {' or '.join(f'{n:,}' for n in own) or 'unknown'} / {true:,}" for name, own, true in result.networks if true is not None)
        lines.append(f"| {result.project} | {result.iterations} | {result.inputs} | {' / '.join(map(str, kinds))} | {'; '.join(result.missed) or 'none'} | {sizes} |")
    lines += ["", "## The places", "", "| project | place | why a shape may change there | in the run |", "| --- | --- | --- | --- |"]
    for result in results:
        lines += [f"| {result.project} | {place} | {_cell(why)} | {kind}: {said} |" for place, why, kind, said in result.sources]
    lines += ["", "## PyTorch's functions called, and found by reading", ""]
    lines += [f"* {result.project}: {result.apis}" for result in results]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    main()
