"""Writes one call of a torch API as a small program, in forms that are drawn: how it is called, where it stands, how its
arguments reach it, what becomes of its result, and whether a gradient is taken. For call_forms.py.
"""

from __future__ import annotations

import builtins
import math
import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from call_forms_arguments import arguments
from call_forms_places import PLACES
from call_forms_real import Written, remade
from call_forms_uses import USES, graded, used

from mindport.evidence.layer_samples import Part
from mindport.evidence.samples import Sample

#: Tensors of so many elements are written out, larger ones stand in a file of arrays.
WRITTEN_OUT = 24
CALLEES = (
    "plain", "plain", "plain", "other side", "other side", "name", "from import", "partial", "getattr", "unbound", "alias", "star import", "method caller",
    "bound", "chained", "table", "held", "inner import",
)  # fmt: skip
NAMES_OF_PLACES = tuple(PLACES)


class Unwritable(Exception):
    """The sample holds what has no text."""


@dataclass
class Program:
    """A program under construction. `arrays`: what its file of arrays holds; `remakes`: are its tensors laid out as views are?"""

    draw: random.Random
    head: list[str] = field(default_factory=lambda: ["import numpy as np", "import torch", "import torch.nn as nn", "import torch.nn.functional as F", ""])
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    tensors: list[tuple[str, torch.Tensor]] = field(default_factory=list)
    remakes: bool = False

    def value(self, value: Any) -> str:
        """The text of a value; a tensor gets a name."""
        match value:
            case torch.Tensor():
                return self.tensor(value)
            case Written():
                return value.text
            case float() if not math.isfinite(value):
                return f'float("{value}")'
            case None | bool() | int() | float() | str() | complex():
                return repr(value)
            case torch.dtype() | torch.memory_format() | torch.layout():
                return str(value)
            case torch.device():
                return f'torch.device("{value}")'
            case tuple() if not hasattr(value, "_fields"):
                items = [self.value(item) for item in value]
                return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
            case list():
                return f"[{', '.join(self.value(item) for item in value)}]"
            case dict():
                return "{" + ", ".join(f"{self.value(k)}: {self.value(v)}" for k, v in value.items()) + "}"
            case slice():
                return f"slice({self.value(value.start)}, {self.value(value.stop)}, {self.value(value.step)})"
            case Part():
                return self.part(value)
        if value is Ellipsis:
            return "..."
        raise Unwritable(type(value).__name__)

    def part(self, part: Part) -> str:
        """The text of a layer among arguments."""
        given = [self.value(a) for a in part.args] + [f"{k}={self.value(v)}" for k, v in part.kwargs.items()]
        return f"{part.name}({', '.join(given)})"

    def tensor(self, tensor: torch.Tensor) -> str:
        """A name for a tensor that the head of the program makes."""
        for name, known in self.tensors:
            if known is tensor:
                return name
        if tensor.layout != torch.strided or tensor.is_quantized:
            raise Unwritable("a tensor that is not dense")
        name = f"x{len(self.tensors)}"
        plain = tensor.detach().resolve_conj().resolve_neg()
        kind = str(tensor.dtype)
        if isinstance(tensor, torch.nn.Parameter):
            raise Unwritable("a parameter")
        after = ""
        if self.remakes and self.draw.random() < 0.7:
            plain, after = remade(plain, self.draw)
        if plain.numel() <= WRITTEN_OUT and not plain.is_complex() and bool(torch.isfinite(plain.float()).all()) and 0 not in plain.shape:
            self.head.append(f"{name} = torch.tensor({plain.tolist()!r}, dtype={kind}){after}")
        else:
            if not self.arrays:
                self.head.append('DATA = np.load("data.npz")')
            short = tensor.dtype == torch.bfloat16
            self.arrays[name] = (plain.float() if short else plain).numpy().copy()
            self.head.append(f'{name} = torch.from_numpy(DATA["{name}"]){".bfloat16()" if short else ""}{after}')
        self.tensors.append((name, tensor))
        return name


def function_program(name: str, sample: Sample, parameters: list[str], defaults: dict[str, str], draw: random.Random, gradient: bool, fields: list[str], count: int, remakes: bool) -> tuple[str, Program, str]:
    """(text, program, the forms that were drawn) of one call of a function or method."""
    program = Program(draw, remakes=remakes)
    short = name.rpartition(".")[2]
    is_method = name.startswith("torch.Tensor.")
    callee = draw.choice(CALLEES)
    is_first_tensor = bool(sample.args) and isinstance(sample.args[0], torch.Tensor)
    if callee == "other side":
        if is_method and is_first_tensor and callable(getattr(torch, short, None)):
            is_method = False
            name = f"torch.{short}"
        elif not is_method and is_first_tensor and name == f"torch.{short}" and hasattr(torch.Tensor, short):
            is_method = True
        else:
            callee = "plain"
    before, texts = arguments(program, sample, parameters, defaults, 1 if is_first_tensor else 0)
    if is_method and texts and ("=" in texts[0] or texts[0].startswith("*")):
        texts = [program.value(sample.args[0]), *[t for t in texts if t.partition("=")[0] != (parameters[0] if parameters else "")]]
    spelled = name
    if name.startswith("torch.nn.functional."):
        spelled = draw.choice([f"F.{short}", f"F.{short}", f"nn.functional.{short}", name])
    call, lines = _called(program, callee, name, short, spelled, texts, is_method)
    before += lines
    in_place = short.endswith("_") and not short.endswith("__")
    names = [n for n, t in program.tensors if t.is_floating_point()]
    use = draw.choice(USES) if not in_place else "plain"
    place = draw.choice(NAMES_OF_PLACES)
    body = list(before)
    took = gradient and bool(names) and not in_place
    if took:
        program.head += [f"{n}.requires_grad_()" for n in names] if draw.random() < 0.5 else [f"{n}.requires_grad = True" for n in names]
    body += PLACES[place](call, [n for n, _ in program.tensors])
    body += used(use, fields, count)
    if in_place:
        body.append(f"outcome.append({program.tensors[0][0]})")
    if took:
        body += graded(names, draw)
    text = "\n".join([*program.head, "", *body, ""])
    return text, program, f"{callee}, {place}, {use}{', gradient' if took else ''}{', laid out' if remakes else ''}"


def _called(program: Program, callee: str, name: str, short: str, spelled: str, texts: list[str], is_method: bool) -> tuple[str, list[str]]:
    """(the call's text, the lines that come before it)."""
    owner = name.rpartition(".")[0]
    given = ", ".join(texts)
    rest = ", ".join(texts[1:])
    if is_method:
        match callee:
            case "unbound":
                return f"torch.Tensor.{short}({given})", []
            case "method caller":
                program.head.insert(0, "import operator")
                return f"operator.methodcaller({', '.join([repr(short), *texts[1:]])})({texts[0]})", []
            case "bound":
                return f"operation({rest})", [f"operation = {texts[0]}.{short}"]
            case "chained" if not short.endswith("_"):
                return f"{texts[0]}.clone().{short}({rest})", []
            case "getattr":
                return f'getattr({texts[0]}, "{short}")({rest})', []
        return f"{texts[0]}.{short}({rest})", []
    match callee:
        case "from import" if not hasattr(builtins, short):
            program.head.insert(4, f"from {owner} import {short}")
            return f"{short}({given})", []
        case "inner import" if not hasattr(builtins, short):
            return f"{short}_({given})", [f"from {owner} import {short} as {short}_"]
        case "star import" if name.startswith("torch.nn.functional.") and not short.startswith("_"):
            program.head.insert(4, "from torch.nn.functional import *")
            return f"{short}({given})", []
        case "alias":
            program.head.insert(4, "from torch.nn import functional as nnf" if owner == "torch.nn.functional" else f"import {owner} as th" if "." not in owner else f"from {owner.rpartition('.')[0]} import {owner.rpartition('.')[2]} as part")
            return f"{'nnf' if owner == 'torch.nn.functional' else 'part' if '.' in owner else 'th'}.{short}({given})", []
        case "name":
            return f"operation({given})", [f"operation = {spelled}"]
        case "table":
            return f'TABLE["{short}"]({given})', [f'TABLE = {{"{short}": {spelled}, "other": None}}']
        case "held":
            return f"keeper.operation({given})", ["class Keeper:", "    def __init__(self, operation):", "        self.operation = operation", "", f"keeper = Keeper({spelled})"]
        case "partial" if len(texts) > 1 and all("=" in t for t in texts[1:]):
            program.head.insert(0, "import functools")
            return f"operation({texts[0]})", [f"operation = functools.partial({spelled}, {rest})"]
        case "getattr" if program.draw.random() < 0.3:
            return f'getattr({"F" if name.startswith("torch.nn.functional.") else owner}, "{short}")({given})', []
    return f"{spelled}({given})", []


def attribute_program(name: str, sample: Sample, draw: random.Random, remakes: bool) -> tuple[str, Program, str]:
    """One read of a tensor's attribute."""
    program = Program(draw, remakes=remakes)
    first = program.value(sample.args[0])
    place, use = draw.choice(NAMES_OF_PLACES), draw.choice(("plain", "text", "list of two"))
    body = PLACES[place](f"{first}.{name.rpartition('.')[2]}", [first]) + used(use, [], 0)
    return "\n".join([*program.head, "", *body, ""]), program, f"attribute, {place}, {use}"
