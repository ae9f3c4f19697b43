"""What no graph does in a step that is compiled: objects made of tensors (``return Jet(u=u, du=du)`` of a data class, a named tuple, a plain class), and class methods, whose class MindSpore's compiler does not hand in."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.convert.training.reached_calls import calls
from mindport.convert.training.second_order import bodies
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.members import MODULE
from mindport.inference.overlays.python import NAMED_TUPLE

_MAKERS = frozenset(("types.SimpleNamespace",))
#: Classes whose objects are no values of a step.
_APART = frozenset((MODULE, "builtins.Exception", "builtins.BaseException", "torch.autograd.Function"))


def beyond_graphs(facts: Facts, nodes: Iterable[ast.AST]) -> tuple[ast.Call, str] | None:
    """The first such call in the statements, or in what these call in the project, and what it does as half a sentence."""
    for where, call in calls(facts, nodes, set()):
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if not all(isinstance(argument, ast.Constant) for argument in given) and _makes_object(where, call):
            return call, f"`{ast.unparse(call)}` makes an object, which no graph does"
        if any(_is_of_class(scope.node) for option in v.options(where.value(call.func)) for scope in bodies(option)):
            return call, f"`{ast.unparse(call.func)}` is a method of a class, which no graph gets the class of"
    return None


def _is_of_class(function: ast.AST) -> bool:
    return any(isinstance(decorator, ast.Name) and decorator.id == "classmethod" for decorator in getattr(function, "decorator_list", ()))


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
