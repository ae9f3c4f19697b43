"""``m.running_mean = None`` becomes ``set_statistics(m, "running_mean", None)``: MindSpore's normalisation would be called without a tensor that it needs."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.instances import may_be_instance_of
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE, FUNCTION = "mindport.layers.given_up_statistics", "set_statistics"
#: What torch's layer asks in each call.
_STATISTICS = ("running_mean", "running_var", "num_batches_tracked")
_TRACKS = "track_running_stats"
_LAYERS = frozenset(("torch.nn.modules.batchnorm._BatchNorm", *(f"torch.nn.BatchNorm{n}d" for n in (1, 2, 3)), "torch.nn.SyncBatchNorm"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the function for every statistic that what may be such a layer gives up, and for its switch; several targets in one statement stay."""
    for node in context.file.nodes:
        match node:
            case ast.Assign(targets=[ast.Attribute(value=owner, attr=name) as target], value=value) if _gives_up(name, value) and _may_be_layer(context, owner):
                context.claimed.add(id(target))
                context.plan(node, lambda n=node, o=owner, a=name: _write(context, n, o, a), last=True)  # type: ignore[misc]


def _gives_up(name: str, value: ast.expr) -> bool:
    return name == _TRACKS or name in _STATISTICS and isinstance(value, ast.Constant) and value.value is None


def _may_be_layer(context: Context, owner: ast.expr) -> bool:
    """Whether a layer of torch's is among what has the attribute; a class of the project sets its own in its constructor."""
    kinds = v.options(context.facts.value(owner))
    return any(may_be_instance_of(kind, _LAYERS) for kind in kinds) and not any(isinstance(kind, v.ProjectInstance) for kind in kinds)


def _write(context: Context, node: ast.Assign, owner: ast.expr, name: str) -> None:
    whom, value = (context.editing.current(*context.editing.span(part)) for part in (owner, node.value))
    context.editing.replace(*context.editing.span(node), f'{context.definition(KNOWLEDGE, FUNCTION)}({whom}, "{name}", {value})')
