"""Whether the analysis of aliases has dealt with an ``inplace=True`` request, or nobody can see that it is dropped.

A call of a function is judged where it stands (`rewrites/in_place.py`). A layer is judged where it is called: through
the attribute of the object that holds it, at once, or behind the first one in a sequence.
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


def is_settled(context: Context, use: Use, binding: Binding | None) -> bool:
    """Whether no finding is due where the request is written."""
    if not any(entry.kind == "layer" for entry in context.shared.catalog.find(use.name)):
        return True
    node: ast.AST = use.node
    while True:
        parent = context.parents.get(id(node))
        if isinstance(parent, ast.Call) and parent.func is node:
            return True
        if isinstance(parent, ast.Call) and _is_sequence(context, parent):
            if node in parent.args[1:]:
                return True
            node = parent
            continue
        break
    targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target] if isinstance(parent, ast.AnnAssign) else []
    return bool(targets) and all(isinstance(t, ast.Attribute) and _only_called(context, t) for t in targets)


def _only_called(context: Context, target: ast.Attribute) -> bool:
    """Whether the file calls the attribute wherever it names it, or puts it behind another layer, so that every use of the layer is seen."""
    for node in context.file.nodes:
        if isinstance(node, ast.Attribute) and node.attr == target.attr and isinstance(node.ctx, ast.Load):
            parent = context.parents.get(id(node))
            if not (isinstance(parent, ast.Call) and (parent.func is node or node in parent.args[1:] and _is_sequence(context, parent))):
                return False
    return isinstance(target.value, ast.Name)


def _is_sequence(context: Context, call: ast.Call) -> bool:
    made = context.facts.value(call)
    if not isinstance(made, v.Instance):
        return False
    bases = (mindspore_base(entry) for entry in context.shared.catalog.find(made.cls))
    return any(base is not None and ast.unparse(base) == SEQUENCE for base in bases)
