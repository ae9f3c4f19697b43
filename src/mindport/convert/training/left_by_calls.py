"""Where calls leave what they compute, beside their results: ``agent.act(state)`` in the agent's lists, ``play(net, kept)`` in what it is given, ``act(s)`` around a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.training.left_behind import followed, stored
from mindport.convert.training.names import own_nodes, parameters
from mindport.convert.training.second_order import bodies
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.scopes import FunctionScope
from mindport.source.walking import walk

#: What functions leave, by function and whether what they are given carries a gradient.
Known = dict[tuple[int, bool], set[str]]


def left_by_call(facts: Facts, module: ast.Module, call: ast.Call, given: bool) -> frozenset[str]:
    """Where the functions that a call in a file runs leave what they compute by modules and parameters, or what they are `given`: names, and attributes with a point before them."""
    return frozenset(_left_by(facts, module, call, given, {}))


def _left_by(facts: Facts, module: ast.Module, call: ast.Call, given: bool, known: Known) -> set[str]:
    found: set[str] = set()
    for scope in _run(facts, call.func):
        for place in _left_inside(scope, given, known):
            if place in parameters(scope.node):
                found |= {name for argument in _arguments(scope, call, place) for name in _named(argument)}
            else:
                found |= {place, *_given_back(facts, module, scope, place)}
        for wrapping in _wrapping(scope):
            found |= _left_inside(wrapping, True, known) - set(parameters(wrapping.node))
    for argument in call.args:  # ``map(agent.act, states)``
        for scope in _run(facts, argument):
            found |= _left_inside(scope, given, known) - set(parameters(scope.node))
    return found


def _run(facts: Facts, called: ast.expr) -> list[FunctionScope]:
    return [scope for kind in v.options(facts.value(called)) for scope in bodies(kind)]


def _wrapping(scope: FunctionScope) -> Iterator[FunctionScope]:
    """The project's functions that decorators put in a function's place."""
    for decorator in getattr(scope.node, "decorator_list", ()):
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        pending = [(made, 2 if isinstance(decorator, ast.Call) else 1) for made in _run(scope.module.facts, called)]
        for made, depth in pending:
            inner = [kind.scope for kind in v.options(made.returned or v.Unknown()) if isinstance(kind, v.ProjectFunction)]
            if depth == 1:
                yield from inner
            else:
                pending += [(one, depth - 1) for one in inner]


def _left_inside(scope: FunctionScope, given: bool, known: Known) -> set[str]:
    """What a function and those that it calls leave; its own names are not among them, its parameters are."""
    place = (id(scope.node), given)
    if place in known:
        return known[place]
    known[place] = set()
    carrying, env = followed(scope.module.file, scope.module.facts, scope.node, given)
    found = set(stored(scope.node, carrying, env))
    own = scope.assigned - scope.borrowed - set(parameters(scope.node))
    for call in (node for node in own_nodes(scope.node) if isinstance(node, ast.Call)):
        carried = any(carrying.carries(value, env) for value in (*call.args, *(k.value for k in call.keywords)))
        found |= _left_by(scope.module.facts, scope.module.file.tree, call, carried, known) - own
    known[place] = found
    return found


def _arguments(scope: FunctionScope, call: ast.Call, parameter: str) -> list[ast.expr]:
    """What a call gives for a parameter; all of it where that is not plain."""
    positional = [a.arg for a in scope.positional]
    if scope.kind in ("method", "class") and positional:
        if parameter == positional[0]:
            return [call.func.value if isinstance(call.func, ast.Attribute) and scope.name != "__call__" else call.func]
        positional = positional[1:]
    plain = not any(isinstance(a, ast.Starred) for a in call.args) and all(k.arg for k in call.keywords)
    if plain and parameter in scope.parameters:
        named = [k.value for k in call.keywords if k.arg == parameter]
        return named or [a for name, a in zip(positional, call.args, strict=False) if name == parameter]
    return [*call.args, *(k.value for k in call.keywords)]


def _named(node: ast.expr) -> Iterator[str]:
    """The names and attributes that an argument is, or is made of."""
    while isinstance(node, ast.Subscript | ast.Starred):
        node = node.value
    match node:
        case ast.Name(id=name):
            yield name
        case ast.Attribute(attr=name):
            yield f".{name}"
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _named(part)


def _given_back(facts: Facts, module: ast.Module, scope: FunctionScope, place: str) -> Iterator[str]:
    """The names of a file that get what the function around this one gives back, where the place is a name of that: ``act, kept = collector(net)``."""
    around = scope.parent
    while around is not None and place not in around.assigned | set(around.parameters):
        around = around.parent
    if around is None:
        return
    for node in walk(module):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and around in _run(facts, node.value.func):
            yield from (part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name))
