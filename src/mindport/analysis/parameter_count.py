"""How many parameters a layer has, from the arguments that construct it."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from typing import Any

from mindport.analysis.network_run.layer_rules import WEIGHED, bind
from mindport.analysis.network_run.values import Undecided
from mindport.inference import values as v
from mindport.inference.facts import Facts

_CONVOLUTION = ("{in_channels}·{out_channels}·{kernel_size}", "out_channels")
#: What is said where an argument is not constant: the weights, and the argument that is the number of biases; by kind, without its rank.
_FORMULAS: dict[str, tuple[str, str]] = {
    "Conv": _CONVOLUTION, "ConvTranspose": _CONVOLUTION,
    "Linear": ("{in_features}·{out_features}", "out_features"),
    "Embedding": ("{num_embeddings}·{embedding_dim}", ""),
    "BatchNorm": ("2·{num_features}", ""), "GroupNorm": ("2·{num_channels}", ""), "LayerNorm": ("2·{normalized_shape}", ""),
}  # fmt: skip


def parameter_count(kind: str, call: ast.Call, facts: Facts) -> int | str | None:
    """The number; a formula with the arguments' text where one is not constant; None for layers without parameters."""
    if kind not in WEIGHED:
        return None
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return ast.unparse(call)
    signature, rule = WEIGHED[kind]
    keywords = {k.arg: k.value for k in call.keywords if k.arg}
    try:
        arguments = bind(signature, tuple(_constant(facts, a) for a in call.args), {name: _constant(facts, node) for name, node in keywords.items()})
        return sum(math.prod(shape) for shape in rule(arguments).values())
    except Undecided:
        return _formula(kind, signature, call, keywords)


def _formula(kind: str, signature: str, call: ast.Call, keywords: Mapping[str, ast.expr]) -> str:
    plain = re.sub(r"[123]d$", "", kind)
    if plain not in _FORMULAS:
        return ast.unparse(call)
    names = [part.strip().partition("=") for part in signature.split(",")]
    said = {name: default or "?" for name, _, default in names}
    given = {name: node for (name, _, _), node in zip(names, call.args, strict=False)} | dict(keywords)
    for name, node in given.items():
        text = ast.unparse(node)
        said[name] = text if re.fullmatch(r"[\w.]+", text) else f"({text})"
    if plain != kind and int(kind[-2]) > 1 and "kernel_size" in said:
        said["kernel_size"] += f"^{kind[-2]}"
    weights, width = _FORMULAS[plain]
    divided = f"/{said['groups']}" if said.get("groups", "1") != "1" else ""
    return weights.format(**said) + divided + (_plus(given.get("bias"), said[width]) if width else "")


def _plus(bias: ast.expr | None, width: str) -> str:
    if bias is None or isinstance(bias, ast.Constant) and bias.value:
        return f"+{width}"
    return "" if isinstance(bias, ast.Constant) else f"+{width} if {ast.unparse(bias)}"


def _constant(facts: Facts, node: ast.expr) -> Any:
    """A constant; what is not known stays as its text's tree, which no rule takes for a number."""
    value = facts.value(node)
    if isinstance(value, v.Const):
        return value.value
    if isinstance(value, v.Sequence) and value.items and all(isinstance(i, v.Const) for i in value.items):
        return tuple(i.value for i in value.items if isinstance(i, v.Const))
    return node
