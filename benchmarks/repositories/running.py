"""The runs of one repository's drivers: its copy, the conversion, and both sides in processes of their own (compare.py)."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Program:
    """One driver in its repository; `folder` holds ``before`` and ``after``, the logs and the kept parameters."""

    repository: str
    driver: str
    place: Path
    folder: Path

    def log(self, side: str) -> Path:
        return self.folder / f"{self.driver}.{side}.log"

    def kept(self, side: str) -> dict[str, Path]:
        start = f"{self.driver}.{side}-"
        return {path.name.removeprefix(start): path for path in sorted(self.folder.glob(f"{start}*.npz"))}


def prepared(of: list[dict[str, str]], edits: list[dict[str, str]], options: argparse.Namespace) -> list[Program]:
    """A copy of the repository with its drivers and edits."""
    repository = of[0]["repository"]
    folder = options.work / repository.replace("/", "+")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source(repository, of[0]["commit"], options.sources), folder / "before", ignore=shutil.ignore_patterns(".git", "__pycache__"))
    for edit in edits:
        if edit["repository"] == repository:
            for path in (folder / "before").glob(edit["files"]):
                text = path.read_text(encoding="utf-8")
                path.write_text(text.replace(edit["old"], edit["new"]), encoding="utf-8")
    programs = [Program(repository, row["driver"], Path(row["place"]), folder) for row in of]
    for program in programs:
        place = folder / "before" / program.place
        shutil.copy(HERE / "drivers" / program.driver, place)
        shutil.copy(HERE / "probe.py", place.with_name("probe.py"))
    return programs


def source(repository: str, commit: str, sources: Path) -> Path:
    """The folder of the repository at its commit; cloned where it is missing."""
    folder = sources / repository.replace("/", "+")
    if not folder.exists():
        folder.mkdir(parents=True)
        for command in (["init", "-q"], ["fetch", "-q", "--depth", "1", f"https://github.com/{repository}", commit], ["checkout", "-q", "FETCH_HEAD"]):
            subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


def converted(program: Program, options: argparse.Namespace) -> str:
    """Convert the copy; what ended the conversion, or nothing."""
    command = [sys.executable, "-m", "mindport", "convert", str(program.folder / "before"), "-o", str(program.folder / "after")]
    return finished(command, program.folder, dict(os.environ), program.folder / "convert.log", options.timeout, (0, 1))


def run(program: Program, side: str, options: argparse.Namespace) -> str:
    """Run the driver on a side (``noise`` and a number: PyTorch's, started 1e-6 away, by that seed); how it ended, or nothing where it came to its end."""
    folder = program.folder / ("after" if side == "after" else "before") / program.place.parent
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    environment |= {"PYTHONPATH": os.pathsep.join(map(str, [HERE / "stand_ins", *options.libraries])), "OUT": str(program.folder / f"{program.driver}.{side}")}
    environment |= {"GLOG_v": "3", "OMP_NUM_THREADS": "1", "MPLBACKEND": "Agg", "TQDM_DISABLE": "1"}
    environment |= ({} if side == "after" else {"SIDE": "torch"}) | ({"NOISE": side.removeprefix("noise")} if side.startswith("noise") else {})
    return finished([sys.executable, program.place.name], folder, environment, program.log(side), options.timeout, (0,))


def finished(command: list[str], folder: Path, environment: dict[str, str], log: Path, timeout: float, good: tuple[int, ...]) -> str:
    """Run a command with its text in `log`; its last line where it failed."""
    with log.open("w") as text:
        try:
            code = subprocess.run(command, cwd=folder, env=environment, stdout=text, stderr=subprocess.STDOUT, timeout=timeout).returncode
        except subprocess.TimeoutExpired:
            return f"no end in {timeout:.0f} s"
    if code in good:
        return ""
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip() and not line.startswith("##")]
    return f"{code}: {lines[-1] if lines else ''}"
