"""``t[range(n), classes]`` becomes ``t[list(range(n)), classes]``: MindSpore's tensors take lists as indices, no ranges.

Where a range has a name first (``rows = range(n // 2)``), or a function of the project gets or gives one, the index does not show it: in a project that
has such a range, the vendored module has tensors ask for it wherever something unknown is an index.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context, Files
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE, SETTING = "mindport.equivalents.range_indices", "TAKES_RANGES"
#: Python's functions that go through a range, or ask it, and keep none.
GONE_THROUGH = frozenset(("all", "any", "dict", "enumerate", "filter", "frozenset", "iter", "len", "list", "map", "max", "min", "next", "print", "reversed", "set", "sorted", "sum", "trange", "tqdm", "tuple", "zip"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``list(…)`` around every range that is an index of a tensor, or beside others an index of what is not known."""
    for node in context.file.nodes:
        if not isinstance(node, ast.Subscript):
            continue
        several = isinstance(node.slice, ast.Tuple)
        kinds = v.options(context.facts.value(node.value))
        if not any(isinstance(k, v.TensorValue) or (several and isinstance(k, v.Unknown)) for k in kinds):
            continue
        for index in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            if isinstance(index, ast.Call) and isinstance(index.func, ast.Name) and index.func.id == "range":
                context.plan(index, lambda i=index: _write(context, i), last=True)  # type: ignore[misc]
    if KNOWLEDGE in context.shared.catalog.modules and context.beside_torch() and any(_may_be_range(context, node) for node in context.file.nodes) and context.once(_ranges_travel):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)


def _write(context: Context, index: ast.Call) -> None:
    start, end = context.editing.span(index)
    context.editing.insert(start, "list(")
    context.editing.insert(end, ")")


def _may_be_range(context: Context, node: ast.AST) -> bool:
    """Whether what may be a tensor is indexed by what may be a range: a name, a member or an item that is a range or unknown."""
    if not isinstance(node, ast.Subscript) or not any(isinstance(k, v.TensorValue | v.Unknown) for k in v.options(context.facts.value(node.value))):
        return False
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return any(isinstance(part, ast.Name | ast.Attribute | ast.Subscript) and _is_range_or_unknown(context, part) for part in parts)


def _is_range_or_unknown(context: Context, node: ast.expr) -> bool:
    return any(isinstance(k, v.Unknown) or isinstance(k, v.Sequence) and k.type == "iterator" for k in v.options(context.facts.value(node)))


def _ranges_travel(project: Files) -> bool:
    """Whether a range is more than what a loop or a function of Python's goes through: it has a name, stands in a container, is given back or handed to a function of the project."""
    return any(_travels(child, node) for file, _ in project for node in file.nodes for child in ast.iter_child_nodes(node) if _is_range(child))


def _is_range(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


def _travels(node: ast.AST, parent: ast.AST) -> bool:
    if isinstance(parent, ast.Call):
        return isinstance(parent.func, ast.Name) and parent.func.id not in GONE_THROUGH
    return isinstance(parent, ast.Tuple | ast.List | ast.Dict | ast.IfExp | ast.Assign | ast.AnnAssign | ast.Return | ast.keyword)
