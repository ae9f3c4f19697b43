"""``loss[mask].sum()``: what the data leave of a tensor may be nothing, and its sum what was in memory; pairs and positions of nothing raise.

Where an operand's size is decided by data (as `empty_index` follows it), an API takes its form for such operands, where knowledge has one.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.context import Context
from mindport.convert.operands import operands
from mindport.convert.rewrites.empty_index import BINDING, counted_names, is_counted
from mindport.convert.scopes import SCOPES, scope_of
from mindport.convert.training.names import own_nodes
from mindport.forms import OF_COUNTED
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give such uses the name of the other form."""
    found = [same_place for same_place in uses.values() if any(context.shared.catalog.find(use.name + OF_COUNTED) for use in same_place)]
    if not found:
        return
    named = {id(use.node): use.name for same_place in uses.values() for use in same_place}
    counted: dict[int, set[str]] = {}
    for same_place in found:
        for place, use in enumerate(same_place):
            if not context.shared.catalog.find(use.name + OF_COUNTED):
                continue
            scope = scope_of(context, use.node)
            if id(scope) not in counted:
                statements = [node for node in own_nodes(scope) if isinstance(node, BINDING)]
                counted[id(scope)] = counted_names(context, statements, named)
            names = counted[id(scope)] - _parameters(context, use.node)
            if any(is_counted(context, each, names, named) for each in operands(use)):
                same_place[place] = replace(use, name=use.name + OF_COUNTED)


def _parameters(context: Context, node: ast.AST) -> set[str]:
    """Names that the lambdas around a place bind."""
    found: set[str] = set()
    above = context.parents.get(id(node))
    while above is not None and not isinstance(above, SCOPES):
        if isinstance(above, ast.Lambda):
            found |= {a.arg for a in ast.walk(above.args) if isinstance(a, ast.arg)}
        above = context.parents.get(id(above))
    return found
