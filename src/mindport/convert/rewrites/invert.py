"""``~x`` of an integer tensor is the bitwise complement in torch and the logical not in MindSpore."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

_INTEGERS = frozenset(f"torch.{name}" for name in ("int8", "int16", "int32", "int64", "uint8", "short", "int", "long"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Report the complements of tensors that are known to hold integers."""
    for node in ast.walk(context.file.tree):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
            dtypes = {o.dtype for o in v.options(context.facts.value(node.operand)) if isinstance(o, v.TensorValue)}
            if dtypes & _INTEGERS:
                context.report(
                    "MP103", f"`{context.file.segment(node)}`: ~ of integers is the logical not in MindSpore; "
                    f"write mindspore.ops.bitwise_xor(x, -1)", node, mark=True,
                )  # fmt: skip
