"""How many parameters a layer has, from the arguments that construct it."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from mindport.inference import values as v
from mindport.inference.facts import Facts

#: Names of a layer's first arguments, by kind.
_NAMES = {
    "Conv": ("in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation", "groups", "bias"),
    "ConvTranspose": ("in_channels", "out_channels", "kernel_size", "stride", "padding", "output_padding", "groups", "bias"),
    "Linear": ("in_features", "out_features", "bias"),
    "Embedding": ("num_embeddings", "embedding_dim"),
    "BatchNorm": ("num_features", "eps", "momentum", "affine"),
    "GroupNorm": ("num_groups", "num_channels", "eps", "affine"),
    "LayerNorm": ("normalized_shape", "eps", "elementwise_affine"),
}


def family(kind: str) -> str:
    """``Conv2d`` → ``Conv``; "" for kinds that are not counted here."""
    plain = re.sub(r"[123]d$", "", kind)
    return plain if plain in _NAMES else ""


def parameter_count(kind: str, call: ast.Call, facts: Facts) -> int | str | None:
    """The number; the formula with the arguments' text where one is not constant; None for layers without parameters."""
    group = family(kind)
    if not group:
        return None
    given: dict[str, ast.expr] = dict(zip(_NAMES[group], call.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return ast.unparse(call)
    known = {name: _constant(facts, node) for name, node in given.items()}
    rank = int(kind[-2]) if kind[-1] == "d" and kind[-2].isdigit() else 1
    number = _number(group, known, rank)
    return number if number is not None else _formula(group, given, rank)


def _number(group: str, known: Mapping[str, object], rank: int) -> int | None:
    def whole(name: str, default: int | None = None) -> int | None:
        value = known.get(name, default)
        return value if isinstance(value, int) else None

    if group in ("Conv", "ConvTranspose"):
        a, b, groups, kernel = whole("in_channels"), whole("out_channels"), whole("groups", 1), known.get("kernel_size")
        size = kernel**rank if isinstance(kernel, int) else None
        if isinstance(kernel, tuple) and all(isinstance(k, int) for k in kernel):
            size = 1
            for k in kernel:
                size *= k
        bias = known.get("bias", True)
        if a is None or b is None or not groups or size is None or not isinstance(bias, (bool, int)):
            return None
        return a * b * size // groups + (b if bias else 0)
    if group == "Linear":
        a, b, bias = whole("in_features"), whole("out_features"), known.get("bias", True)
        return a * b + (b if bias else 0) if a is not None and b is not None and isinstance(bias, (bool, int)) else None
    if group == "Embedding":
        a, b = whole("num_embeddings"), whole("embedding_dim")
        return a * b if a is not None and b is not None else None
    affine = known.get("elementwise_affine" if group == "LayerNorm" else "affine", True)
    width = whole({"BatchNorm": "num_features", "GroupNorm": "num_channels", "LayerNorm": "normalized_shape"}[group])
    return (2 * width if affine else 0) if width is not None and isinstance(affine, (bool, int)) else None


def _formula(group: str, given: Mapping[str, ast.expr], rank: int) -> str:
    def text(name: str, default: str = "?") -> str:
        node = given.get(name)
        said = ast.unparse(node) if node is not None else default
        return said if re.fullmatch(r"[\w.]+", said) else f"({said})"

    if group in ("Conv", "ConvTranspose"):
        groups = text("groups", "1")
        size = text("kernel_size") + (f"^{rank}" if rank > 1 else "")
        return f"{text('in_channels')}·{text('out_channels')}·{size}" + (f"/{groups}" if groups != "1" else "") + _plus(given, text("out_channels"))
    if group == "Linear":
        return f"{text('in_features')}·{text('out_features')}" + _plus(given, text("out_features"))
    if group == "Embedding":
        return f"{text('num_embeddings')}·{text('embedding_dim')}"
    return "2·" + text({"BatchNorm": "num_features", "GroupNorm": "num_channels", "LayerNorm": "normalized_shape"}[group])


def _plus(given: Mapping[str, ast.expr], width: str) -> str:
    bias = given.get("bias")
    if bias is None or isinstance(bias, ast.Constant) and bias.value:
        return f"+{width}"
    return "" if isinstance(bias, ast.Constant) else f"+{width} if {ast.unparse(bias)}"


def _constant(facts: Facts, node: ast.expr) -> object:
    value = facts.value(node)
    if isinstance(value, v.Const):
        return value.value
    if isinstance(value, v.Sequence) and value.items and all(isinstance(i, v.Const) for i in value.items):
        return tuple(i.value for i in value.items if isinstance(i, v.Const))
    return None
