"""A folder of programs beside torch: ``python benchmarks/programs.py derivatives|carried_gradients|side_channels|authors|vision [NAME…]`` (docs/derivatives.md, docs/carried-gradients.md,
docs/unseen-training.md, docs/vision-models.md).

Programs that import torchvision find its Python part in build/torchvision (``make build/torchvision/installed``).

Each is converted and run on both sides in processes of their own; what they print is compared, numbers to 1e-3 of their size; the texts of tensors, sizes and dtypes
may differ, which is said. With ``--ladder``
each climbs the parity ladder (docs/verify.md), whose last rung runs the converted program with its graphs on.
A text of several files names each in a line of its own, ``# ==== lib/net.py``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from mindport.convert import convert, write
from mindport.source.discover import discover
from mindport.verify.training.ladder import climb_ladder
from mindport.verify.training.plan import TrainSide, TrainSpec

HERE = Path(__file__).parent
PRELUDE = HERE.parent / "examples" / "torchvision_prelude.py"
#: What such a process does first.
START = f"""import importlib
import runpy
import sys

try:
    sys.modules["torchvision_prelude"] = runpy.run_path({str(PRELUDE)!r})
    importlib.import_module("torchvision.ops.boxes")._assert_has_ops = lambda: None
    importlib.import_module("torchvision.ops.roi_align")._assert_has_ops = lambda: None
except ImportError:
    pass
"""
FILE = re.compile(r"^# ==== (\S+)\n", re.MULTILINE)
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?")
#: Words around the numbers of a tensor, a size, a dtype, a parameter or a named tuple, on either side.
WORDS = re.compile(
    r"torch\.(?:Size|return_types\.\w+|(?=[a-z]+\d*\b))|\b(?:[Tt]ensor|ValuesIndices|Parameter containing:|Parameter \(name=\S+)|\b(?:values|indices|size|min|max)="
    r"|grad_fn=<\w+>|\bdtype=[\w.]+|\brequires_grad=\w+|\bshape=[\[(][^\])]*[\])]|\bvalue="
)


def main(folder: str, names: list[str]) -> int:
    """Print a line a program; 1 where one differs or fails without being refused."""
    work = climbed if "--ladder" in names else compared
    names = [name for name in names if name != "--ladder"]
    wrong = 0
    for path in sorted((HERE / folder).glob("*.txt")):
        if not names or path.stem in names:
            outcome = work(path)
            wrong += not outcome.startswith(("agrees", "refused", "passes"))
            print(f"{path.stem:16} {outcome}", flush=True)
    return bool(wrong)


def converted(path: Path, place: Path) -> tuple[Path, Path, list[str]]:
    """The program's folder, its conversion's, and why steps of it were refused."""
    before, after = place / "before", place / "after"
    before.mkdir()
    lay_out(path.read_text(), before)
    conversion = convert(discover(before))
    write(conversion, after)
    return before, after, [f.message for f in conversion.findings if f.code == "MP401"]


def climbed(path: Path) -> str:
    """How far up the ladder one program comes."""
    with tempfile.TemporaryDirectory() as place:
        before, after, refused = converted(path, Path(place))
        if refused:
            return f"refused: {refused[0]}"
        ladder = climb_ladder(TrainSpec("program.py", TrainSide(str(before)), TrainSide(str(after)), steps=0, timeout=600), Path(place) / "work")
    last = ladder.rungs[-1]
    stopped = next((rung for rung in ladder.rungs if rung.verdict in ("fails", "could not judge")), last)
    troubles = "; ".join(trouble.message for trouble in ladder.troubles)
    return f"{ladder.verdict}: {stopped.name}: {stopped.message}" + (f" [{troubles}]" if troubles else "")


def compared(path: Path) -> str:
    """What becomes of one program."""
    with tempfile.TemporaryDirectory() as place:
        before, after, refused = converted(path, Path(place))
        if refused:
            return f"refused: {refused[0]}"
        if any(re.search(r"^\s*(?:import|from) torch\b", file.read_text(), re.MULTILINE) for file in after.rglob("*.py")):
            return "fails: it imports torch still"
        beside = beside_torchvision(Path(place) / "start") if "torchvision" in path.read_text() else None
        theirs, ours = (
            subprocess.run([sys.executable, "program.py"], cwd=folder, capture_output=True, text=True, timeout=600, env=env) for folder, env in ((before, beside), (after, None))
        )
    if theirs.returncode or ours.returncode:
        return f"fails: {(theirs.stderr if theirs.returncode else ours.stderr).strip().splitlines()[-1]}"
    if not NUMBER.search(theirs.stdout):
        return "fails: the program prints no number"
    if same(plain(theirs.stdout), plain(ours.stdout)) and not same(theirs.stdout, ours.stdout):
        return "agrees but for texts"
    return "agrees" if same(theirs.stdout, ours.stdout) else f"differs:\n{theirs.stdout}---\n{ours.stdout}"


def beside_torchvision(start: Path, before: Sequence[str] = ()) -> dict[str, str]:
    """The environment of a process of torch's that can import torchvision's Python part, which is not installed, and the folders `before` it; `nms` is Python,
    and torchvision does not ask for its compiled part."""
    start.mkdir()
    (start / "sitecustomize.py").write_text(START, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(start), *before, str(HERE.parent / "build" / "torchvision")))}


def lay_out(text: str, folder: Path) -> None:
    """Write the files of a program."""
    parts = FILE.split(text)
    for name, content in [("program.py", text)] if len(parts) == 1 else zip(parts[1::2], parts[2::2], strict=True):
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)


def plain(text: str) -> str:
    """A text without brackets, commas and the words that say what the numbers belong to: both sides print tensors, sizes and dtypes each in their own way."""
    return re.sub(r"[\[\](),\s]+", " ", WORDS.sub(" ", text)).lower()


def same(one: str, other: str) -> bool:
    """Whether two texts have the same words, and numbers that differ by 1e-3 of their size at most, or 2e-4."""
    if NUMBER.sub("#", one).split() != NUMBER.sub("#", other).split():
        return False
    pairs = zip(map(float, NUMBER.findall(one)), map(float, NUMBER.findall(other)), strict=True)
    return all(abs(a - b) <= max(1e-3 * abs(a), 2e-4) for a, b in pairs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
