"""``x.max(dim=1).values`` where nobody knows what x is: torch's tensors give named tuples, MindSpore's plain ones.

Where inference knows x, the field is read by its place. Here which it is shows when the program runs: an array's or a table's own result keeps its member.
"""

from __future__ import annotations

import ast

from mindport.convert.choice import KNOWLEDGE
from mindport.convert.context import Context
from mindport.convert.printing import quote_inside
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Use

_RESULTS = "torch.return_types."


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``field(x.max(dim=1), "values", 0)``."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    for node in context.file.nodes:
        match node:
            case ast.Attribute(value=ast.Call(func=ast.Attribute(value=receiver, attr=method)) as call, attr=name, ctx=ast.Load()) if _is_unknown(context, receiver) and _is_unknown(context, call):
                names = fields(method)
                if name in names:
                    context.plan(node, lambda n=node, c=call, p=names.index(name): _write(context, n, c, p), last=True)  # type: ignore[misc]


def fields(method: str) -> tuple[str, ...]:
    """The fields of what a method of torch's tensors gives; none where it is no named tuple."""
    api = torchfacts.member("torch.Tensor", method)
    for signature in api.signatures if api is not None and api.kind == "function" else ():
        result = torchfacts.lookup(signature.returns) if (signature.returns or "").startswith(_RESULTS) else None
        if result is not None:
            return tuple(parameter.name for parameter in result.signatures[0].parameters)
    return ()


def _is_unknown(context: Context, node: ast.expr) -> bool:
    """Whether nothing is known of a value, not even the library that it is from."""
    return all(isinstance(kind, v.Unknown) and not kind.origin for kind in v.options(context.facts.value(node)))


def _write(context: Context, node: ast.Attribute, call: ast.Call, place: int) -> None:
    editing = context.editing
    quote = quote_inside(node, context.parents, lambda outer: context.file.segment(outer)) or '"'
    name = context.definition(KNOWLEDGE, "field")
    editing.replace(*editing.span(node), f"{name}({editing.current(*editing.span(call))}, {quote}{node.attr}{quote}, {place})")
