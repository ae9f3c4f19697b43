"""Whether a value goes nowhere but to parameters that the equivalents drop: ``torch.arange(n, device=x.device)``.

What differs of such a value (`x.device` is a text in MindSpore) makes no difference. It is followed through names that a function binds to
nothing else, and through choices.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.decide import Leave, decide
from mindport.convert.site import site
from mindport.convert.training.names import FUNCTIONS
from mindport.inference.facts import Use

#: The parameter by which a function is told where to compute. An entry that drops it drops a device wherever it stands: ``x.to(y.device)``.
PLACE = "device"


def goes_nowhere(context: Context, node: ast.expr) -> bool:
    """Whether an attribute's value reaches dropped parameters only."""
    return _dropped(context, node, frozenset())


def _dropped(context: Context, node: ast.expr, names: frozenset[str]) -> bool:
    parent = context.parents.get(id(node))
    if isinstance(parent, ast.keyword):
        call = context.parents.get(id(parent))
    else:
        call = parent
    match call:
        case ast.Call(func=func) if func is not node:
            use = context.called.get(id(call))
            return use is not None and _drops(context, use, node)
        case ast.IfExp(test=test) if test is not node:
            return _dropped(context, call, names)
        case ast.Assign(targets=[ast.Name(id=name)]) if name not in names:
            return _name_dropped(context, call, name, names | {name})
    return False


def _name_dropped(context: Context, statement: ast.stmt, name: str, names: frozenset[str]) -> bool:
    """Whether all that a function does with a name is dropped."""
    inside: ast.AST | None = statement
    while inside is not None and not isinstance(inside, FUNCTIONS):
        inside = context.parents.get(id(inside))
    if inside is None:
        return False  # other files may read a module's names
    found = [n for n in ast.walk(inside) if isinstance(n, ast.Name) and n.id == name]
    outside = any(isinstance(n, (ast.Global, ast.Nonlocal)) and name in n.names for n in ast.walk(inside))
    return not outside and all(_dropped(context, n, names) for n in found if isinstance(n.ctx, ast.Load))


def _drops(context: Context, use: Use, value: ast.expr) -> bool:
    decision = decide(context.shared.catalog, site(use), context.look, context.shared.forced)
    if isinstance(decision, Leave) or decision.binding is None:
        return False
    parameter = next((name for name, expression in decision.binding.given.items() if expression is value), None)
    return parameter is not None and (parameter in decision.entry.drops or PLACE in decision.entry.drops)
