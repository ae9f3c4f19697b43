"""Where names are bound, with the expression whose value or parts they get; and what is bound where nothing is differentiated."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from mindport.convert.training.names import names, own_nodes, parameters
from mindport.source.called import last_name
from mindport.source.walking import walk

Binding = tuple[ast.AST, ast.expr | None]


def bindings(scope: ast.AST, name: str) -> list[Binding]:
    """Where a scope binds a name, with the expression whose value or parts it gets (None: nothing that carries)."""
    return _all_bindings(scope).get(name, [])


def stores(module: ast.Module, attribute: str) -> list[ast.Assign | ast.AugAssign | ast.AnnAssign]:
    """The assignments to this attribute of anything, anywhere in a file."""
    return _all_stores(module).get(attribute, [])


@lru_cache(maxsize=256)
def _all_stores(module: ast.Module) -> dict[str, list[ast.Assign | ast.AugAssign | ast.AnnAssign]]:
    found: dict[str, list[ast.Assign | ast.AugAssign | ast.AnnAssign]] = {}
    for node in walk(module):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            flat = [e for t in targets for e in (t.elts if isinstance(t, (ast.Tuple, ast.List)) else [t])]
            for name in dict.fromkeys(t.attr for t in flat if isinstance(t, ast.Attribute)):
                found.setdefault(name, []).append(node)
    return found


@lru_cache(maxsize=4096)
def _all_bindings(scope: ast.AST) -> dict[str, list[Binding]]:
    """Every name that a scope binds: one walk answers for all of them."""
    found: dict[str, list[Binding]] = {}
    if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        found = {name: [(scope, None)] for name in parameters(scope)}
    free = {id(inner) for part in own_nodes(scope) if isinstance(part, (ast.With, ast.AsyncWith)) and cut_off(part) for inner in walk(part)}
    for part in own_nodes(scope):
        for name, value in _bound(part):
            found.setdefault(name, []).append((part, None if id(part) in free else value))
    return found


def _bound(part: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that one node binds itself."""
    match part:
        case ast.Assign(targets=targets):
            yield from ((name, _matching(part, name)) for name in names(targets).stores)
        case ast.AnnAssign(target=ast.Name(id=name), value=value) | ast.AugAssign(target=ast.Name(id=name), value=value) | ast.NamedExpr(target=ast.Name(id=name), value=value):
            yield name, value
        case ast.For() | ast.AsyncFor():
            yield from ((name, part.iter) for name in names(part.target).stores)
        case ast.With() | ast.AsyncWith():
            yield from ((name, None) for i in part.items if i.optional_vars is not None for name in names(i.optional_vars).stores)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name, None
        case ast.alias():
            yield (part.asname or part.name).partition(".")[0], None


def _matching(part: ast.Assign, name: str) -> ast.expr:
    """The value that a name gets, where tuples stand on both sides."""
    for target in part.targets:
        if isinstance(target, ast.Tuple) and isinstance(part.value, ast.Tuple) and len(target.elts) == len(part.value.elts):
            for item, value in zip(target.elts, part.value.elts, strict=True):
                if isinstance(item, ast.Name) and item.id == name:
                    return value
    return part.value


def cut_off(statement: ast.With | ast.AsyncWith) -> bool:
    """Whether nothing inside the with statement is differentiated."""
    return any(cuts(item.context_expr) for item in statement.items)


def cuts(node: ast.expr) -> bool:
    """Whether a context or decorator is ``torch.no_grad()`` or says the same."""
    func = node.func if isinstance(node, ast.Call) else node
    name = last_name(func)
    if name == "set_grad_enabled" and isinstance(node, ast.Call) and node.args:
        return isinstance(node.args[0], ast.Constant) and node.args[0].value is False
    return name in ("no_grad", "inference_mode")
