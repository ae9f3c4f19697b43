"""The tidy form of a training step: ``loss, grads = grad_fn(x, y)``, ``optimizer(grads)``, where nothing needs `.grad`."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from mindport.convert.context import Context
from mindport.convert.training.caught import errors_are_caught
from mindport.convert.training.names import FUNCTIONS, key, names, own_nodes
from mindport.convert.training.optimizers import Optimizer, is_module, made_before
from mindport.convert.training.region import Region
from mindport.convert.training.seen_gradients import are_handled
from mindport.convert.training.taking_part import all_take_part


@dataclass
class Tidy:
    """A step of one optimizer that needs no `.grad`: what goes, and the call that takes the gradients."""

    optimizer: Optimizer
    step: ast.Call
    cleared: list[ast.Call]


def clearing(context: Context, statements: list[ast.stmt]) -> list[ast.stmt]:
    """The statements that only clear gradients, where the others read none: as well done before them, and no part of what is differentiated."""
    nodes = [n for s in statements for n in [s, *own_nodes(s)]]
    called = {id(n.func) for n in nodes if isinstance(n, ast.Call)}
    if any(isinstance(n, ast.Attribute) and n.attr == "grad" and id(n) not in called for n in nodes):
        return []
    found: list[ast.stmt] = []
    for statement in statements:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="zero_grad"))) if id(statement) not in context.gone:
                if key(owner) is not None and str(key(owner)).split(".")[0] not in names(statements).stores:
                    found.append(statement)
    return found


def tidy(context: Context, region: Region, known: list[Optimizer]) -> Tidy | None:
    """The tidy form's parts, where clearing, backward and step of one optimizer stand in one block and nothing else sees gradients."""
    if not region.direct or len(known) != 1 or context.once(are_handled) or errors_are_caught(context, region.block[0], region.scope):
        return None
    one = known[0]
    if not all_take_part(context, region, one):
        return None
    nodes = list(own_nodes(region.scope))
    backwards = [n for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == "backward"]
    seen = {id(c) for c in one.clears}
    modules = [
        n for n in nodes
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == "zero_grad" and id(n) not in seen and is_module(context, n.func.value)
    ]  # fmt: skip
    cleared = [*one.clears, *modules]
    if len(backwards) != 1 or len(one.steps) != 1 or one.others or not cleared or not made_before(context, region, one.node):
        return None
    step = one.steps[0]
    places = {id(s): i for i, s in enumerate(region.block)}
    step_at = places.get(id(context.parents.get(id(step))))
    clear_at = [places.get(id(context.parents.get(id(c)))) for c in cleared]
    if step_at is None or step_at <= region.point or step.args or step.keywords:
        return None
    if any(at is None or region.point < at < step_at for at in clear_at):
        return None
    if any(at > step_at for at in clear_at if at is not None) and not all(at > step_at for at in clear_at if at is not None):
        return Tidy(one, step, cleared)
    if clear_at[0] is not None and clear_at[0] > step_at and _jumps(region.block):
        return None
    return Tidy(one, step, cleared)


def _jumps(block: list[ast.stmt]) -> bool:
    return any(isinstance(n, (ast.Continue, ast.Break, ast.Return)) for s in block for n in [s, *own_nodes(s)] if not isinstance(s, FUNCTIONS))
