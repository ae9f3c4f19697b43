"""Programs over other libraries, which are taken along, beside torch: ``python benchmarks/libraries.py [NAME…]`` (docs/libraries.md).

The first lines of benchmarks/libraries/NAME.txt say which libraries the conversion takes along (``# with: timm==1.0.9``) and what both sides import beside them
(``# needs: tqdm``). They are fetched with pip into build/libraries, without what they depend on; torchvision's Python part is ``make build/torchvision/installed``.
Torch's side runs on the libraries as they are, with `nms` in Python and torchvision's check for its compiled part off; a minute or two a program.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from programs import HERE, beside_torchvision, plain, same

BUILD = HERE.parent / "build"


def main(names: list[str]) -> int:
    """A line a program: what became of it, of its findings the blockers, and how long the conversion took."""
    for path in sorted((HERE / "libraries").glob("*.txt")):
        if not names or path.stem in names:
            print(f"{path.stem:22} {compared(path)}", flush=True)
    return 0


def compared(path: Path) -> str:
    """What becomes of one program."""
    text = path.read_text(encoding="utf-8")
    carried = [fetched(word) for word in asked(text, "with")]
    needed = [str(fetched(word)[1]) for word in asked(text, "needs")]
    with tempfile.TemporaryDirectory() as place:
        before, after, start = Path(place, "before"), Path(place, "after"), Path(place, "start")
        before.mkdir()
        (before / "program.py").write_text(text, encoding="utf-8")
        options = [word for name, folder in carried for word in ("--with", f"{name}={folder}")]
        begun = time.monotonic()
        made = subprocess.run([sys.executable, "-m", "mindport", "convert", str(before), "-o", str(after), "--format", "json", *options], capture_output=True, text=True)
        took = time.monotonic() - begun
        if made.returncode not in (0, 1):
            return f"not converted: {made.stderr.strip().splitlines()[-1]}"
        risks = Counter(finding["risk"] for finding in json.loads(made.stdout)["findings"])
        theirs = run(before, beside_torchvision(start, [*(str(folder) for _, folder in carried), *needed]))
        ours = run(after, {**os.environ, "PYTHONPATH": os.pathsep.join(needed)})
    said = f"({took:.0f} s; {risks['blocker']} blockers, {risks['silent']} silent, {risks['loud']} loud)"
    if theirs.returncode or ours.returncode:
        return f"fails {said}: {(theirs.stderr if theirs.returncode else ours.stderr).strip().splitlines()[-1]}"
    if same(plain(theirs.stdout), plain(ours.stdout)):
        return f"agrees {said}"
    return f"differs {said}:\n{theirs.stdout}---\n{ours.stdout}"


def asked(text: str, word: str) -> list[str]:
    """The words of a header line."""
    found = re.search(rf"^# {word}: (.+)$", text, re.MULTILINE)
    return found[1].split() if found else []


def fetched(requirement: str) -> tuple[str, Path]:
    """The import name of a library, and the folder that holds it; fetched where it is missing."""
    name = requirement.partition("==")[0]
    if name == "torchvision":
        return name, BUILD / "torchvision"
    folder = BUILD / "libraries" / requirement
    if not folder.exists():
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(folder), requirement], check=True)
    return name, folder


def run(folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own."""
    environment |= {"GLOG_v": "3", "HF_HUB_OFFLINE": "1"}
    return subprocess.run([sys.executable, "-W", "ignore", "program.py"], cwd=folder, capture_output=True, text=True, timeout=900, env=environment)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
