"""``p.grad`` stays: the file that reads it has the vendored module give tensors the attribute, None where no gradient was kept."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE, SETTING, ATTRIBUTE = "mindport.equivalents.gradient_attribute", "TENSORS_HAVE_GRAD", "grad"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Ask for the attribute where it is read of what may be a tensor."""
    module = context.shared.catalog.modules.get(KNOWLEDGE)
    if module is not None and any(_reads(context, node) for node in context.file.nodes):
        context.runs(module, SETTING)


def _reads(context: Context, node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr=name, ctx=ast.Load(), value=owner) if name == ATTRIBUTE:
            return any(isinstance(kind, v.TensorValue | v.Unknown) for kind in v.options(context.facts.value(owner)))
    return False
