"""``torch.FloatTensor(x.shape)`` and ``x.new(x.size())``: a size alone is written out, ``float_tensor(*x.shape)``.

torch tells a `torch.Size` from a tuple of data; MindSpore's shapes are plain tuples.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.legacy_constructors"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the star before every size that such a constructor is given alone, also one that an attribute or a parameter holds (``self.Tensor(x.size())``)."""
    named = {id(same_place[0].node): same_place[0].name for same_place in uses.values()}
    for node in context.file.nodes:
        if not isinstance(node, ast.Call) or len(node.args) != 1 or isinstance(node.args[0], ast.Starred):
            continue  # ``x.new(*x.shape)`` is written out as it stands
        held = [o.name if isinstance(o, v.Api) else "" for o in v.options(context.facts.value(node.func))] if isinstance(node.func, ast.Name | ast.Attribute) else []
        names = [named[id(node)]] if id(node) in named else held
        if names and all(constructs(context, name) for name in names) and _is_size(context, node.args[0]):
            size = node.args[0]
            context.plan(size, lambda s=size: context.editing.insert(context.editing.span(s)[0], "*"), last=True)  # type: ignore[misc]


def constructs(context: Context, name: str) -> bool:
    """Whether a name of torch's is one of the classes that make tensors of a size or of data."""
    return any(entry.module.name == KNOWLEDGE and entry.kind == "function" for entry in context.shared.catalog.find(name))


def _is_size(context: Context, node: ast.expr) -> bool:
    """A `torch.Size`, or what is unknown and has its size asked: a tensor, as no array has such a method; nor has one `new` (``x.new(x.shape)``)."""
    kinds = v.options(context.facts.value(node))
    asked = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "size" and not node.args
    match node, context.parents.get(id(node)):
        case ast.Attribute(attr="shape", value=owner), ast.Call(func=ast.Attribute(attr="new", value=maker)):
            asked = ast.dump(owner) == ast.dump(maker)
    return all(isinstance(kind, v.Sequence) and kind.type == "torch.Size" or asked and isinstance(kind, v.Unknown) for kind in kinds)
