"""Backward calls over one graph (``retain_graph=True``): gradients that go to the same place are those of the sum."""

from __future__ import annotations

import ast
from collections.abc import Callable

from mindport.convert.context import Context
from mindport.convert.training.region import Obstacle, Region, _check, _inputs_and_outputs
from mindport.inference.facts import Use

Found = tuple[Use, Region]


def merged(context: Context, found: list[Found], refuse: Callable[[Use, Obstacle], None]) -> list[list[Found]]:
    """Groups of backward calls that are written as one; most hold one call."""
    groups: list[list[Found]] = []
    for use, region in found:
        together = next((g for g in groups if _overlap(g[0][1], region)), None)
        if together is None:
            groups.append([(use, region)])
            continue
        try:
            _merge(context, together[0][1], region)
            together.append((use, region))
        except Obstacle as obstacle:
            refuse(use, obstacle)
            for other, _ in together:
                refuse(other, obstacle)
            groups.remove(together)
    return groups


def _overlap(first: Region, second: Region) -> bool:
    """Whether two calls go back through statements of both, the later not holding the earlier whole."""
    if first.block is not second.block or not first.moved or not second.moved:
        return False
    shared = first.start < second.end and second.start < first.end
    return shared and not (second.start <= first.start and first.point < second.end)


def _merge(context: Context, first: Region, second: Region) -> None:
    """Make `first` the region of the sum of both losses. Raises Obstacle."""
    if not (first.direct and second.direct):
        raise Obstacle("two backward calls on different ways go back through the same statements", second.call)
    for statement in first.block[first.point + 1 : second.point]:
        for part in ast.walk(statement):
            name = part.attr if isinstance(part, ast.Attribute) else part.id if isinstance(part, ast.Name) else ""
            if name in ("grad", "step", "zero_grad", "unscale_") or name.startswith("clip_grad"):
                raise Obstacle(
                    "two backward calls go back through the same statements, and gradients are used between them: compute the forward "
                    "pass once for each, or detach what the second does not need", part,
                )  # fmt: skip
    first.start, first.end = min(first.start, second.start), max(first.end, second.end)
    if first.end > first.point:
        raise Obstacle("the second loss is computed after the first backward call from the same statements", second.call)
    first.losses = [*first.losses, second.loss]
    _check(first)
    _inputs_and_outputs(context, first)
