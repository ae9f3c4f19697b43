"""Draws a program of many statements, each of which torch has just run. For composed.py."""

from __future__ import annotations

import math
import random
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

#: Expressions and statements with holes, a line each. A hole is filled by the name of a value of its kind, or by a drawn number: f floating tensor, M floating matrix,
#: B floating tensor of three axes, v floating vector, i tensor of int64, b tensor of bool, t any tensor, n Python's int, x Python's float, l list or tuple of tensors;
#: d axis, k small number, c number with a fraction.
TEMPLATES = Path(__file__).parent / "composed"
HOLE = re.compile(r"\{([a-zA-Z])\}")
NAME = re.compile(r"\b[vw]\d+\b")
EXPRESSION, STATEMENT = (tuple((TEMPLATES / f"{name}.txt").read_text(encoding="utf-8").splitlines()) for name in ("expressions", "statements"))
#: Larger values (and infinite ones) make a statement be dropped: what comes of them is rounding.
LARGEST = 1e3
MOST_ELEMENTS = 300
HEAD = "import math\n\nimport numpy as np\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n"


def _tensor(test: Callable[[torch.Tensor], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, torch.Tensor) and test(value)


KINDS: dict[str, Callable[[Any], bool]] = {
    "f": _tensor(lambda t: t.is_floating_point()),
    "M": _tensor(lambda t: t.is_floating_point() and t.dim() == 2),
    "B": _tensor(lambda t: t.is_floating_point() and t.dim() == 3),
    "v": _tensor(lambda t: t.is_floating_point() and t.dim() == 1),
    "i": _tensor(lambda t: t.dtype == torch.int64),
    "b": _tensor(lambda t: t.dtype == torch.bool),
    "t": _tensor(lambda t: True),
    "n": lambda value: type(value) is int,
    "x": lambda value: type(value) is float,
    "l": lambda value: isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(e, torch.Tensor) for e in value),
}


class Drawing:
    """Statements drawn so far, and the values that torch gives their names."""

    def __init__(self, draw: random.Random, changes: float) -> None:
        self.draw, self.changes = draw, changes
        self.values: dict[str, Any] = {}
        self.names = 0

    def hole(self, kind: str) -> str:
        """The text that fills a hole."""
        draw = self.draw
        match kind:
            case "d":
                return str(draw.choice((0, 1, -1, 0, 1, -1, -2, 2)))
            case "k":
                return str(draw.choice((0, 1, 2, 3)))
            case "c":
                return str(draw.choice((0.5, 1.5, -0.25, 2.0, 0.1)))
        fitting = [name for name, value in self.values.items() if KINDS[kind](value)]
        if not fitting:
            raise LookupError(kind)
        return draw.choice(fitting[-12:] if draw.random() < 0.5 else fitting)

    def filled(self, template: str) -> str:
        """A template's text."""
        return HOLE.sub(lambda match: self.hole(match[1]), template).replace("{{", "{").replace("}}", "}")

    def statement(self, most: int = 60) -> str | None:
        """One more statement that torch runs."""
        for _ in range(most):
            makes = self.draw.random() >= self.changes
            try:
                text = self.filled(self.draw.choice(EXPRESSION if makes else STATEMENT))
            except LookupError:
                continue
            if makes:
                again = [name for name in self.values if name.startswith("v") and name not in ("v0", "v100")]
                if again and self.draw.random() < 0.15:
                    name = self.draw.choice(again)
                else:
                    self.names += 1
                    name = f"v{self.names}"
                text = f"{name} = {text}"
            if self.runs(text):
                return text
        return None

    def runs(self, text: str) -> bool:
        """Whether torch runs a statement, with values that say something; then its names hold what it gave."""
        after = {"torch": torch, "np": np, "F": F, "nn": torch.nn, "math": math, **self.values}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(text, after)
        except Exception:
            return False
        values = {name: value for name, value in after.items() if NAME.fullmatch(name)}
        if not all(_says_something(value) for value in values.values()):
            return False
        self.values = values
        return True


def _says_something(value: Any) -> bool:
    match value:
        case torch.Tensor():
            if value.numel() > MOST_ELEMENTS or 0 in value.shape:
                return False
            return not value.is_floating_point() or bool((value.detach().abs() < LARGEST).all())
        case list() | tuple():
            return len(value) <= 12 and all(_says_something(e) for e in value)
        case float() | int():
            return abs(value) < LARGEST
        case np.ndarray():
            return value.size > 0
    return True


def program(draw: random.Random, length: int, changes: float) -> str:
    """A program's text; its `outcome` holds all its values. `changes`: how many of its statements change something in place."""
    gradients = draw.random() < 0.6
    drawing = Drawing(draw, changes)
    blocks: list[list[str]] = []
    start = []
    numbers = np.random.default_rng(draw.randrange(2**31))
    shapes = [(3,), (3, 3), (3, 4), (2, 3, 4), (4,), (2, 3), (1,), (2, 2, 2)]
    for place in range(draw.choice((3, 4, 5))):
        shape = draw.choice(shapes)
        values = numbers.normal(size=shape).round(3).tolist()
        graded = ", requires_grad=True" if gradients and place < 2 else ""
        start.append(f"w{place} = torch.tensor({values}{graded})")
    start.append(f"w8 = torch.tensor({numbers.integers(-2, 5, size=draw.choice([(3,), (4,), (2, 3)])).tolist()})")
    start.append(f"w9 = torch.tensor({(numbers.random(size=draw.choice([(3,), (4,), (2, 3), (3, 4)])) > 0.5).tolist()})")
    start += [f"v0 = {draw.choice((2, 3))}", "v100 = 0.75"]
    for line in start:
        drawing.runs(line)
    left = length
    while left > 0:
        block = []
        for _ in range(min(left, draw.choice((1, 2, 3, 4)))):
            line = drawing.statement()
            if line is not None:
                block.append(line)
        left -= max(len(block), 1)
        if block:
            blocks.append(block)
    graded = [f"w{n}" for n in (0, 1) if gradients]
    return written(draw, start, blocks, graded)


def written(draw: random.Random, start: list[str], blocks: list[list[str]], graded: list[str]) -> str:
    """The text around the statements: functions, loops, conditions, a module."""
    form = draw.choice(("script", "script", "function", "module"))
    defined = {name for line in start for name in NAME.findall(line)}
    helpers: list[str] = []
    body: list[str] = []
    for number, block in enumerate(blocks):
        reads = [name for name in dict.fromkeys(NAME.findall("\n".join(block))) if name in defined]
        writes = list(dict.fromkeys(name for line in block for name in _bound(line)))
        deletes = any(line.startswith("del ") for line in block)
        shape = draw.choice(("plain", "plain", "plain", "helper", "helper", "loop", "no_grad", "if", "lambda", "comprehension"))
        if shape == "helper" and writes and not deletes:
            helpers += [f"def helper{number}({', '.join(reads)}):", *(f"    {line}" for line in block), f"    return {', '.join(writes)}", "", ""]
            body.append(f"{', '.join(writes)} = helper{number}({', '.join(reads)})")
        elif shape == "loop" and not deletes:
            body += [f"for step{number} in range({draw.choice((1, 2))}):", *(f"    {line}" for line in block)]
        elif shape == "no_grad":
            body += ["with torch.no_grad():", *(f"    {line}" for line in block)]
        elif shape == "if" and not deletes:
            body += [f"if {draw.choice(('v0 > 0', 'v100 > -1e9', 'w8.sum() > -100', 'w9.numel() > 1'))}:", *(f"    {line}" for line in block)]
        elif shape == "lambda" and len(block) == 1 and re.match(r"v\d+ = ", block[0]) and not deletes and reads:
            name, _, text = block[0].partition(" = ")
            body += [f"f{number} = lambda {', '.join(reads)}: {text}", f"{name} = f{number}({', '.join(reads)})"]
        elif shape == "comprehension" and len(block) == 1 and re.match(r"v\d+ = ", block[0]):
            name, _, text = block[0].partition(" = ")
            body.append(f"{name} = [{text} for _ in range(2)][-1]")
        else:
            body += block
        defined |= set(writes)
        if deletes:
            defined -= {line[4:] for line in block if line.startswith("del ")}
    names = sorted(defined, key=lambda name: (name[0], int(name[1:])))
    loss = []
    if graded:
        loss = [
            f"tensors = [p for p in [{', '.join(names)}] if isinstance(p, torch.Tensor) and p.is_floating_point()]",
            "loss = sum((p.double() * torch.arange(1.0, p.numel() + 1).reshape(p.shape)).sum() for p in tensors)",
            "loss.backward()",
        ]
    result = [f"outcome = [{', '.join(names)}]"] + [f"outcome.append({name}.grad)" for name in graded]
    match form:
        case "function":
            arguments = [line.partition(" = ")[0] for line in start]
            inner = [f"    {line}" for line in body] + [f"    return {', '.join(names)}"]
            rest = [f"def main({', '.join(arguments)}):", *inner, "", "", f"{', '.join(names)} = main({', '.join(arguments)})"]
            return HEAD + "\n".join([*start, "", "", *helpers, *rest, *loss, *result]) + "\n"
        case "module" if graded:
            arguments = [line.partition(" = ")[0] for line in start if not line.startswith(tuple(graded))]
            first = [f"        self.{name} = nn.Parameter({line.partition(' = ')[2].replace(', requires_grad=True', '')})" for name in graded for line in start if line.startswith(f"{name} = ")]
            inner = [f"        {name} = self.{name}" for name in graded] + [f"        {line}" for line in body] + [f"        return {', '.join(names)}"]
            rest = ["class Net(nn.Module):", "    def __init__(self):", "        super().__init__()", *first, "", f"    def forward(self, {', '.join(arguments)}):", *inner, "", ""]
            call = ["net = Net()", f"{', '.join(names)} = net({', '.join(arguments)})"]
            grads = [f"outcome = [{', '.join(names)}]"] + [f"outcome.append(net.{name}.grad)" for name in graded]
            kept = [line for line in start if not line.startswith(tuple(graded))]
            return HEAD + "\n".join([*kept, "", "", *helpers, *rest, *call, *loss, *grads]) + "\n"
    return HEAD + "\n".join([*start, "", "", *helpers, *body, *loss, *result]) + "\n"


def _bound(line: str) -> list[str]:
    """The names that a statement binds or changes as a name."""
    match = re.match(r"((?:[vw]\d+, )*[vw]\d+) (?:[-+*/|&^]|//)?= ", line)
    return match[1].split(", ") if match else []
