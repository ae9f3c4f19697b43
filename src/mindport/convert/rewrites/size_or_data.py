"""``torch.Tensor(space.shape)``: sizes where `shape` is a tensor's (torch.Size), data where it is an array's or a space's, which is a plain tuple.

In MindSpore both are tuples, and the constructor could only refuse. Whose shape it is decides when the program runs:
``float_tensor(*size_or_data(space))``.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.size_or_data"
CHOICE = "size_or_data"
_CONSTRUCTORS = frozenset(f"torch.{name}Tensor" for name in ("", "Float", "Double", "Half", "Long", "Int", "Short", "Byte", "Char", "Bool"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the choice for the shape of what may be no tensor."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    for same_place in uses.values():
        for use in same_place:
            if use.name not in _CONSTRUCTORS or use.kind != "call" or not isinstance(use.node, ast.Call) or use.node.keywords:
                continue
            match use.node.args:
                case [ast.Attribute(attr="shape", value=owner) as shape] if not _is_tensor(context, owner):
                    context.plan(shape, lambda s=shape: _write(context, s), last=True)  # type: ignore[misc]


def _is_tensor(context: Context, node: ast.expr) -> bool:
    return all(isinstance(option, v.TensorValue) for option in v.options(context.facts.value(node)))


def _write(context: Context, shape: ast.Attribute) -> None:
    name = context.definition(KNOWLEDGE, CHOICE)
    owner = context.editing.current(*context.editing.span(shape.value))
    context.editing.replace(*context.editing.span(shape), f"*{name}({owner})")
