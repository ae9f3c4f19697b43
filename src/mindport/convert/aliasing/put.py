"""``x[mask] = v`` that gradients ignore: ``put(x, mask, v)``, where a gradient flows through x.

MindSpore gives a tensor no gradient any more that is changed by a mask, a list or index tensors inside ``_no_grad``, silently
(measured, docs/differences/in_place.md). Numbers and slices are right as they are.
"""

from __future__ import annotations

import ast

from mindport.convert.aliasing.objects import Mutation
from mindport.convert.aliasing.regions import from_before
from mindport.convert.aliasing.written_through import is_region
from mindport.convert.context import Context
from mindport.convert.dtypes import WHOLE
from mindport.inference import values as v

KNOWLEDGE = "mindport.equivalents.inplace_indexing"
PUT = "put"


def loses_gradient(context: Context, mutation: Mutation) -> bool:
    """Whether a gradient may flow through the tensor, past the change, and MindSpore would stop it."""
    node = mutation.node
    if mutation.kind != "item" or not isinstance(node, ast.Subscript) or isinstance(node.value, ast.Subscript) or is_region(context, node):
        return False
    if not mutation.detached and not from_before(context, mutation):
        return False
    options = v.options(context.facts.value(mutation.target))
    return not all(isinstance(o, v.TensorValue) and (o.parameter or o.dtype in WHOLE) for o in options)


def plan_put(context: Context, mutation: Mutation) -> str:
    """Plan the call; a sentence where the statement is none that it can take the place of."""
    statement, node = mutation.statement, mutation.node
    if not (isinstance(statement, ast.Assign) and statement.targets == [node] and isinstance(node, ast.Subscript)):
        return "gradients ignore it in torch, and MindSpore would give the tensor none"

    def work() -> None:
        base, value = (context.editing.current(*context.editing.span(part)) for part in (mutation.target, statement.value))
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        index = ", ".join(_index(context, part) for part in parts)
        index = f"({index})" if isinstance(node.slice, ast.Tuple) else index
        context.editing.replace(*context.editing.span(statement), f"{context.definition(KNOWLEDGE, PUT)}({base}, {index}, {value})")

    context.plan(statement, work, last=True)
    return ""


def _index(context: Context, part: ast.expr) -> str:
    if not isinstance(part, ast.Slice):
        return context.editing.current(*context.editing.span(part))
    bounds = (part.lower, part.upper, part.step)
    return f"slice({', '.join('None' if b is None else context.editing.current(*context.editing.span(b)) for b in bounds)})"
