"""``x.detach().cpu().numpy()`` becomes ``x.asnumpy()``: a tensor that only a number, an array or a size is read of needs no cutting off.

PyTorch refuses an array of a tensor that wants a gradient; MindSpore gives it, with the same memory.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference.facts import Use

#: What gives the tensor without its gradient.
CUTTING = frozenset(("torch.Tensor.detach", "torch.Tensor.data"))
#: Methods that compute another tensor and do nothing else: what is read of it then needs no cutting off either.
COMPUTED = frozenset(
    ("abs", "sum", "mean", "norm", "std", "var", "pow", "sqrt", "square", "exp", "log", "sigmoid", "softmax", "round", "max", "min", "argmax", "argmin", "float", "double", "half", "long", "int", "flatten", "view", "reshape", "squeeze", "unsqueeze")
)
#: What gives Python's numbers. An array may share memory with what it was computed from by a view.
VALUES = frozenset(("item", "tolist"))
#: What no gradient goes through.
READS = frozenset(("numpy", "item", "tolist", "size", "shape", "dim", "ndim", "ndimension", "dtype", "numel", "nelement"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the removal of every such cutting off."""
    for same_place in uses.values():
        use = same_place[0]
        if len(same_place) == 1 and use.name in CUTTING and id(use.node) not in context.claimed and _is_only_read(context, use.node):
            dot = _dot(context, use.node)
            if dot >= 0:
                context.claimed.add(id(use.node))
                context.record(use, "removed", context.file.segment(use.node))
                context.plan(use.node, lambda d=dot, n=use.node: context.editing.replace(d, context.editing.span(n)[1], ""))  # type: ignore[misc]


def _is_only_read(context: Context, node: ast.expr, reads: frozenset[str] = READS) -> bool:
    """Whether something is read of the value, past methods that hand it back; Python's numbers also past what computes another tensor."""
    member = context.parents.get(id(node))
    if not isinstance(member, ast.Attribute) or not isinstance(member.ctx, ast.Load):
        return False
    call = context.parents.get(id(member))
    is_called = isinstance(call, ast.Call) and call.func is member
    if member.attr in reads:
        return is_called or member.attr in ("shape", "ndim", "dtype")
    used = context.called.get(id(call))
    if is_called and member.attr in COMPUTED and used is not None and used.name == f"torch.Tensor.{member.attr}":
        return _is_only_read(context, call, VALUES)  # type: ignore[arg-type]
    if not is_called or call.args or call.keywords:  # type: ignore[union-attr]
        return False
    entries = context.shared.catalog.find(used.name) if used is not None else []
    return bool(entries) and all(entry.hands_back for entry in entries) and _is_only_read(context, call, reads)  # type: ignore[arg-type]


def _dot(context: Context, node: ast.expr) -> int:
    """Where ``.detach()`` begins; -1 where what is written between is more than that."""
    start, end = context.editing.span(node)
    name = node.func if isinstance(node, ast.Call) else node
    if not isinstance(name, ast.Attribute) or (isinstance(node, ast.Call) and (node.args or node.keywords)):
        return -1
    text = context.editing.text
    dot = text.rfind(".", start, context.editing.span(name)[1] - len(name.attr))
    return dot if dot >= context.editing.span(name.value)[1] and "".join(text[dot:end].split()) in (f".{name.attr}", f".{name.attr}()") else -1
