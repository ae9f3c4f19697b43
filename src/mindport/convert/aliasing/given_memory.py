"""``p.data = y``: a parameter stands on other memory, and nothing that was held of the old one is changed."""

from __future__ import annotations

import ast

from mindport.convert.aliasing.objects import Mutation, Object, links
from mindport.convert.context import Context
from mindport.convert.training.second_order import compiles_steps
from mindport.inference import values as v

KNOWLEDGE = "mindport.equivalents.given_memory"


def gets_memory(context: Context, mutation: Mutation) -> bool:
    """Whether the place is such an assignment. Compiled steps would go on with the old memory: in their projects the values are copied in."""
    if mutation.kind != "values" or not _is_plain(mutation.statement) or KNOWLEDGE not in context.shared.catalog.modules:
        return False
    options = [option for option in v.options(context.facts.value(mutation.target)) if option != v.NONE]
    return bool(options) and all(isinstance(o, v.TensorValue) and o.parameter for o in options) and not compiles_steps(context)


def _is_plain(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Attribute)


def is_whole(one: Object) -> bool:
    """Whether it is all of its memory, as it stands there."""
    return all(link.base is None or link.relation in ("detached", "passing") for link in links(one))


def plan_given(context: Context, mutation: Mutation) -> None:
    """Plan ``give_memory(p, y)``; kernels do not write into views, so of what may be one the parameter gets a copy."""
    statement = mutation.statement
    assert isinstance(statement, ast.Assign)
    apart = "" if mutation.given and all(is_whole(one) for one in mutation.given) else ", apart=True"

    def work() -> None:
        tensor, value = (context.editing.current(*context.editing.span(part)) for part in (mutation.target, statement.value))
        context.editing.replace(*context.editing.span(statement), f"{context.definition(KNOWLEDGE, 'give_memory')}({tensor}, {value}{apart})")

    context.plan(statement, work, last=True)
