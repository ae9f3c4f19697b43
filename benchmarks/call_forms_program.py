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

from mindport.evidence.layer_samples import LayerSample, Part
from mindport.evidence.samples import Sample

#: Tensors of so many elements are written out, larger ones stand in a file of arrays.
WRITTEN_OUT = 24
PLACES = ("module", "module", "function", "annotated function", "forward", "loop", "comprehension", "lambda", "closure", "condition", "method")
PASSING = ("as they are", "variables", "configuration", "dictionary", "starred", "double starred", "keywords", "positional", "defaults")
USES = ("plain", "plain", "unpacked", "indexed", "field", "text", "chained", "arithmetic", "shape", "item", "list of two", "in place", "cat", "named")
CALLEES = ("plain", "plain", "plain", "other side", "other side", "name", "from import", "partial", "getattr")


class Unwritable(Exception):
    """The sample holds what has no text."""


@dataclass
class Program:
    """A program under construction. `arrays`: what its file of arrays holds."""

    draw: random.Random
    head: list[str] = field(default_factory=lambda: ["import numpy as np", "import torch", "import torch.nn as nn", "import torch.nn.functional as F", ""])
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    tensors: list[tuple[str, torch.Tensor]] = field(default_factory=list)

    def value(self, value: Any) -> str:
        """The text of a value; a tensor gets a name."""
        match value:
            case torch.Tensor():
                return self.tensor(value)
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
        if plain.numel() <= WRITTEN_OUT and not plain.is_complex() and bool(torch.isfinite(plain.float()).all()) and 0 not in plain.shape:
            self.head.append(f"{name} = torch.tensor({plain.tolist()!r}, dtype={kind})")
        elif tensor.dtype == torch.bfloat16:
            raise Unwritable("bfloat16")
        else:
            if not self.arrays:
                self.head.append('DATA = np.load("data.npz")')
            self.arrays[name] = plain.numpy().copy()
            self.head.append(f'{name} = torch.from_numpy(DATA["{name}"])')
        self.tensors.append((name, tensor))
        return name


def named(sample: Sample, parameters: list[str]) -> list[tuple[str | None, Any]]:
    """The arguments with the names that the signature gives them; None where it gives none."""
    found: list[tuple[str | None, Any]] = []
    for number, value in enumerate(sample.args):
        found.append((parameters[number] if number < len(parameters) else None, value))
    return found + list(sample.kwargs.items())


def arguments(program: Program, sample: Sample, parameters: list[str], defaults: dict[str, str], first: int) -> tuple[list[str], list[str]]:
    """(lines that come before the call, the texts of its arguments), the first `first` arguments as they are."""
    way = program.draw.choice(PASSING)
    positional = [program.value(a) for a in sample.args]
    keywords = {k: program.value(v) for k, v in sample.kwargs.items()}
    before: list[str] = []
    is_plain = [not text.startswith("x") and "x" not in text for text in positional]
    match way:
        case "variables":
            for number, text in enumerate(positional):
                if number >= first and is_plain[number]:
                    before.append(f"a{number} = {text}")
                    positional[number] = f"a{number}"
            for key, text in keywords.items():
                before.append(f"{key}_ = {text}")
                keywords[key] = f"{key}_"
        case "configuration":
            kind = program.draw.choice(["class", "namespace"])
            fields = {f"a{n}": text for n, text in enumerate(positional) if n >= first and is_plain[n]} | {k: t for k, t in keywords.items() if k.isidentifier() and k not in ("lambda", "from")}
            if fields and kind == "class":
                before += ["class Config:", *(f"    {k} = {t}" for k, t in fields.items()), "cfg = Config()"]
            elif fields:
                before += ["import argparse", f"cfg = argparse.Namespace({', '.join(f'{k}={t}' for k, t in fields.items())})"]
            positional = [f"cfg.a{n}" if f"a{n}" in fields else t for n, t in enumerate(positional)]
            keywords = {k: f"cfg.{k}" if k in fields else t for k, t in keywords.items()}
        case "dictionary":
            fields = {f"a{n}": text for n, text in enumerate(positional) if n >= first and is_plain[n]} | keywords
            before.append("options = {" + ", ".join(f"{k!r}: {t}" for k, t in fields.items()) + "}")
            positional = [f'options["a{n}"]' if f"a{n}" in fields else t for n, t in enumerate(positional)]
            keywords = {k: f'options["{k}"]' for k in keywords}
        case "starred" if len(positional) > first:
            rest = positional[first:]
            before.append(f"rest = ({', '.join(rest)}{',' if len(rest) == 1 else ''})")
            positional = [*positional[:first], "*rest"]
        case "double starred":
            given = named(sample, parameters)
            if all(name for name, _ in given[first:]) and given[first:]:
                texts = [*positional, *keywords.values()]
                before.append("more = {" + ", ".join(f"{n!r}: {t}" for (n, _), t in list(zip(given, texts, strict=True))[first:]) + "}")
                positional, keywords = positional[:first], {}
                return before, [*positional, "**more"]
        case "keywords" | "defaults":
            given = named(sample, parameters)
            if all(name for name, _ in given):
                texts = [*positional, *keywords.values()]
                keep = first if program.draw.random() < 0.6 else min(first, 0)
                pairs = [(str(n), t) for (n, _), t in zip(given, texts, strict=True)]
                positional = texts[:keep]
                keywords = dict(pairs[keep:])
                if way == "defaults":
                    known = {n for n, _ in pairs}
                    keywords |= {k: t for k, t in defaults.items() if k not in known}
                elif program.draw.random() < 0.5:
                    order = list(keywords.items())
                    program.draw.shuffle(order)
                    keywords = dict(order)
        case "positional":
            order = list(parameters)
            while keywords and len(positional) < len(order):
                name = order[len(positional)]
                if name in keywords:
                    positional.append(keywords.pop(name))
                elif name in defaults:
                    positional.append(defaults[name])
                else:
                    break
    return before, [*positional, *(f"{k}={t}" for k, t in keywords.items())]


def function_program(name: str, sample: Sample, parameters: list[str], defaults: dict[str, str], draw: random.Random, gradient: bool, fields: list[str], count: int) -> tuple[str, Program, str]:
    """(text, program, the forms that were drawn) of one call of a function or method."""
    program = Program(draw)
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
    if is_method:
        call = f"{texts[0]}.{short}({', '.join(texts[1:])})"
    elif callee == "from import" and not hasattr(builtins, short):
        program.head.insert(4, f"from {name.rpartition('.')[0]} import {short}")
        call = f"{short}({', '.join(texts)})"
    elif callee == "name":
        before.append(f"operation = {spelled}")
        call = f"operation({', '.join(texts)})"
    elif callee == "partial" and len(texts) > 1 and all("=" in t for t in texts[1:]):
        program.head.insert(0, "import functools")
        before.append(f"operation = functools.partial({spelled}, {', '.join(texts[1:])})")
        call = f"operation({texts[0]})"
    elif callee == "getattr" and draw.random() < 0.3:
        owner = "F" if name.startswith("torch.nn.functional.") else name.rpartition(".")[0]
        call = f'getattr({owner}, "{short}")({", ".join(texts)})'
    else:
        call = f"{spelled}({', '.join(texts)})"
    in_place = short.endswith("_") and not short.endswith("__")
    names = [n for n, t in program.tensors if t.is_floating_point()]
    use = draw.choice(USES) if not in_place else "plain"
    place = draw.choice(PLACES)
    body = list(before)
    took = gradient and bool(names) and not in_place
    if took:
        program.head += [f"{n}.requires_grad_()" for n in names] if draw.random() < 0.5 else [f"{n}.requires_grad = True" for n in names]
    body += _placed(place, call, [n for n, _ in program.tensors], draw)
    body += _used(use, fields, count)
    if in_place:
        body.append(f"outcome.append({program.tensors[0][0]})")
    if took:
        body += _graded(names, draw)
    text = "\n".join([*program.head, "", *body, ""])
    return text, program, f"{callee}, {place}, {use}{', gradient' if took else ''}"


def attribute_program(name: str, sample: Sample, draw: random.Random) -> tuple[str, Program, str]:
    """One read of a tensor's attribute."""
    program = Program(draw)
    first = program.value(sample.args[0])
    place, use = draw.choice(PLACES), draw.choice(("plain", "text", "list of two"))
    body = _placed(place, f"{first}.{name.rpartition('.')[2]}", [first], draw) + _used(use, [], 0)
    return "\n".join([*program.head, "", *body, ""]), program, f"attribute, {place}, {use}"


def _placed(place: str, call: str, names: list[str], draw: random.Random) -> list[str]:
    given = ", ".join(names)
    match place:
        case "function":
            return [f"def compute({given}):", f"    return {call}", "", f"result = compute({given})"]
        case "annotated function":
            typed = ", ".join(f"{n}: torch.Tensor" for n in names)
            return [f"def compute({typed}):", f"    out = {call}", "    return out", "", f"result = compute({given})"]
        case "forward":
            comma = ", " if names else ""
            return [
                "class Net(nn.Module):", "    def __init__(self):", "        super().__init__()", "        self.scale = 1", "",
                f"    def forward(self{comma}{given}):", f"        return {call}", "", "net = Net()", f"result = net({given})",
            ]  # fmt: skip
        case "method":
            comma = ", " if names else ""
            return [
                "class Helper:", f"    def run(self{comma}{given}):", f"        y = {call}", "        return y", "",
                f"result = Helper().run({given})",
            ]  # fmt: skip
        case "loop":
            return ["for step in range(2):", f"    result = {call}"]
        case "comprehension":
            return [f"results = [{call} for _ in range(2)]", "result = results[-1]"]
        case "lambda":
            return [f"compute = lambda {given}: {call}", f"result = compute({given})"]
        case "closure":
            return ["def outer():", "    def inner():", f"        return {call}", "    return inner()", "", "result = outer()"]
        case "condition":
            return ["flag = len(str(1)) == 1", f"result = {call} if flag else None"]
    return [f"result = {call}"]


def _used(use: str, fields: list[str], count: int) -> list[str]:
    """What becomes of the result; `count` values in it where it is a tuple, whose names are `fields`."""
    if count:
        match use:
            case "unpacked":
                parts = [f"r{n}" for n in range(count)]
                return [f"{', '.join(parts)}{',' if count == 1 else ''} = result", f"outcome = [{', '.join(parts)}]"]
            case "indexed":
                return ["outcome = [result[0], result[-1]]"]
            case "field" | "named" if fields:
                return [f"outcome = [{', '.join(f'result.{f}' for f in fields)}]"]
            case "shape":
                return ["outcome = [[tuple(r.shape) for r in result], len(result)]"]
            case "list of two":
                return ["outcome = list(result)"]
            case "arithmetic":
                return ["outcome = [r + r for r in result]"]
        return ["outcome = [result]"]
    match use:
        case "text":
            return ['text = f"{float(result.double().sum()):.2e}"', "outcome = [result]"]
        case "chained":
            return ["outcome = [result.reshape(-1).abs().sum(), result.float().mean()]"]
        case "arithmetic":
            return ["outcome = [2 * result + 1, -result, result * result]"]
        case "shape":
            return ["outcome = [tuple(result.shape), result.dim(), result.numel(), result.dtype, result.size()]"]
        case "item":
            return ["outcome = [result, result.reshape(-1)[0].item()]"]
        case "list of two":
            return ["outcome = [torch.stack([result, result]), result.unsqueeze(0)]"]
        case "in place":
            return ["outcome = [result.clone().add_(1), result]"]
        case "cat":
            return ["outcome = [torch.cat([result, result], dim=-1)]"]
        case "indexed":
            return ["outcome = [result[0], result[..., -1]]"]
        case "named":
            return ["outcome = [(result > 0).sum(), result == result]"]
    return ["outcome = [result]"]


def _graded(names: list[str], draw: random.Random) -> list[str]:
    parts = ["parts = result if isinstance(result, (tuple, list)) else [result]", "loss = sum((p * torch.arange(1.0, p.numel() + 1).reshape(p.shape)).sum() for p in parts if p.dtype.is_floating_point)"]
    if draw.random() < 0.7:
        return [*parts, "loss.backward()", f"outcome += [loss, {', '.join(f'{n}.grad' for n in names)}]"]
    return [*parts, f"grads = torch.autograd.grad(loss, [{', '.join(names)}])", "outcome += list(grads)"]


def layer_program(name: str, sample: LayerSample, parameters: list[str], defaults: dict[str, str], draw: random.Random, gradient: bool, fields: list[str], count: int) -> tuple[str, Program, str]:
    """One layer, built and called."""
    program = Program(draw)
    before, texts = arguments(program, sample.build, parameters, defaults, 0)
    inner = Program(draw, program.head, program.arrays, program.tensors)
    called = ", ".join([inner.value(a) for a in sample.call.args] + [f"{k}={inner.value(v)}" for k, v in sample.call.kwargs.items()])
    short = name.rpartition(".")[2]
    spelled = draw.choice([f"nn.{short}", f"nn.{short}", name, short]) if name.startswith("torch.nn.") and name.count(".") == 2 else name
    if spelled == short:
        program.head.insert(4, f"from torch.nn import {short}")
    made = f"{spelled}({', '.join(texts)})"
    place = draw.choice(("name", "child", "child", "sequence", "list", "dictionary", "subclass", "branch"))
    single = len(sample.call.args) == 1 and not sample.call.kwargs
    if place == "sequence" and not (single and isinstance(sample.call.args[0], torch.Tensor)):
        place = "child"
    body = list(before)
    match place:
        case "name":
            body += [f"net = {made}"]
        case "sequence":
            body += [f"net = nn.Sequential({made}, nn.Identity())"]
        case "subclass":
            body += [f"class Own({spelled}):", "    pass", "", f"net = Own({', '.join(texts)})"]
        case _:
            line, use = {
                "child": (f"self.layer = {made}", "self.layer"), "list": (f"self.layers = nn.ModuleList([{made}])", "self.layers[0]"),
                "dictionary": (f'self.layers = nn.ModuleDict({{"one": {made}}})', 'self.layers["one"]'),
                "branch": (f"self.layer = {made} if True else nn.Identity()", "self.layer"),
            }[place]  # fmt: skip
            body += [
                "class Net(nn.Module):", "    def __init__(self):", "        super().__init__()", f"        {line}", "",
                "    def forward(self, *inputs, **options):", f"        return {use}(*inputs, **options)", "", "net = Net()",
            ]  # fmt: skip
    body += [
        "with torch.no_grad():", "    for p in net.parameters():",
        "        p.copy_(torch.linspace(-0.5, 0.7, p.numel()).reshape(p.shape))",
    ]  # fmt: skip
    mode = draw.choice(("train", "eval", ""))
    if mode or "ropout" in name or name.endswith("RReLU"):
        body += ["net.eval()" if mode != "train" or "ropout" in name or "RReLU" in name or "Transformer" in name or "Multihead" in name else "net.train()"]
    names = [n for n, t in program.tensors if t.is_floating_point()]
    took = gradient and bool(names)
    body += [f"{n}.requires_grad_()" for n in names] if took else []
    body += [f"result = net({called})"]
    use = draw.choice(USES)
    body += _used(use, fields, count)
    if took:
        body += _graded(names, random.Random(1))
        body += ["outcome += [p.grad.sum() for p in net.parameters() if p.grad is not None]"]
    if draw.random() < 0.3:
        body += ["outcome.append(sum(p.numel() for p in net.parameters()))"]
    return "\n".join([*program.head, "", *body, ""]), program, f"layer, {place}, {mode}, {use}{', gradient' if took else ''}"
