"""B5, B7: what is set on layers after they are built, own initialisation, and tricks that the structure shows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.analysis import torch_names
from mindport.analysis.answers import Answer, Quote, Section
from mindport.analysis.network_parts import decoupled, free_of_anchors
from mindport.analysis.network_tree import NetworkTree
from mindport.analysis.subject import Subject
from mindport.source.file import SourceFile

LETTER = "B"
_SET = ("eps", "momentum", "track_running_stats", "p", "inplace", "padding_mode")


def section(subject: Subject) -> Section:
    """Rows that are found by what the code does, not by what it is called."""
    return Section(LETTER, "Training recipe", "训练配方", tuple([*_set_afterwards(subject), *_by_structure(subject)]))


def _set_afterwards(subject: Subject) -> Iterator[Answer]:
    """``m.momentum = 0.03`` on a layer of a library."""
    found: dict[str, list[Quote]] = {}
    follower = subject.follower
    momentum: list[str] = []
    for file, use in subject.uses(torch_names.LAYERS):
        if use.kind != "store" or not isinstance(use.node, ast.Attribute) or use.node.attr not in _SET or subject.aside(file.relative):
            continue
        value = _assigned(file, use.node)
        if value is None:
            continue
        followed = follower.follow(file, value)
        layer = use.name.removesuffix("." + use.node.attr).rpartition(".")[2]
        found.setdefault(f"{layer}.{use.node.attr}={followed.text}", []).append(subject.quote(file, use.node))
        if "Norm" in layer and use.node.attr == "momentum" and followed.known and re.fullmatch(r"[\d.e-]+", followed.text):
            momentum.append(f"{followed.text} is {1 - float(followed.text):g}")
    for file, layers, target, value in _set_where_checked(subject):
        text = f"{layers}.{target.attr}={follower.follow(file, value).text}"
        if not any(subject.quote(file, target) in quotes for quotes in found.values()):
            found.setdefault(text, []).append(subject.quote(file, target))
    if found:
        advice = ""
        if momentum:
            advice = "MindSpore's own nn.BatchNorm counts momentum the other way (1 − momentum): " + ", ".join(dict.fromkeys(momentum)) + " there. The converted class keeps PyTorch's meaning."
        yield Answer("B7", "Layer settings by attribute", "found", ", ".join(found), tuple(dict.fromkeys(q for quotes in found.values() for q in quotes))[:20], advice, "按属性设置的层参数")


def _set_where_checked(subject: Subject) -> Iterator[tuple[SourceFile, str, ast.Attribute, ast.expr]]:
    """The same under ``if isinstance(m, A) or isinstance(m, B)``: (file, layers, target, value)."""
    for file, known in subject.facts.items():
        checks = {id(use.node): use.name for use in known.uses if use.kind == "check" and use.name.startswith(torch_names.LAYERS)}
        for test in file.nodes if len(checks) > 1 and not subject.aside(file.relative) else ():
            if not (isinstance(test, ast.If) and isinstance(test.test, ast.BoolOp) and isinstance(test.test.op, ast.Or)):
                continue
            asked = [checks[id(inner)].rpartition(".")[2] for inner in ast.walk(test.test) if id(inner) in checks]
            names = {ast.unparse(call.args[0]) for call in test.test.values if isinstance(call, ast.Call) and call.args}
            for node in test.body:
                target = node.targets[0] if isinstance(node, ast.Assign) else None
                if asked and isinstance(node, ast.Assign) and isinstance(target, ast.Attribute) and target.attr in _SET and {ast.unparse(target.value)} == names:
                    yield file, ", ".join(dict.fromkeys(asked)), target, node.value


def _assigned(file: SourceFile, target: ast.Attribute) -> ast.expr | None:
    for node in file.nodes:
        if isinstance(node, ast.Assign) and any(t is target for t in node.targets):
            return node.value
        if isinstance(node, ast.AnnAssign) and node.target is target:
            return node.value
    return None


def _by_structure(subject: Subject) -> Iterator[Answer]:
    tree = NetworkTree(subject)
    heads = decoupled(tree)
    if heads:
        value = "; ".join(f"{network.name}: {why}" for network, why, _ in heads)
        yield Answer("B7", "Decoupled head", "found", value, tuple(dict.fromkeys(q for _, _, quotes in heads for q in quotes)), zh="解耦头")
    tied = [
        subject.quote(file, node) for file in subject.files if not subject.aside(file.relative) for node in file.nodes
        if isinstance(node, ast.Assign) and _weight(node.value) and any(_weight(target) for target in node.targets)
    ]  # fmt: skip
    if tied:
        yield Answer("B7", "Weight tying", "found", "one parameter in two places: " + tied[0].text, tuple(tied[:8]), "MindSpore names a shared parameter once: check that both places hold the same object after loading weights.", "权重共享")
    free = free_of_anchors(tree)
    if free:
        yield Answer("B7", "Anchor free", "found", "box sizes are exp(prediction) × stride: no anchor's size enters", tuple(free[:8]), zh="无锚框")


def _weight(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "weight" and isinstance(node.value, (ast.Attribute, ast.Name))
