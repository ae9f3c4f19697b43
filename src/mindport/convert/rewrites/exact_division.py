"""``(ids * 2654435761 + salt) % buckets``: where a project writes numbers as large as hashes take, int64 tensors are divided exactly (`equivalents/exact_division.py`)."""

from __future__ import annotations

import ast

from mindport.convert.context import Context, Files
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.exact_division"
#: Two numbers of this size have a product beyond 2**53.
_LARGE = 2**28


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Have the vendored module divide exactly, where the file divides what may be a tensor."""
    if KNOWLEDGE not in context.shared.catalog.modules or not context.beside_torch() or not context.once(_has_large):
        return
    if any(isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.FloorDiv) and _may_be_tensor(context, node.left) for node in context.file.nodes):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], "DIVIDES_EXACTLY")


def _has_large(project: Files) -> bool:
    return any(isinstance(node, ast.Constant) and type(node.value) is int and node.value >= _LARGE for file, _ in project for node in file.nodes)


def _may_be_tensor(context: Context, node: ast.expr) -> bool:
    return any(isinstance(option, v.Unknown) or v.is_tensor(option) for option in v.options(context.facts.value(node)))
