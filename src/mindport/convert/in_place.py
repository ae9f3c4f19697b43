"""Whether the analysis of aliases has dealt with an ``inplace=True`` request, or nobody can see that it is dropped.

A call of a function is judged where it stands (`rewrites/in_place.py`). A layer is judged where it is called: through
the attribute of the object that holds it, at once, or behind the first one in a sequence: among its arguments, in its
ordered dictionary, or added to it by name behind another one.
"""

from __future__ import annotations

import ast

from mindport.convert.bind import Binding
from mindport.convert.context import Context
from mindport.convert.decide import mindspore_base
from mindport.convert.instances import is_instance_of
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.overlays import storage

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
        if isinstance(parent, ast.Call) and _is_added_behind(context, parent):
            return True
        if isinstance(parent, ast.Tuple) and (pairs := _ordered_pairs(context, parent)) is not None:
            if parent in pairs.elts[1:]:
                return True
            node = context.parents[id(pairs)]
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


def _ordered_pairs(context: Context, pair: ast.Tuple) -> ast.List | ast.Tuple | None:
    """The list of ``nn.Sequential(OrderedDict([("conv", …), ("relu", …)]))`` that a pair stands in."""
    listed = context.parents.get(id(pair))
    ordered = context.parents.get(id(listed))
    sequence = context.parents.get(id(ordered))
    if not isinstance(listed, ast.List | ast.Tuple) or not isinstance(ordered, ast.Call) or not isinstance(sequence, ast.Call):
        return None
    is_ordered = context.facts.value(ordered.func) == v.Api("collections.OrderedDict")
    return listed if is_ordered and ordered.args == [listed] and ordered in sequence.args and _is_sequence(context, sequence) else None


def _is_added_behind(context: Context, call: ast.Call) -> bool:
    """Whether ``blocks.add_module("relu", …)`` adds to a sequence to which the same block has added before, under a name that nothing asks for."""
    statement = context.parents.get(id(call))
    statement = context.parents.get(id(statement)) if isinstance(statement, ast.Tuple) else statement
    adding = _adds(statement)
    if adding is None or not all(is_instance_of(option, storage.SEQUENCES_OF_LAYERS) for option in v.options(context.facts.value(adding[0]))):
        return False
    owner, name = ast.dump(adding[0]), adding[1]
    if any(isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Load) for node in context.file.nodes):
        return False
    around = context.parents.get(id(statement))
    for block in (getattr(around, field, None) for field in ("body", "orelse", "finalbody")):
        if isinstance(block, list) and statement in block:
            before = (_adds(one) for one in block[: block.index(statement)])
            return any(one is not None and ast.dump(one[0]) == owner for one in before)
    return False


def _adds(statement: ast.AST | None) -> tuple[ast.expr, str] | None:
    """(what gets a module, its name) of a statement that adds one by a name that the text shows, or by one that a format makes ("")."""
    match statement:
        case (
            ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="add_module"), args=[name, _]))
            | ast.Expr(value=ast.Tuple(elts=[ast.Call(func=ast.Attribute(value=owner, attr="add_module"), args=[name, _])]))
        ):
            return owner, name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ""
    return None
