"""Classes with a backward pass of their own: `ms._Function` has the same methods, so the text stays.

The older name of what was saved, ``saved_variables``, becomes ``saved_tensors``. What it does not have (`jvp`, `vmap`) is said where the class defines it.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference.facts import Use

FUNCTION = "torch.autograd.Function"
CONTEXT = "torch.autograd.function.FunctionCtx"
#: Methods and attributes that MindSpore's class and its context have, too.
SAME = frozenset(
    [f"{FUNCTION}.apply"]
    + [f"{owner}.{name}" for owner in (FUNCTION, CONTEXT)
       for name in ("save_for_backward", "saved_tensors", "needs_input_grad", "mark_non_differentiable", "mark_dirty", "set_materialize_grads")]
)  # fmt: skip
OLD_NAME = "saved_variables"
#: Methods that a class may define and MindSpore never calls.
OVERRIDDEN = {"jvp": "MindSpore has no forward mode for such a class", "vmap": "MindSpore cannot map such a class over a batch"}


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Keep what is the same, and report what is not there."""
    for same_place in uses.values():
        use = same_place[0]
        if use.name in SAME and {u.name for u in same_place} <= SAME:
            context.claimed.add(id(use.node))
            text = context.file.segment(use.node)
            context.record(use, "same", text, text)
    for cls, ancestors in context.facts.ancestors.items():
        for statement in cls.body if FUNCTION in ancestors else ():
            if isinstance(statement, ast.FunctionDef) and statement.name in OVERRIDDEN:
                context.report(
                    "MP107", f"{cls.name} defines {statement.name}: {OVERRIDDEN[statement.name]}", statement,
                    api=f"{FUNCTION}.{statement.name}", mark=True,
                )  # fmt: skip
            if isinstance(statement, ast.FunctionDef) and statement.args.args:
                _rename_saved(context, statement, statement.args.args[0].arg)


def _rename_saved(context: Context, method: ast.FunctionDef, saver: str) -> None:
    for node in ast.walk(method):
        if isinstance(node, ast.Attribute) and node.attr == OLD_NAME and isinstance(node.value, ast.Name) and node.value.id == saver:
            end = context.editing.span(node)[1]
            context.plan(node, lambda e=end: context.editing.replace(e - len(OLD_NAME), e, "saved_tensors"))  # type: ignore[misc]
