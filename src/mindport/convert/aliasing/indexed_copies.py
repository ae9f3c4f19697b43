"""``p = x[[2, 0]]``, changed later, becomes ``p = x[[2, 0]].copy()``: torch indexes by lists, tensors and masks into memory of its own.

MindSpore's result is new memory, too, but remembers where it was taken from, and ``p[0] = v`` is written back into x
(`Tensor.parent_tensor_`, measured with 2.10.0 in PyNative): x changes without an error. And ``x[t]`` with a `t` without axes is a
view in torch, a copy in MindSpore. Where a function changes what it took itself, it takes a copy. What it gives to others
(who may change it), and elements taken from what is changed, have the vendored module teach MindSpore torch's rule.
"""

from __future__ import annotations

import ast

from mindport.convert.aliasing.flow import Flow
from mindport.convert.aliasing.knowledge import Knowledge
from mindport.convert.aliasing.objects import links, path
from mindport.convert.context import Context
from mindport.convert.dtypes import TRUTH
from mindport.inference import values as v
from mindport.source.walking import walk

KNOWLEDGE, SETTING = "mindport.equivalents.index_memory", "INDEXES_AS_TORCH"


def plan_copies(context: Context, scope: ast.AST, flow: Flow, knowledge: Knowledge) -> frozenset[int]:
    """Plan the copy of everything that indexing made in the scope and that is changed in place there; id(node) of what may be a view all the same."""
    elements = set()
    changed = {link.key for mutation in flow.mutations.values() for one in mutation.objects for link in links(one) if link.origin == "new"}  # past `.data` and views
    for node in walk(scope):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and id(node) in changed and knowledge.is_tensor(node.value):
            if may_be_element(context, node):
                elements.add(id(node))
                decide_when_run(context)
            else:
                context.plan(node, lambda n=node: _write(context, n), last=2)  # type: ignore[misc]
    return frozenset(elements)


def index_as_torch(context: Context, scope: ast.AST, flow: Flow, knowledge: Knowledge) -> None:
    """Have the vendored module set MindSpore's indexing right, where a result of it may be changed elsewhere, or its base."""
    if KNOWLEDGE not in context.shared.catalog.modules or not context.shared.writes_in_place:
        return
    given = {link.key for one in (*flow.returned, *flow.held) for link in links(one)}
    changed = {path(mutation.target) for mutation in flow.mutations.values()} - {None}
    for node in walk(scope):
        if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load) or not _is_known_tensor(context, node.value):
            continue
        if (id(node) in given and knowledge.index(node.slice) != "index") or (path(node.value) in changed and may_be_element(context, node)):
            decide_when_run(context)
            return


def decide_when_run(context: Context) -> None:
    """Have the vendored module set it right: indices show then what they are."""
    context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)


def _is_known_tensor(context: Context, node: ast.expr) -> bool:
    return any(isinstance(option, v.TensorValue) for option in v.options(context.facts.value(node)))


def may_be_element(context: Context, node: ast.Subscript) -> bool:
    """Whether all indices are numbers or slices, and one of the numbers may be a tensor."""
    counted = False
    for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
        tensors = [o for o in v.options(context.facts.value(part)) if isinstance(o, v.TensorValue)]
        if any(o.shape or o.dtype == TRUTH for o in tensors) or isinstance(part, (ast.List, ast.Compare)):
            return False
        counted = counted or bool(tensors)
    return counted


def _write(context: Context, node: ast.Subscript) -> None:
    start, end = context.editing.span(node)
    context.editing.replace(start, end, f"{context.editing.current(start, end)}.copy()")
