"""Converts program files, runs both sides and compares; ``python run.py FOLDER`` prints what became of each program."""

from __future__ import annotations

import ast
import os
import pickle
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mindport.convert import convert, write
from mindport.convert.vendor import MODULE
from mindport.source.discover import discover

_HERE = Path(__file__).parent
#: Findings after which a program counts as refused.
REFUSALS = ("MP101", "MP102", "MP106", "MP107", "MP109")


@dataclass
class Outcome:
    """One program: what conversion made of it, and how its runs compare."""

    kind: str  # "tidy", "write-through", "refused"
    problems: list[str]
    text: str


def outcomes(folder: Path, work: Path) -> dict[str, Outcome]:
    """Convert all programs of a folder, run them on both sides, and compare every part of what they give."""
    conversion = convert(discover(folder))
    write(conversion, work / "after")
    expected, got = _run("torch", folder, work), _run("mindspore", work / "after", work)
    vendored = _in_place_names(work / "after" / f"{MODULE}.py")
    found: dict[str, Outcome] = {}
    for name, reference in expected.items():
        stem, function = name.split(".", 1)
        before, after = (folder / f"{stem}.py").read_text(), (work / "after" / f"{stem}.py").read_text()
        lines = _reached(ast.parse(before), function)
        refused = [f.message for f in conversion.findings if f.path.stem == stem and f.code in REFUSALS and f.span.line in lines]
        tree = ast.parse(after)
        text = "\n".join(after.splitlines()[i - 1] for i in sorted(_reached(tree, function)))
        through = re.search(r"\[\(\)\] =|\b(" + "|".join(vendored or ["-"]) + r")\(", text)
        kind = "refused" if refused else "write-through" if through else "tidy"
        found[name] = Outcome(kind, refused if refused else _differences(reference, got.get(name, {"error": "not defined"})), text)
    return found


def _run(side: str, folder: Path, work: Path) -> dict[str, Any]:
    target = work / f"{side}.pickle"
    environment = {**os.environ, "GLOG_v": "3", "OMP_NUM_THREADS": "1", "PYTHONPATH": ""}
    subprocess.run([sys.executable, str(_HERE / "side.py"), side, str(folder), str(target)], check=True, env=environment, capture_output=False)
    return pickle.loads(target.read_bytes())  # type: ignore[no-any-return]


def _in_place_names(path: Path) -> list[str]:
    if not path.exists():
        return []
    return [n.name for n in ast.parse(path.read_text()).body if isinstance(n, ast.FunctionDef) and n.name.endswith("_") and n.name != "requires_grad_"]


def _reached(tree: ast.Module, function: str) -> set[int]:
    """The lines of a function and of everything of its file that it names."""
    top = {n.name: n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    pending, seen, lines = [function], set(), set()
    while pending:
        name = pending.pop()
        if name in seen or name not in top:
            continue
        seen.add(name)
        node = top[name]
        lines |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        pending += [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]
    return lines


def _differences(reference: dict[str, Any], got: dict[str, Any]) -> list[str]:
    if "error" in got:
        return [got["error"][:300]]
    problems = []
    for what, values in (("value", got["values"]), ("value while gradients are recorded", got["recorded"])):
        if len(values) != len(reference["values"]):
            problems.append(f"{len(values)} parts instead of {len(reference['values'])}")
        for i, (a, b) in enumerate(zip(reference["values"], values, strict=False)):
            if not _same(a, b):
                problems.append(f"{what} {i}: {np.array(a).tolist()} became {np.array(b).tolist()}")
    if reference["gradients"] is not None:
        for letter, a, b in zip("ab", reference["gradients"], got["gradients"], strict=True):
            if not _same(a, b):
                problems.append(f"gradient of {letter}: {a.tolist()} became {b.tolist()}")
    return problems


def _same(a: Any, b: Any) -> bool:
    if not isinstance(a, np.ndarray):
        return bool(a == b)
    return isinstance(b, np.ndarray) and a.shape == b.shape and a.dtype == b.dtype and np.allclose(a, b, rtol=1e-4, atol=1e-5, equal_nan=True)


def shares(found: dict[str, Outcome]) -> str:
    """How many programs of each kind, in words."""
    kinds = [o.kind for o in found.values()]
    parts = [f"{kind} {kinds.count(kind)} ({kinds.count(kind) / len(kinds):.0%})" for kind in ("tidy", "write-through", "refused")]
    return f"{len(kinds)} programs: " + ", ".join(parts)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        results = outcomes(Path(sys.argv[1]).resolve(), Path(place))
    for title, one in results.items():
        wrong = one.problems and one.kind != "refused"
        if wrong or one.kind == "refused" or len(sys.argv) > 2:
            print("WRONG" if wrong else one.kind, title, *(f"\n      {p[:260]}" for p in one.problems))
            if wrong or len(sys.argv) > 2:
                print(one.text)
    print(shares(results))
