"""``except RuntimeError:`` around operations on tensors: MindSpore raises ValueError or TypeError where shapes or dtypes do not fit.

The handler stays as it is: a wider one might catch the program's own errors. Handlers that look for memory errors mean none of these.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

_MESSAGE = "MindSpore raises ValueError or TypeError where shapes or dtypes do not fit, and this handler catches RuntimeError"
_WIDER = frozenset(("Exception", "BaseException", "ValueError", "TypeError"))
_NO_OPERATIONS = frozenset(f"torch.{name}" for name in ("load", "save", "compile", "device", "manual_seed", "seed", "is_tensor"))
_FAMILIES = ("torch.Tensor.", "torch.nn.functional.", "torch.linalg.", "torch.fft.")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Mark every such handler."""
    operations = {id(use.node) for same_place in uses.values() for use in same_place if use.kind in ("call", "method") and _computes(use.name)}
    for node in context.file.nodes:
        if not isinstance(node, ast.Try):
            continue
        caught = [name for handler in node.handlers for name in _names(handler)]
        handler = next((h for h in node.handlers if "RuntimeError" in _names(h)), None)
        if handler is None or _WIDER & set(caught) or any(h.type is None for h in node.handlers) or _about_memory(handler):
            continue
        if any(id(part) in operations or _on_tensors(context, part) for statement in node.body for part in ast.walk(statement)):
            context.report("MP107", _MESSAGE, node.body[0], risk="loud", advice="catch ValueError and TypeError as well, if only torch's own errors were meant", mark=True)


def _computes(name: str) -> bool:
    return name.startswith(_FAMILIES) or (name.count(".") == 1 and name.rpartition(".")[2].islower() and name not in _NO_OPERATIONS)


def _on_tensors(context: Context, node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and any(v.is_tensor(context.facts.value(side)) for side in (node.left, node.right))


def _names(handler: ast.ExceptHandler) -> list[str]:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return [kind.id for kind in kinds if isinstance(kind, ast.Name)]


def _about_memory(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(n, ast.Constant) and isinstance(n.value, str) and "memory" in n.value.lower() for n in ast.walk(handler))
