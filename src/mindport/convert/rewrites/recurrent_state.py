"""``lstm(x, [h, c])``: MindSpore's LSTM takes its two states as a tuple, torch's as any pair."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

LSTM = "torch.nn.LSTM"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``tuple(…)`` around the states of an LSTM where they may be a list."""
    for node in context.file.nodes:
        if not isinstance(node, ast.Call) or not any(
            isinstance(option, v.Instance) and option.cls == LSTM for option in v.options(context.facts.value(node.func))
        ):
            continue
        states = node.args[1] if len(node.args) > 1 else next((k.value for k in node.keywords if k.arg == "hx"), None)
        if states is None or isinstance(states, ast.Starred):
            continue
        kinds = v.options(context.facts.value(states))
        if any(isinstance(kind, v.Sequence) and kind.type == "list" for kind in kinds):
            # What may be a tensor as well is the state of a GRU that stands in the same place.
            surely = all(isinstance(kind, v.Sequence) for kind in kinds)
            if surely or isinstance(states, ast.Name):
                context.plan(states, lambda s=states, sure=surely: _write(context, s, sure), last=True)  # type: ignore[misc]


def _write(context: Context, states: ast.expr, surely: bool) -> None:
    start, end = context.editing.span(states)
    text = context.editing.current(start, end)
    context.editing.replace(start, end, f"tuple({text})" if surely else f"tuple({text}) if isinstance({text}, list) else {text}")
