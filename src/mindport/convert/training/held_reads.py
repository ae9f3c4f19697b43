"""What methods read of their object, and functions of the scope around them: what a loss goes back through without naming it.

``loss = self.total()`` behind ``self.mu, self.sigma = self.encoder(x)``; ``loss = total()`` of a function inside that reads ``mu``.
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.convert.training.flow import flowing
from mindport.convert.training.left_behind import left_beside, left_by_function
from mindport.convert.training.names import FUNCTIONS, key, names, own_nodes, parameters
from mindport.convert.training.second_order import body_of
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.scopes import ClassScope

_STORES = (ast.Assign, ast.AugAssign, ast.AnnAssign)


def read_by_methods(facts: Facts, node: ast.AST) -> set[str]:
    """The keys (``self.mu``) of what methods read of their object that are called in `node`, and the methods that those call."""
    found: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and (owner := key(part.func.value)) is not None:
            for option in v.options(facts.value(part.func)):
                if isinstance(option, v.Bound) and isinstance(option.function, v.ProjectFunction):
                    found |= {f"{owner}.{attribute}" for attribute in _attributes(option.function, set())}
    return found


def _attributes(method: v.ProjectFunction, seen: set[int]) -> set[str]:
    """The attributes that a method reads of its first parameter."""
    node = method.scope.node
    first = next(iter(parameters(node)), None) if isinstance(node, FUNCTIONS) else None
    if id(node) in seen or first is None:
        return set()
    seen.add(id(node))
    found: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Load) and isinstance(part.value, ast.Name) and part.value.id == first:
            found.add(part.attr)
            for option in v.options(method.scope.module.facts.value(part)):
                if isinstance(option, v.Bound) and isinstance(option.function, v.ProjectFunction):
                    found |= _attributes(option.function, seen)
    return found


def left_elsewhere(context: Context, node: ast.AST) -> set[str]:
    """The keys (``holder.seen``) of what methods read that are called in `node`, and that other methods of the object leave: ``holder.see(x)`` stands somewhere else.

    Of an object that nothing shows it is what the project's classes that have such a method read.
    """
    found: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and (owner := key(part.func.value)) is not None:
            for option in v.options(context.facts.value(part.func)):
                if isinstance(option, v.Unknown):
                    found |= {f"{owner}.{attribute}" for attribute in left_beside(context, part.func.attr)}
                if isinstance(option, v.Bound) and isinstance(option.function, v.ProjectFunction) and isinstance(option.receiver, v.ProjectInstance):
                    found |= {f"{owner}.{attribute}" for attribute in _left(option.receiver.cls.scope, option.function)}
    return found


def _left(cls: ClassScope, method: v.ProjectFunction) -> set[str]:
    """The attributes that a method reads, which it does not store itself, and in which another one of the class leaves what carries a gradient."""
    seen: set[int] = set()
    found: set[str] = set()
    for attribute in _attributes(method, seen):
        storing = [one for scope in cls.mro for one in scope.stores.get(attribute, ()) if one.name != "__init__"]
        if not any(id(one.node) in seen for one in storing):
            found |= {attribute for one in storing if f".{attribute}" in left_by_function(one)}
    return found


def kept_in(facts: Facts, scope: ast.AST, tree: ast.Module) -> frozenset[str]:
    """The attributes of objects (``self.mu``) that a function's own statements store, and that another method of its class stores of what a module computes."""
    found = {name for part in own_nodes(scope) if isinstance(part, _STORES) for name in names(part).weak if "." in name}
    owner = next((node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and scope in node.body), None)
    own = next(iter(parameters(scope)), "") if isinstance(scope, FUNCTIONS) else ""
    for method in owner.body if owner is not None and own else ():
        if isinstance(method, ast.FunctionDef) and method.name != "__init__" and method is not scope:
            stores = [part for part in own_nodes(method) if isinstance(part, _STORES) and part.value is not None and _runs_module(facts, part.value)]
            found |= {f"{own}.{name.partition('.')[2]}" for part in stores for name in names(part).weak if name.startswith(f"{next(iter(parameters(method)), '')}.")}
    return frozenset(found)


def _runs_module(facts: Facts, value: ast.expr) -> bool:
    """Whether an expression is a call of a module, or a part of its result."""
    while isinstance(value, ast.Subscript):
        value = value.value
    kinds = v.options(facts.value(value.func)) if isinstance(value, ast.Call) else ()
    return any(isinstance(kind, v.ProjectInstance) and MODULE in kind.cls.scope.ancestors for kind in kinds)


def flowing_through(facts: Facts, scope: ast.AST, kept: frozenset[str], node: ast.AST) -> set[str]:
    """Those of `kept` that methods read which `node` calls, and what functions inside of `scope` read that it calls."""
    return (read_by_methods(facts, node) & kept if kept else set()) | _read_by_functions(facts, scope, node, set())


def _read_by_functions(facts: Facts, scope: ast.AST, node: ast.AST, seen: set[int]) -> set[str]:
    """The keys whose gradients flow into functions inside of `scope`, called in `node`, from the scope itself."""
    found: set[str] = set()
    for part in ast.walk(node):
        for option in v.options(facts.value(part.func)) if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) else ():
            if not isinstance(option, v.ProjectFunction) or id(option.scope.node) in seen or option.scope.parent is None or option.scope.parent.node is not scope:
                continue
            seen.add(id(option.scope.node))
            body = body_of(option.scope)
            free = names(option.scope.node).reads
            found |= {name for inner in body for name in flowing(facts, inner) if name.partition(".")[0] in free}
            found |= set().union(*(_read_by_functions(facts, scope, inner, seen) for inner in body))
    return found
