"""Expressions in whole, half and tied numbers and zeros, with their gradients: ``python benchmarks/ties.py [--as FORM] [NAME…]`` (docs/unseen-training.md).

ties/NAME.txt holds an expression of x and y a line, behind statements where it needs some (`;`). Each becomes a function of its own in a program, which torch runs, and MindSpore when it is converted; of a function
the shape, the dtype, the numbers and the gradient by x of their weighted sum are printed. What differs by more than 2e-4 (4e-3 in float16) is printed here, with both sides' numbers;
nothing is judged: of equal elements torch leaves open which gets a gradient, and some expressions draw. FORM says what x and y are: `plain` (float32), `double`, `mixed` (x in
float64, y in float32), `half`, `whole` (int64, without gradients, as `bytes` and `truth`), `strided` (columns of wider tensors), `turned` (transposed memory), `empty` (no rows),
`scalar` (no axes), or that each function is `compiled` by torch.compile. "told": mindport had a finding there that is more than style.
"""

from __future__ import annotations

import argparse
import ast
import bisect
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "ties"
CLOSE = 2e-4
FORMS = {
    "plain": "",
    "double": "X, Y = X.double(), Y.double()",
    "mixed": "X = X.double()",
    "half": "X, Y = X.half(), Y.half()",
    "whole": "X, Y = (X * 2).long(), (Y * 2).long()",
    "bytes": "X, Y = (X + 3).to(torch.uint8), (Y + 2).to(torch.uint8)",
    "truth": "X, Y = X > 0, Y > 0",
    "strided": "X, Y = torch.stack([X, Y], 2)[..., 0], torch.stack([X, Y], 2)[..., 1]",
    "turned": "X, Y = X.t().contiguous().t(), Y.t().contiguous().t()",
    "empty": "X, Y = X[:0], Y[:0]",
    "scalar": "X, Y = X[0, 2], Y[0, 3]",
    "compiled": "",
}
HEAD = """import copy
import math
import warnings

import numpy as np
import torch
import torch.nn.functional as F
import torch.utils.checkpoint
from torch import nn

warnings.filterwarnings("ignore")
torch.manual_seed(0)
X = torch.tensor([[1.0, -1.0, 0.5, 0.5, 0.0], [1.0, 1.0, -0.5, 2.5, -2.5], [0.0, 0.0, 0.0, 3.0, -3.0], [1.5, 1.5, -1.5, 1.5, 0.5]])
Y = torch.tensor([[1.0, 0.0, 1.0, -0.5, 0.0], [0.5, 2.0, -0.5, 1.5, -1.5], [0.0, 1.0, -1.0, 3.0, -2.0], [-1.5, 1.5, 0.5, 2.5, 0.5]])


def show(v):
    return [round(float(a), 5) + 0.0 for a in v.detach().reshape(-1)]


def plain(v):
    if isinstance(v, (list, tuple)):
        return [plain(a) for a in v]
    if isinstance(v, dict):
        return [[str(k), plain(a)] for k, a in v.items()]
    if torch.is_tensor(v):
        return [list(v.shape), str(v.dtype).lower().split(".")[-1], show(v)]
    return round(v, 5) + 0.0 if isinstance(v, float) else v if v is None or isinstance(v, (int, str)) else str(v).lower().split(".")[-1]


"""
WITH_GRADIENT = """def run(name, f):
    x, y = X.clone().requires_grad_(), Y.clone()
    try:
        v = f(x, y)
    except Exception:
        print(name, "| raises")
        return
    if torch.is_tensor(v):
        try:
            w = torch.arange(1.0, v.numel() + 1.0).reshape(v.shape)
            (v * w).sum().backward()
        except Exception:
            pass
    print(name, "|", plain(v), "|", show(x.grad) if x.grad is not None else None)
"""
VALUE_ALONE = """def run(name, f):
    try:
        print(name, "|", plain(f(X, Y)))
    except Exception:
        print(name, "| raises")
"""


def program(form: str, expressions: list[str]) -> str:
    """The program of a list, with x and y of a form."""
    run = VALUE_ALONE if form in ("whole", "bytes", "truth") else WITH_GRADIENT
    head = HEAD.replace("\n\n\ndef show", f"\n{FORMS[form]}\n\n\ndef show", 1) + run
    mark = "@torch.compile\n" if form == "compiled" else ""
    parts = [text.split("; ") for text in expressions]
    bodies = ["".join(f"    {line}\n" for line in [*before, f"return {last}"]) for *before, last in parts]
    return head + "".join(f"\n\n{mark}def f{i}(x, y):\n{body}\n\nrun({i}, f{i})\n" for i, body in enumerate(bodies))


def compare(name: str, form: str) -> None:
    """Print what differs of a list."""
    expressions = (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "before"), Path(folder, "after")
        before.mkdir()
        (before / "program.py").write_text(program(form, expressions), encoding="utf-8")
        theirs = _printed(before)
        command = [sys.executable, "-m", "mindport", "convert", str(before), "--out", str(after), "--format", "json"]
        told = _told(before / "program.py", json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["findings"])
        ours = _printed(after)
    counts = dict.fromkeys(("differ", "raise on MindSpore alone", "raise on torch alone"), 0)
    for i, text in enumerate(expressions):
        one, other = theirs[i], ours.get(i, ["raises: the process had ended"])
        if len(one) == len(other) and all(_is_near(a, b, 4e-3 if form == "half" else CLOSE) for a, b in zip(one, other, strict=True)):
            continue
        kind = "raise on torch alone" if one[0].startswith("raises") else "raise on MindSpore alone" if other[0].startswith("raises") else "differ"
        counts[kind] += 1
        if kind != "raise on torch alone":
            print(f"{name} {i}, {kind}{', told' if i in told else ''}: {text}")
        if kind == "differ":
            print(f"    {[pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]]}"[:600])
    print(f"{name}: {len(expressions)} expressions, " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))


def _told(path: Path, findings: list[dict[str, Any]]) -> set[int]:
    """The expressions that have a finding that is more than style."""
    starts = [k for k, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if re.match(r"def f\d", line)]
    return {bisect.bisect(starts, found["line"]) - 1 for found in findings if found["risk"] != "style"}


def _printed(folder: Path) -> dict[int, list[str]]:
    """What a side prints of each function, in parts."""
    plainly = {**os.environ, "TORCHDYNAMO_DISABLE": "1"}  # torch's own compiler has no part in this
    text = subprocess.run([sys.executable, "-W", "ignore", "program.py"], cwd=folder, env=plainly, capture_output=True, text=True, check=False).stdout
    lines = [line.split(" | ") for line in text.splitlines() if re.match(r"\d+ \|", line)]
    return {int(first): rest for first, *rest in lines}


def _is_near(a: str, b: str, close: float) -> bool:
    return a == b or _are_near(_values(a), _values(b), close)


def _values(text: str) -> Any:
    return ast.literal_eval(re.sub(r"(?<![\w'])(-?)(nan|inf)\b", r"'\1\2'", text)) if text[:1] in "[N" else text


def _are_near(p: Any, q: Any, close: float) -> bool:
    if isinstance(p, list) and isinstance(q, list):
        return len(p) == len(q) and all(_are_near(a, b, close) for a, b in zip(p, q, strict=True))
    if isinstance(p, float) and isinstance(q, float):
        return abs(p - q) <= close * max(1, abs(p), abs(q))
    return bool(p == q and type(p) is type(q))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--as", dest="form", choices=FORMS, default="plain")
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args()
    for name in chosen.names or sorted(path.stem for path in HERE.glob("*.txt")):
        compare(name, chosen.form)
