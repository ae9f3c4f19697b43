"""``torch.cat([counts, weights])`` of whole numbers and others: ``ops.cat(promoted([counts, weights]))``.

torch promotes the dtypes, MindSpore's CPU raises. Only where one dtype of a list that is written out is known to be an
integer's or bool, or two are known to differ, or what is joined is cast at once to another dtype than the one that is
known (``torch.cat([torch.zeros(1, n), steps], dim=1).to(dtype=torch.long)`` pads whole numbers): elsewhere the tensors are
taken to have one dtype.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.promotion"
PROMOTED = "promoted"
_JOINING = frozenset(f"torch.{name}" for name in ("cat", "concat", "concatenate", "stack", "hstack", "vstack", "dstack", "column_stack", "row_stack"))
_OF_DEFAULT = frozenset(f"torch.{name}" for name in ("zeros", "ones", "empty", "rand", "randn"))
_FLOATING = ("float", "double", "half", "complex", "cfloat", "cdouble")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the promotion of every such list."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    filled = {u.node for same in uses.values() for u in same if u.name in _OF_DEFAULT and isinstance(u.node, ast.Call) and not any(k.arg == "dtype" for k in u.node.keywords)}
    cast_to = {
        node.func.value: dtype
        for node in context.file.nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call)
        if (dtype := _dtype(context, node)) is not None
    }
    for same_place in uses.values():
        for use in same_place:
            if use.name not in _JOINING or use.kind != "call" or not isinstance(use.node, ast.Call) or not use.node.args:
                continue
            joined = use.node.args[0]
            if isinstance(joined, (ast.List, ast.Tuple)) and (
                _may_differ(context, joined.elts) or _is_cast(context, joined.elts, cast_to.get(use.node), filled)
            ):
                context.plan(joined, lambda j=joined: _write(context, j), last=True)  # type: ignore[misc]


def _may_differ(context: Context, items: list[ast.expr]) -> bool:
    dtypes = [_dtype(context, item) for item in items]
    known = {dtype for dtype in dtypes if dtype is not None}
    whole = any(not dtype.removeprefix("torch.").startswith((*_FLOATING, "bfloat")) for dtype in known)
    return len(known) > 1 or (whole and None in dtypes)


def _is_cast(context: Context, items: list[ast.expr], cast: str | None, filled: set[ast.Call]) -> bool:
    """Whether the join becomes another dtype than a member has, beside members of which nothing is known."""
    dtypes = {"default" if item in filled else _dtype(context, item) for item in items}
    whole = cast is not None and not cast.removeprefix("torch.").startswith((*_FLOATING, "bfloat"))
    return None in dtypes and cast is not None and bool(dtypes - {None, cast} if whole else dtypes - {None, cast, "default"})


def _dtype(context: Context, item: ast.expr) -> str | None:
    kinds = v.options(context.facts.value(item))
    found = {kind.dtype if isinstance(kind, v.TensorValue) and not kind.likely else None for kind in kinds}
    return found.pop() if len(found) == 1 else None


def _write(context: Context, joined: ast.expr) -> None:
    context.editing.wrap(joined, context.definition(KNOWLEDGE, PROMOTED))
