"""Whether anyone can see that an in-place request (``inplace=True``) is dropped.

Known unsoundness: a call that returns its own argument (``nn.Identity``), or a view of what is read later,
counts as making a new tensor.
"""

from __future__ import annotations

import ast

from mindport.convert.bind import Binding
from mindport.convert.context import Context
from mindport.convert.decide import mindspore_base
from mindport.inference import values as v
from mindport.inference.facts import Use

#: The MindSpore cell that hands each of its cells the result of the one before.
SEQUENCE = "nn.SequentialCell"


def input_is_fresh(context: Context, use: Use, binding: Binding | None) -> bool:
    """Whether nobody else holds what is changed: a function's argument is a call's result or a sum, or a layer
    stands behind another one in a sequence."""
    is_layer = any(entry.kind == "layer" for entry in context.shared.catalog.find(use.name))
    if not is_layer and binding is not None and binding.given:
        return isinstance(next(iter(binding.given.values())), (ast.Call, ast.BinOp))
    parent = context.parents.get(id(use.node))
    if not isinstance(parent, ast.Call) or use.node not in parent.args[1:]:
        return False
    made = context.facts.value(parent)
    return isinstance(made, v.Instance) and _is_sequence(context, made.cls)


def _is_sequence(context: Context, name: str) -> bool:
    bases = (mindspore_base(entry) for entry in context.shared.catalog.find(name))
    return any(base is not None and ast.unparse(base) == SEQUENCE for base in bases)
