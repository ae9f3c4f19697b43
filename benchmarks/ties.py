"""Expressions in whole, half and tied numbers and zeros, with their gradients: ``python benchmarks/ties.py [NAME…]`` (docs/unseen-training.md).

ties/NAME.txt holds an expression of x and y a line. Each becomes a function of its own in a program, which torch runs, and MindSpore when it is converted; of a function
the shape, the dtype, the numbers and the gradient by x of their weighted sum are printed. What differs by more than 2e-4 is printed here, with both sides' numbers;
nothing is judged: of equal elements torch leaves open which gets a gradient, and some expressions draw.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "ties"
CLOSE = 2e-4
HEAD = """import warnings

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


def run(name, f):
    x, y = X.clone().requires_grad_(), Y.clone()
    try:
        v = f(x, y)
        w = torch.arange(1.0, v.numel() + 1.0).reshape(v.shape)
        (v * w).sum().backward()
        print(name, "|", tuple(v.shape), "|", str(v.dtype)[-7:].lower().strip("."), "|", show(v), "|", show(x.grad) if x.grad is not None else None)
    except Exception:
        print(name, "| raises")
"""


def compare(name: str) -> None:
    """Print what differs of a list."""
    expressions = (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    functions = [f"\n\ndef f{i}(x, y):\n    return {text}\n\n\nrun({i}, f{i})\n" for i, text in enumerate(expressions)]
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "before"), Path(folder, "after")
        before.mkdir()
        (before / "program.py").write_text(HEAD + "".join(functions), encoding="utf-8")
        theirs = _printed(before)
        subprocess.run([sys.executable, "-m", "mindport", "convert", str(before), "--out", str(after)], check=True, capture_output=True)
        ours = _printed(after)
    apart = 0
    for i, text in enumerate(expressions):
        if differ := [(a, b) for a, b in zip(theirs[i], ours[i], strict=False) if not _is_near(a, b)] or len(theirs[i]) != len(ours[i]):
            apart += 1
            print(f"{name} {i}: {text}\n    {differ if isinstance(differ, list) else (theirs[i], ours[i])}"[:600])
    print(f"{name}: {len(expressions)} expressions, {apart} differ")


def _printed(folder: Path) -> dict[int, list[str]]:
    """What a side prints of each function, in parts."""
    text = subprocess.run([sys.executable, "-W", "ignore", "program.py"], cwd=folder, check=True, capture_output=True, text=True).stdout
    lines = [line.split(" | ") for line in text.splitlines() if re.match(r"\d+ \|", line)]
    return {int(first): rest for first, *rest in lines}


def _is_near(a: str, b: str) -> bool:
    one, other = (_numbers(text) for text in (a, b))
    if one is None or other is None or len(one) != len(other):
        return a == b
    return all(p == q or (p != p and q != q) or abs(p - q) <= CLOSE * max(1, abs(p), abs(q)) for p, q in zip(one, other, strict=True))


def _numbers(text: str) -> list[float] | None:
    if not text.startswith("["):
        return None
    found: Any = ast.literal_eval(re.sub(r"\b(nan|inf)\b", r"'\1'", text).replace("-'inf'", "'-inf'"))
    return [float(value) for value in found]


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(path.stem for path in HERE.glob("*.txt")):
        compare(name)
