"""``if not self.training:`` in a constructor: torch's modules train from the start, MindSpore's cells do not until `set_train()` is called.

What makes a module calls `set_train()` (decision 007), which is too late for the constructor itself: where it asks, or a method that it
calls, the cell is set after the base class is constructed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.context import MODULE, Context
from mindport.inference.facts import Use

_TRAINING, _INIT = "training", "__init__"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the call behind the base class's constructor."""
    for cls, ancestors in context.facts.ancestors.items():
        methods = {part.name: part for part in cls.body if isinstance(part, ast.FunctionDef) and part.args.args}
        if MODULE not in ancestors or _INIT not in methods:
            continue
        init = methods[_INIT]
        owner = init.args.args[0].arg
        called = {call.func.attr for call in _calls(init) if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and call.func.value.id == owner}
        asking = [methods[name] for name in (_INIT, *sorted(called)) if name in methods]
        base = next((s for s in init.body if isinstance(s, ast.Expr) and isinstance(s.value, ast.Call) and isinstance(s.value.func, ast.Attribute) and s.value.func.attr == _INIT), None)
        if base is not None and any(map(_asks, asking)):
            context.plan(base, lambda b=base, o=owner: _write(context, b, o), last=True)  # type: ignore[misc]


def _calls(method: ast.FunctionDef) -> Iterator[ast.Call]:
    return (node for node in ast.walk(method) if isinstance(node, ast.Call))


def _asks(method: ast.FunctionDef) -> bool:
    """Whether a method reads whether its object is trained."""
    owner = method.args.args[0].arg
    return any(
        isinstance(node, ast.Attribute) and node.attr == _TRAINING and isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name) and node.value.id == owner
        for node in ast.walk(method)
    )


def _write(context: Context, base: ast.stmt, owner: str) -> None:
    start, end = context.editing.span(base)
    context.editing.insert(end, f"\n{context.editing.indent(start)}{owner}.set_train()")
