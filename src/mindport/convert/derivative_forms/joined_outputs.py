"""``grad([u, v], x, [a, b], create_graph=True)``: the gradient of several outputs is that of their sum, each weighed: ``grad((u * a).sum() + (v * b).sum(), x, …)``.

https://docs.pytorch.org/docs/2.13/generated/torch.autograd.grad.html: the sum of gradients of outputs; without `grad_outputs` each is a number.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.training.second_order import given_to_gradient, is_gradient_call, keeps_graph
from mindport.inference.facts import Facts
from mindport.source import edits
from mindport.source.edits import Edit
from mindport.source.file import SourceFile, parse
from mindport.source.walking import walk

_NONE = "None"


def joined_outputs(file: SourceFile, facts: Facts) -> SourceFile:
    """The file with one output in each such call that writes its outputs, and their weights, down; itself where there are none."""
    changes: dict[int, list[Edit]] = {}
    taken = set[int]()
    for call in (n for n in file.nodes if isinstance(n, ast.Call) and is_gradient_call(facts, n) and keeps_graph(n)):
        if id(call) not in taken and (found := _joined(file, call)):
            taken |= {id(part) for part in walk(call)}  # those inside follow in the next round
            changes[id(call)] = found
    if not changes:
        return file
    text = edits.apply(file.text, [edit for found in changes.values() for edit in found])
    return replace(file, text=text, tree=parse(text))


def _joined(file: SourceFile, call: ast.Call) -> list[Edit]:
    given = given_to_gradient(call)
    written, weights = given.get("outputs"), given.get("grad_outputs")
    if not isinstance(written, ast.List | ast.Tuple) or len(written.elts) < 2 or any(isinstance(part, ast.Starred) for part in written.elts):
        return []
    texts = [file.segment(part) for part in written.elts]
    if weights is None or isinstance(weights, ast.Constant) and weights.value is None:
        whole = " + ".join(texts)
        return [_edit(file, written, whole)] if all(isinstance(part, ast.Name | ast.Attribute | ast.Subscript | ast.Call) for part in written.elts) else []
    if not isinstance(weights, ast.List | ast.Tuple) or len(weights.elts) != len(texts) or any(isinstance(part, ast.Starred) for part in weights.elts):
        return []
    parts = [_weighed(text, part, file.segment(part)) for text, part in zip(texts, weights.elts, strict=True)]
    return [_edit(file, written, " + ".join(parts)), _edit(file, weights, _NONE)]


def _weighed(output: str, weight: ast.expr, text: str) -> str:
    return f"({output})" if isinstance(weight, ast.Constant) and weight.value is None else f"(({output}) * ({text})).sum()"


def _edit(file: SourceFile, node: ast.expr, text: str) -> Edit:
    begin, end = file.offsets(node)
    old = file.text[begin:end]
    return Edit(begin, end, old, text + "\n" * max(0, old.count("\n") - text.count("\n")))
