"""``m.running_mean = None`` becomes ``set_statistics(m, "running_mean", None)``: MindSpore's normalisation would be called without a tensor that it needs."""

from __future__ import annotations

import ast

from mindport.convert.aliasing.synchronise import why_no_room
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
    """Plan the function for every statistic that what may be such a layer gives up, and for its switch."""
    for node in context.file.nodes:
        if isinstance(node, ast.Assign):
            targets = [target for target in node.targets if isinstance(target, ast.Attribute) and _gives_up(target.attr, node.value) and _may_be_layer(context, target.value)]
            if targets and len(targets) == len(node.targets):
                context.claimed.update(map(id, targets))
                context.plan(node, lambda n=node, t=targets: _write(context, n, t), last=True)  # type: ignore[misc]


def _gives_up(name: str, value: ast.expr) -> bool:
    return name == _TRACKS or name in _STATISTICS and isinstance(value, ast.Constant) and value.value is None


def _may_be_layer(context: Context, owner: ast.expr) -> bool:
    """Whether a layer of torch's is among what has the attribute; a class of the project sets its own in its constructor."""
    kinds = v.options(context.facts.value(owner))
    return any(may_be_instance_of(kind, _LAYERS) for kind in kinds) and not any(isinstance(kind, v.ProjectInstance) for kind in kinds)


def _write(context: Context, node: ast.Assign, targets: list[ast.Attribute]) -> None:
    start, end = context.editing.span(node)
    function, value = context.definition(KNOWLEDGE, FUNCTION), context.editing.current(*context.editing.span(node.value))
    calls = [f'{function}({context.editing.current(*context.editing.span(target.value))}, "{target.attr}", {value})' for target in targets]
    between = "; " if why_no_room(context, node) else f"\n{context.editing.indent(start)}"
    context.editing.replace(start, end, between.join(calls))
