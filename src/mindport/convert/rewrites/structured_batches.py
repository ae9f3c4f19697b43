"""``vmap(grad(loss), in_dims=(None, 0, 0))(params, x, y)`` with a dict of parameters: a form that computes member by member.

`ms.vmap` compiles what it maps, and cannot compile calls with dicts. The form is taken in files that hold modules' parameters
as such (`functional_call`, `stack_module_state`), or where a mapped function is called with a dict.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.context import Context
from mindport.forms import OF_STRUCTURES
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give such uses the name of the other form."""
    found = [same_place for same_place in uses.values() if any(context.shared.catalog.find(use.name + OF_STRUCTURES) for use in same_place)]
    if not found:
        return
    states = any(use.name.rpartition(".")[2] in ("functional_call", "stack_module_state") for same_place in uses.values() for use in same_place)
    for same_place in found:
        for place, use in enumerate(same_place):
            if context.shared.catalog.find(use.name + OF_STRUCTURES) and (states or _called_with_dict(context, use.node)):
                same_place[place] = replace(use, name=use.name + OF_STRUCTURES)


def _called_with_dict(context: Context, mapped: ast.AST) -> bool:
    """Whether what a call makes is called with a dict, at its place or by the name that it is bound to."""
    above = context.parents.get(id(mapped))
    names = {t.id for t in above.targets if isinstance(t, ast.Name)} if isinstance(above, ast.Assign) else set()
    calls = [call for call in context.file.nodes if isinstance(call, ast.Call)]
    own = [call for call in calls if call.func is mapped or (isinstance(call.func, ast.Name) and call.func.id in names)]
    return any(isinstance(option, v.Mapping) for call in own for given in call.args for option in v.options(context.facts.value(given)))
