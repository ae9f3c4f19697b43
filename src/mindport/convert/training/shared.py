"""Backward calls over one graph (``retain_graph=True``): gradients that go to the same place are those of the sum."""

from __future__ import annotations

import ast
from collections.abc import Callable

from mindport.convert.context import Context
from mindport.convert.effects import effect
from mindport.convert.training.names import names
from mindport.convert.training.region import Obstacle, Region, check, inputs_and_outputs
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
    return [group for group in groups if _is_computable(group, refuse)]


def _is_computable(group: list[Found], refuse: Callable[[Use, Obstacle], None]) -> bool:
    """A loss that is an expression in another block is computed early: only where that does nothing but arithmetic."""
    use, region = group[0]
    if region.early and region.test is None and effect(region.loss) == "effect":
        refuse(use, Obstacle(f"`{ast.unparse(region.loss)}` is computed in another block than what it is computed from", region.call))
        return False
    return True


def _overlap(first: Region, second: Region) -> bool:
    """Whether two calls go back through statements of both, the later not holding the earlier whole."""
    if first.block is not second.block or not first.moved or not second.moved:
        return False
    shared = first.start < second.end and second.start < first.end
    return shared and not (second.start <= first.start and first.point < second.end)


def _merge(context: Context, first: Region, second: Region) -> None:
    """Make `first` the region of both losses: of their sum, or of the one whose branch is taken. Raises Obstacle."""
    if first.weight is not None or second.weight is not None:
        raise Obstacle("two backward calls go back through the same statements, one with a gradient of its own", second.call)
    if first.point == second.point and not first.direct and not second.direct:
        _choose(context, first, second)
        return
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
    check(first.moved)
    inputs_and_outputs(context, first)


def _choose(context: Context, first: Region, second: Region) -> None:
    """Both branches of one if statement call backward, each on its own loss."""
    statement = first.block[first.point]
    if not isinstance(statement, ast.If) or effect(statement.test) == "effect" or len(first.losses) > 1:
        raise Obstacle("backward is called on several ways that cannot be told apart before", second.call)
    branches = [[context.parents.get(id(call)) in block for block in (statement.body, statement.orelse)] for call in (first.call, second.call)]
    if branches != [[True, False], [False, True]]:
        raise Obstacle("backward is called on several ways that cannot be told apart before", second.call)
    if set(names(statement.test).reads) & set(names(first.block[first.end : first.point]).stores):
        raise Obstacle("what decides between the backward calls changes after the forward pass", statement)
    first.start, first.end = min(first.start, second.start), max(first.end, second.end)
    first.losses, first.test = [first.loss, second.loss], statement.test
    check(first.moved)
    inputs_and_outputs(context, first)
