"""``conv.bias = None`` becomes ``remove_bias(conv)``: MindSpore's cells would add the missing bias all the same.

``conv.bias = nn.Parameter(…)`` becomes ``set_bias(conv, …)``: a cell that was made without a bias would not add it. Where the new
value is made of the former one, there is one.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.instances import may_be_instance_of
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.assigned_modules"
#: Layers whose cells ask `has_bias` when they run.
_LAYERS = frozenset(("torch.nn.Linear", "torch.nn.modules.conv._ConvNd", *(f"torch.nn.Conv{kind}{n}d" for kind in ("", "Transpose") for n in (1, 2, 3))))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the functions for every bias that is set on what may be such a layer."""
    for node in context.file.nodes:
        match node:
            case ast.Assign(targets=[ast.Attribute(value=owner) as target], value=value) if gives_bias(context, target, value):
                function = "remove_bias" if isinstance(value, ast.Constant) else "set_bias"
                context.plan(node, lambda n=node, o=owner, f=function: _write(context, n, o, f), last=True)  # type: ignore[misc]


def gives_bias(context: Context, target: ast.expr, value: ast.expr) -> bool:
    """Whether it is a layer's bias that is given up, or a parameter that the layer may have been made without."""
    if KNOWLEDGE not in context.shared.catalog.modules or not isinstance(target, ast.Attribute) or target.attr != "bias":
        return False
    if not any(may_be_instance_of(option, _LAYERS) for option in v.options(context.facts.value(target.value))):
        return False
    if isinstance(value, ast.Constant):
        return value.value is None
    kinds = v.options(context.facts.value(value))
    former = ast.dump(target).replace("Store()", "Load()")
    return any(isinstance(kind, v.TensorValue) and kind.parameter for kind in kinds) and not any(ast.dump(part) == former for part in ast.walk(value))


def _write(context: Context, node: ast.Assign, owner: ast.expr, function: str) -> None:
    texts = [context.editing.current(*context.editing.span(part)) for part in ([owner] if function == "remove_bias" else [owner, node.value])]
    context.editing.replace(*context.editing.span(node), f"{context.definition(KNOWLEDGE, function)}({', '.join(texts)})")
