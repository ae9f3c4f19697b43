"""A torch module is born in training mode, a MindSpore cell in evaluation mode.

Where the project constructs a module outside of a module's methods, and the mode matters to it, the
construction gets ``.set_train()``, which reaches all cells inside: ``Net()`` → ``Net().set_train()``.
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.inference import values as v
from mindport.inference.facts import Use

#: Library layers that compute something else in training, or hold layers that may.
MODE_MATTERS = frozenset(
    f"torch.nn.{name}"
    for name in (
        "Sequential", "ModuleList", "ModuleDict", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout",
        "FeatureAlphaDropout", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm", "InstanceNorm1d", "InstanceNorm2d",
        "InstanceNorm3d", "RReLU", "RNN", "LSTM", "GRU", "MultiheadAttention", "Transformer", "TransformerEncoder",
        "TransformerEncoderLayer", "TransformerDecoder", "TransformerDecoderLayer",
    )
)  # fmt: skip


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``.set_train()`` on constructions in functions and at module level."""
    named = {node: same_place[0].name for (node, _), same_place in uses.items() if same_place[0].kind == "call"}
    for node in ast.walk(context.file.tree):
        if isinstance(node, ast.Call) and _mode_matters(context, node, named) and not _set_from_outside(context, node, named):
            context.plan(node, lambda n=node: _set_train(context, n), last=True)  # type: ignore[misc]


def _mode_matters(context: Context, node: ast.Call, named: dict[int, str]) -> bool:
    return named.get(id(node)) in MODE_MATTERS or _is_project_module(context, node)


def _is_project_module(context: Context, node: ast.Call) -> bool:
    value = context.facts.value(node.func)
    return isinstance(value, v.ProjectClass) and MODULE in value.scope.ancestors


def _set_from_outside(context: Context, node: ast.AST, named: dict[int, str]) -> bool:
    """Whether a module made around this one, or the class that holds it, sets the mode of all inside."""
    current = context.parents.get(id(node))
    while current is not None:
        if isinstance(current, ast.ClassDef) and MODULE in context.facts.ancestors.get(current, ()):
            return True
        if isinstance(current, ast.Call) and _mode_matters(context, current, named):
            return True
        current = context.parents.get(id(current))
    return False


def _set_train(context: Context, node: ast.Call) -> None:
    start, end = context.editing.span(node)
    parent = context.parents.get(id(node))
    if isinstance(parent, ast.Attribute) and parent.attr in ("set_train", "train", "eval"):
        return  # the next call sets the mode anyway
    context.editing.replace(start, end, context.editing.current(start, end) + ".set_train()")
