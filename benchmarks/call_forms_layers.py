"""One layer, built and called, in forms that are drawn: as a child, in lists and dictionaries, by a registry, a factory … For call_forms.py."""

from __future__ import annotations

import random

import torch
from call_forms_arguments import arguments
from call_forms_program import Program
from call_forms_uses import USES, graded, used

from mindport.evidence.layer_samples import LayerSample
from mindport.evidence.samples import mapped

PLACES = (
    "name", "child", "child", "sequence", "list", "dictionary", "subclass", "branch", "ordered", "spread", "added", "partial", "registry", "getattr",
    "factory", "copied", "argument", "default class", "set by name",
)  # fmt: skip


def layer_program(name: str, sample: LayerSample, parameters: list[str], defaults: dict[str, str], draw: random.Random, gradient: bool, fields: list[str], count: int, remakes: bool) -> tuple[str, Program, str]:
    """One layer, built and called."""
    program = Program(draw, remakes=remakes)
    doubled = remakes and draw.random() < 0.4
    call = (mapped(sample.call.args, _double), mapped(sample.call.kwargs, _double)) if doubled else (sample.call.args, sample.call.kwargs)
    before, texts = arguments(program, sample.build, parameters, defaults, 0)
    inner = Program(draw, program.head, program.arrays, program.tensors, remakes)
    called = ", ".join([inner.value(a) for a in call[0]] + [f"{k}={inner.value(v)}" for k, v in call[1].items()])
    short = name.rpartition(".")[2]
    spelled = draw.choice([f"nn.{short}", f"nn.{short}", name, short]) if name.startswith("torch.nn.") and name.count(".") == 2 else name
    if spelled == short:
        program.head.insert(4, f"from torch.nn import {short}")
    made = f"{spelled}({', '.join(texts)})"
    place = draw.choice(PLACES)
    single = len(sample.call.args) == 1 and not sample.call.kwargs
    if place in ("sequence", "ordered", "spread", "added") and not (single and isinstance(sample.call.args[0], torch.Tensor)):
        place = "child"
    body = list(before)
    match place:
        case "name":
            body += [f"net = {made}"]
        case "sequence":
            body += [f"net = nn.Sequential({made}, nn.Identity())"]
        case "ordered":
            body += ["from collections import OrderedDict", f'net = nn.Sequential(OrderedDict([("one", {made}), ("two", nn.Identity())]))']
        case "spread":
            body += ["layers = []", f"layers.append({made})", "layers += [nn.Identity()]", "net = nn.Sequential(*layers)"]
        case "added":
            body += ["net = nn.Sequential()", f'net.add_module("one", {made})']
        case "partial" if texts and not any(t.startswith("*") for t in texts):
            body += ["from functools import partial", f"make = partial({spelled}, {', '.join(t for t in texts if '=' in t)})" if any("=" in t for t in texts) else f"make = partial({spelled})"]
            body += [f"net = make({', '.join(t for t in texts if '=' not in t)})"]
        case "registry":
            body += [f'KINDS = {{"one": {spelled}, "two": nn.Identity}}', f'net = KINDS["one"]({", ".join(texts)})']
        case "getattr" if spelled.startswith("nn."):
            body += [f'net = getattr(nn, "{short}")({", ".join(texts)})']
        case "factory":
            body += ["def build():", f"    return {made}", "", "net = build()"]
        case "copied":
            body += ["import copy", f"net = copy.deepcopy({made})"]
        case "argument":
            body += [
                "class Net(nn.Module):", "    def __init__(self, layer):", "        super().__init__()", "        self.layer = layer", "",
                "    def forward(self, *inputs, **options):", "        out = self.layer(*inputs, **options)", "        return out", "", f"net = Net({made})",
            ]  # fmt: skip
        case "default class":
            body += [
                "class Net(nn.Module):", f"    def __init__(self, kind={spelled}):", "        super().__init__()", f"        self.layer = kind({', '.join(texts)})", "",
                "    def forward(self, *inputs, **options):", "        return self.layer(*inputs, **options)", "", "net = Net()",
            ]  # fmt: skip
        case "set by name":
            body += [
                "class Net(nn.Module):", "    def __init__(self):", "        super().__init__()", f'        setattr(self, "layer1", {made})', "",
                "    def forward(self, *inputs, **options):", '        return getattr(self, "layer1")(*inputs, **options)', "", "net = Net()",
            ]  # fmt: skip
        case "subclass":
            body += [f"class Own({spelled}):", "    pass", "", f"net = Own({', '.join(texts)})"]
        case _:
            line, use = {
                "child": (f"self.layer = {made}", "self.layer"), "list": (f"self.layers = nn.ModuleList([{made}])", "self.layers[0]"),
                "dictionary": (f'self.layers = nn.ModuleDict({{"one": {made}}})', 'self.layers["one"]'),
                "branch": (f"self.layer = {made} if True else nn.Identity()", "self.layer"),
            }.get(place, (f"self.layer = {made}", "self.layer"))  # fmt: skip
            body += [
                "class Net(nn.Module):", "    def __init__(self):", "        super().__init__()", f"        {line}", "",
                "    def forward(self, *inputs, **options):", f"        return {use}(*inputs, **options)", "", "net = Net()",
            ]  # fmt: skip
    body += [
        "with torch.no_grad():", "    for p in net.parameters():",
        "        p.copy_(torch.linspace(-0.5, 0.7, p.numel()).reshape(p.shape))",
    ]  # fmt: skip
    body += [draw.choice(("net.double()", "net = net.to(torch.float64)"))] if doubled else []
    mode = draw.choice(("train", "eval", ""))
    if mode or "ropout" in name or name.endswith("RReLU"):
        body += ["net.eval()" if mode != "train" or "ropout" in name or "RReLU" in name or "Transformer" in name or "Multihead" in name else "net.train()"]
    names = [n for n, t in program.tensors if t.is_floating_point()]
    took = gradient and bool(names)
    body += [f"{n}.requires_grad_()" for n in names] if took else []
    body += [f"result = net({called})"]
    use = draw.choice(USES)
    body += used(use, fields, count)
    if took:
        body += graded(names, random.Random(1))
        body += ["outcome += [p.grad.sum() for p in net.parameters() if p.grad is not None]"]
    if draw.random() < 0.3:
        body += ["outcome.append(sum(p.numel() for p in net.parameters()))"]
    return "\n".join([*program.head, "", *body, ""]), program, f"layer, {place}, {mode}, {use}{', gradient' if took else ''}{', float64' if doubled else ''}{', laid out' if remakes else ''}"


def _double(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.double() if tensor.dtype == torch.float32 else tensor
