"""What mindport does, on real input: converts the migration guide's sample and torchvision, and proves both.

    make demo            (or: python examples/demo.py, where torch, mindspore and mindport are installed)

Everything is done through the command line tool and `mindport.verify`, as a user would; the files
stay in build/demo.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table

from mindport.verify import Comparison, Spec, run
from mindport.verify.console import show
from mindport.verify.spec import Case, Construct, Side
from mindport.weights import Layout

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / "build" / "demo"
LIMIT = 1e-5
#: The guide's four comparisons, and what it measured for its port by hand.
CONFIGURATIONS = (
    ({"gamma": 2.0, "alpha": 0.25, "reduction": "mean", "avg_factor": None}, 6.891787e-08),
    ({"gamma": 1.0, "alpha": 0.5, "reduction": "sum", "avg_factor": None}, 1.4305115e-06),
    ({"gamma": 2.0, "alpha": 0.25, "reduction": "mean", "avg_factor": 0.3}, 2.8014183e-06),
    ({"gamma": 2.0, "alpha": 0.25, "reduction": "none", "avg_factor": None}, 3.799796e-07),
)
console = Console(width=110 if not sys.stdout.isatty() else None)


def main() -> int:
    """Run both parts; 0 when everything agrees."""
    BUILD.mkdir(parents=True, exist_ok=True)
    console.rule("1 · The migration guide's sigmoid focal loss")
    good = focal_loss()
    console.rule("2 · torchvision's resnet18")
    good = resnet() and good
    console.rule()
    if good:
        console.print("[bold green]Both conversions compute what PyTorch computes, forward and backward.[/]")
    else:
        console.print("[bold red]Not everything agrees; see above.[/]")
    return 0 if good else 1


def convert(source: Path, out: Path) -> bool:
    """``mindport convert source -o out``; its own report is printed where it fails."""
    shutil.rmtree(out, ignore_errors=True)
    tool = Path(sys.executable).with_name("mindport")
    console.print(f"$ mindport convert {short(source)} -o {short(out)}", style="bold", highlight=False)
    started = time.perf_counter()
    done = subprocess.run([tool, "convert", source, "-o", out], capture_output=True, text=True, check=False)
    files = sorted(out.rglob("*.py"))
    if not files:
        console.print(done.stdout, done.stderr, f"mindport convert ended with {done.returncode}", markup=False)
        return False
    console.print(f"{len(files)} Python files in {time.perf_counter() - started:.1f} s\n", style="dim")
    return True


def short(path: Path) -> str:
    """A path as seen from the repository."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def code(text: str) -> None:
    """Print Python source."""
    console.print(Syntax(text.strip("\n"), "python", background_color="default", word_wrap=True))


# -- 1 ------------------------------------------------------------------------------------------


def focal_loss() -> bool:
    """Convert the guide's function, repeat its four comparisons, and compare the gradients as well."""
    out = BUILD / "sigmoid_focal_loss"
    if not convert(HERE / "sigmoid_focal_loss", out):
        return False
    code((out / "focal_loss.py").read_text(encoding="utf-8"))
    comparison = run(focal_loss_spec(out), BUILD / "focal_loss_comparison")
    table = Table(title="max |PyTorch − MindSpore|, seed and inputs of the guide", title_justify="left")
    table.add_column("configuration")
    for heading in ("guide, by hand", "loss", "gradient of pred", "gradient of weight"):
        table.add_column(heading, justify="right")
    good = comparison.verdict == "equal"
    for (options, by_hand), case in zip(CONFIGURATIONS, comparison.cases, strict=False):
        found = {t.name: t.difference for t in case.tensors if t.verdict == "equal"}
        figures = [found.get(name) for name in ("output", "args[0]", "weight")]
        good = good and all(figure is not None and figure < LIMIT for figure in figures)
        shown = ", ".join(f"{key}={value}" for key, value in options.items())
        table.add_row(shown, f"{by_hand:.1e}", *(f"{f:.1e}" if f is not None else "[red]differs[/]" for f in figures))
    console.print(table)
    for case in comparison.cases[len(CONFIGURATIONS) :]:
        console.print(f"{case.name} (the guide's port by hand does it): {'; '.join(case.notes)}")
    report(comparison)
    return good


def focal_loss_spec(out: Path) -> Spec:
    """The guide's inputs, drawn in its order from its seed; and a weight that its assert must refuse."""
    np.random.seed(1)
    pred = np.random.uniform(-1, 1, (3, 4)).astype(np.float32)
    target = np.random.uniform(-1, 1, (3, 4)).astype(np.float32)
    weight = np.random.uniform(0, 1, (3,)).astype(np.float32)
    unfit = np.ones((1, 4), np.float32)
    np.savez(BUILD / "focal_loss.npz", pred=pred, target=target, weight=weight, unfit=unfit)

    def stored(key: str) -> dict[str, str]:
        return {"npz": str(BUILD / "focal_loss.npz"), "key": key}

    inputs = [stored("pred"), stored("target")]
    cases = [
        Case(inputs, {"weight": stored("weight"), **options}, f"configuration {number}")
        for number, (options, _) in enumerate(CONFIGURATIONS, 1)
    ]
    cases.append(Case(inputs, {"weight": stored("unfit")}, "a weight of 1 × 4, which could be broadcast", raises="AssertionError"))
    return Spec(
        Side(str(HERE / "sigmoid_focal_loss" / "focal_loss.py") + ":py_sigmoid_focal_loss"),
        Side(str(out / "focal_loss.py") + ":py_sigmoid_focal_loss"),
        cases,
        # The guide's own bound is absolute; its losses are about one.
        tolerance={"float32": LIMIT},
    )


# -- 2 ------------------------------------------------------------------------------------------


def resnet() -> bool:
    """Convert torchvision, move a resnet18's weights, compare every layer and every gradient."""
    source = torchvision()
    if source is None:
        return False
    converted = BUILD / "converted"
    if not convert(source / "torchvision", converted / "torchvision"):
        return False
    text = (converted / "torchvision" / "models" / "resnet.py").read_text(encoding="utf-8")
    block = re.search(r"^class BasicBlock.*?(?=^class )", text, re.DOTALL | re.MULTILINE)
    code(block.group() if block else text[:2000])
    workdir = BUILD / "resnet_comparison"
    comparison = run(resnet_spec(source, converted), workdir)
    if (workdir / "layout.json").exists():
        layout = Layout.load(workdir / "layout.json")
        kept = sum(entry.name == name for name, entry in layout.entries.items())
        dropped = sum(entry.name is None for entry in layout.entries.values())
        renamed = len(layout.entries) - kept - dropped
        console.print(
            f"weights: {kept} arrays moved under their names, {renamed} renamed, {dropped} without a counterpart "
            f"(the map: {short(workdir / 'layout.json')})\n"
        )
    report(comparison, tables=True)
    return comparison.verdict == "equal"


def resnet_spec(source: Path, converted: Path) -> Spec:
    """The same builder in both packages, randomly initialised by torch."""
    construct = Construct(kwargs={"weights": None})
    target = "torchvision.models:resnet18"
    return Spec(
        Side(target, [str(source)], construct, prelude=str(HERE / "torchvision_prelude.py")),
        Side(target, [str(converted)], construct),
        [Case([{"tensor": [2, 3, 64, 64]}], name="resnet18, evaluation mode")],
    )


def torchvision() -> Path | None:
    """The folder that holds torchvision 0.28's Python sources: as make fetched it, else from the registry."""
    cache = ROOT / ".cache"
    for folder in (os.environ.get("MINDPORT_TORCHVISION"), ROOT / "build" / "torchvision", cache):
        if folder and (Path(folder) / "torchvision" / "models").is_dir():
            return Path(folder).resolve()
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(cache), "torchvision==0.28.0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = sorted(cache.glob("torchvision-0.28.0*.whl"))
    if not wheels:
        last = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        console.print(f"[yellow]torchvision's wheel cannot be fetched (is there a network?):[/] {last}", highlight=False)
        return None
    with zipfile.ZipFile(wheels[-1]) as wheel:
        wheel.extractall(cache)
    return cache


def report(comparison: Comparison, tables: bool = False) -> None:
    """The comparison's tables where asked for or where something differs; else its one line."""
    if tables or comparison.verdict != "equal":
        show(comparison, console)
    seconds = ", ".join(f"{side} {value:.1f} s" for side, value in comparison.seconds.items())
    console.print(Panel.fit(f"{comparison.verdict} ({' and '.join(comparison.frameworks.values())}; {seconds})"))


if __name__ == "__main__":
    sys.exit(main())
