"""Objects that a step makes of tensors: ``return Jet(u=u, du=du)`` of a data class, a named tuple or a plain class. No graph makes them."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.convert.training.reached_calls import calls
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.members import MODULE
from mindport.inference.overlays.python import NAMED_TUPLE

_MAKERS = frozenset(("types.SimpleNamespace",))
#: Classes whose objects are no values of a step.
_APART = frozenset((MODULE, "builtins.Exception", "builtins.BaseException", "torch.autograd.Function"))


def made_of_tensors(facts: Facts, nodes: Iterable[ast.AST]) -> ast.Call | None:
    """The first such call in the statements, or in what these call in the project."""
    for where, call in calls(facts, nodes, set()):
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if not all(isinstance(argument, ast.Constant) for argument in given) and _makes_object(where, call):
            return call
    return None


def _makes_object(facts: Facts, call: ast.Call) -> bool:
    for option in v.options(facts.value(call.func)):
        match option:
            case v.ProjectClass(scope=scope) if _APART.isdisjoint(scope.ancestors):
                return True
            case v.Api(name=name) if name in _MAKERS:
                return True
            case v.Unknown() if option == NAMED_TUPLE:
                return True
    return False
