"""What a step computes by whose parameters it does not name, where no optimizer shows them: ``loss = head(x) + penalty(x)``, and `penalty` calls a network of its own."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from mindport.convert.context import MODULE, Context
from mindport.convert.training.carrying import Carrying
from mindport.convert.training.holding import is_of_parameters
from mindport.convert.training.names import key, own_nodes, parameters, root
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.scopes import FunctionScope


def unlisted(context: Context, scopes: list[ast.AST], parts: Iterable[ast.AST], listed: Collection[str]) -> ast.expr | None:
    """A call or an attribute in `parts` that computes, for certain, by modules or parameters other than those of the `listed` texts."""
    carrying, named = Carrying(context.facts, scopes, context.file.tree), set(listed)
    for part in (node for one in parts for node in ast.walk(one)):
        if isinstance(part, ast.Call) and _is_unlisted(context.facts, carrying, part, named, set()):
            return part
        if isinstance(part, ast.Attribute) and any(carrying.gives(owner, part.attr) for owner in v.options(context.facts.value(part.value))) and not _is_named(part.value, named):
            return part
        if isinstance(part, ast.Name) and any(carrying.gives(kind) for kind in v.options(context.facts.value(part))) and not _is_named(part, named):
            return part
    return None


def _is_unlisted(facts: Facts, carrying: Carrying, call: ast.Call, listed: set[str], seen: set[int]) -> bool:
    for kind in v.options(facts.value(call.func)):
        function = kind.function if isinstance(kind, v.Bound) else kind
        if isinstance(kind, v.Bound) and _is_module(kind.receiver):
            held = call.func.value if isinstance(call.func, ast.Attribute) else call.func
            if carrying.makes(kind, call) and not _is_named(held, listed):
                return True
        elif isinstance(function, v.ProjectFunction):
            if _runs_others(carrying, function.scope, _given(function.scope, call, isinstance(kind, v.Bound), listed), seen):
                return True
        elif _is_module(kind) and carrying.makes(kind, call) and not _is_named(call.func, listed):
            return True
        elif isinstance(kind, v.Api):  # ``map(encode, images)``
            handed = [one for argument in call.args for one in v.options(facts.value(argument)) if isinstance(one, v.ProjectFunction) and not isinstance(argument, ast.Lambda)]
            if any(_runs_others(carrying, one.scope, set(), seen) for one in handed):
                return True
    return False


def _runs_others(carrying: Carrying, scope: FunctionScope, listed: set[str], seen: set[int]) -> bool:
    """Whether a project function runs modules, or reads parameters, that are not those of its `listed` parameters."""
    if id(scope.node) in seen or not carrying.active(scope, doubt=False):
        return False
    seen.add(id(scope.node))
    facts, tree = scope.module.facts, scope.module.file.tree
    inner = Carrying(facts, [scope.node, tree], tree)
    for part in own_nodes(scope.node):
        if isinstance(part, ast.Call) and _is_unlisted(facts, inner, part, listed, seen):
            return True
        if isinstance(part, ast.Attribute) and any(map(is_of_parameters, v.options(facts.value(part)))) and not _is_named(part.value, listed):
            return True
    return False


def _given(scope: FunctionScope, call: ast.Call, bound: bool, listed: set[str]) -> set[str]:
    """The parameters of a function for which a call gives what is listed, or a part of it."""
    own = parameters(scope.node)[1 if bound else 0 :]  # type: ignore[arg-type]
    pairs = [*zip(own, call.args, strict=False), *((k.arg, k.value) for k in call.keywords if k.arg is not None)]
    return {name for name, value in pairs if _is_named(value, listed)}


def _is_named(node: ast.expr, listed: set[str]) -> bool:
    """Whether an expression is one of the `listed`, or a part of one: ``net.layers[0]`` of `net`."""
    text, start = key(node) or "", root(node)
    words = text.split(".")
    return any(".".join(words[: k + 1]) in listed for k in range(len(words))) or isinstance(start, ast.Name) and start.id in listed


def _is_module(value: v.Value) -> bool:
    if isinstance(value, v.ProjectInstance):
        return MODULE in value.cls.scope.ancestors
    return isinstance(value, v.Instance)
