"""Training steps that compute what their loss goes through in many ways, beside torch: ``python benchmarks/steps.py [LIST…] [--only NAME…] [--in-two-files]`` (docs/unseen-training.md).

steps/LIST.txt holds a template of a program, and statements for its step (`# BODY`), behind definitions where they need some (`# DEFINITIONS`, above ``# ----``). Each program is converted, and
run twice by torch and by MindSpore: losses and parameters are compared, for a network that is left outside of the step's function has no gradient and says nothing.
A line ``# FILE net/blocks.py`` in the definitions begins a file of the program's; what stands above the first one, and the statements, are program.py.
With ``--in-two-files`` what stands above a program's statements, its definitions and helpers, is a file that it imports; programs whose definitions read names of the statements stop torch itself then (one of several files stays as it is).
Prints the names of what agrees, and for the others what they do: more than 2e-4 apart (of a number's size), or the last line of an error, with the codes of mindport's findings.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from mindport.convert import convert, write
from mindport.source.discover import discover
from tests.forks import printed

HERE = Path(__file__).parent / "steps"
LISTS = sorted(path.stem for path in HERE.glob("*.txt"))
CLOSE = 2e-4
#: Between the definitions of a program and what it does.
BELOW = "# ==== below\n"
#: Begins a file of a program that stands in several.
FILE = re.compile(r"^# FILE (\S+)\n", re.MULTILINE)
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?")


def programs(name: str) -> Iterator[tuple[str, str]]:
    """The names and texts of a list's programs."""
    _, _, template, *others = re.split(r"^# ==== (\S+)\n", (HERE / f"{name}.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    indent = re.search(r"^( *)# BODY$", template, re.MULTILINE)
    assert indent is not None
    for case, text in zip(others[::2], others[1::2], strict=True):
        definitions, _, body = text.rstrip().rpartition("# ----\n")
        body = "\n".join(indent[1] + line for line in body.split("\n"))
        yield case, template.replace(indent[0], body).replace("# DEFINITIONS", f"{definitions.rstrip()}\n{BELOW}")


def files_of(text: str, apart: bool) -> dict[str, str]:
    """The files of a program."""
    above, _, below = text.partition(BELOW)
    above, *others = FILE.split(above)
    if others:
        return {"program.py": above + below, **dict(zip(others[::2], others[1::2], strict=True))}
    if not apart:
        return {"program.py": above + below}
    imports = "".join(line + "\n" for line in above.split("\n") if line.startswith(("import ", "from ")))
    return {"program.py": f"{imports}from helpers import *\n{below}", "helpers.py": above}


def outcome(files: dict[str, str]) -> str:
    """"" where both sides agree."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder) / "before", Path(folder) / "after"
        before.mkdir()
        for name, text in files.items():
            (before / name).parent.mkdir(parents=True, exist_ok=True)
            (before / name).write_text(text, encoding="utf-8")
        conversion = convert(discover(before))
        write(conversion, after)
        codes = " ".join(sorted({finding.code for finding in conversion.findings}))
        try:
            expected = printed("torch", before)
        except AssertionError as error:
            return f"stops torch itself: {str(error).strip().splitlines()[-1][:150]}"
        try:
            found = printed("mindspore", after)
        except AssertionError as error:
            return f"stops: {str(error).strip().splitlines()[-1][:150]} [{codes}]"
    if NUMBER.sub("#", expected) != NUMBER.sub("#", found):
        return f"another text [{codes}]"
    pairs = [(float(one), float(other)) for one, other in zip(NUMBER.findall(expected), NUMBER.findall(found), strict=True)]
    worst = max((abs(one - other) / max(abs(one), 0.01) for one, other in pairs), default=0.0)
    return f"differs by {worst:.2g} [{codes}]" if worst > CLOSE else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lists", nargs="*", metavar="LIST", help=f"of {', '.join(LISTS)}; all where none is named")
    parser.add_argument("--only", nargs="+", default=[], help="names of a list's programs")
    parser.add_argument("--in-two-files", action="store_true", help="definitions and helpers in a file of their own")
    asked = parser.parse_args()
    if unknown := sorted({*asked.lists} - {*LISTS}):
        parser.error(f"there is no list {', '.join(unknown)}; there are {', '.join(LISTS)}")
    for name in asked.lists or LISTS:
        told = {case: outcome(files_of(text, asked.in_two_files)) for case, text in programs(name) if not asked.only or case in asked.only}
        print(f"{name}: {sum(not text for text in told.values())} of {len(told)} agree", flush=True)
        for case, text in told.items():
            if text:
                print(f"  {case}: {text}", flush=True)


if __name__ == "__main__":
    main()
