"""Where numbers are written other than by binding a name: to attributes from anywhere, to items, in place, by a function that is handed them."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from dataclasses import dataclass

from mindport.convert.context import Files
from mindport.convert.training.names import own_nodes
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.overlays.tensors import is_in_place
from mindport.source.file import SourceFile
from mindport.source.walking import walk

REGISTER = "register_buffer"


@dataclass(frozen=True)
class Store:
    """What an attribute gets at one place."""

    file: SourceFile
    facts: Facts
    classes: frozenset[ast.ClassDef] | None  # of the objects that it is stored on, with their bases; None: any
    value: ast.expr | None  # None: it is changed, or gets what no expression shows
    again: bool  # whether the value is made of the attribute itself


def stores_by_attribute(files: Files) -> dict[str, list[Store]]:
    """Every place of a project that gives an attribute another value or changes the one it has."""
    found: dict[str, list[Store]] = {}
    for file, facts in files:
        for node in file.nodes:
            for owner, name, value in _stores(node):
                kinds = v.options(facts.value(owner))
                own = [kind for kind in kinds if isinstance(kind, v.ProjectInstance)]
                if not own and not any(isinstance(kind, v.Unknown) for kind in kinds):
                    continue  # of PyTorch's own layers and of tensors
                classes = frozenset(cls.node for kind in own for cls in kind.cls.scope.mro) if len(own) == len(kinds) else None
                again = value is not None and any(isinstance(part, ast.Attribute) and part.attr == name for part in walk(value))
                found.setdefault(name, []).append(Store(file, facts, classes, value, again))
    return found


def _stores(node: ast.AST) -> Iterator[tuple[ast.expr, str, ast.expr | None]]:
    """(object, attribute, value) of what a node stores itself."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                if isinstance(target, ast.Attribute):
                    yield target.value, target.attr, value
                else:
                    yield from ((part.value, part.attr, None) for part in walk(target) if isinstance(part, ast.Attribute))
        case ast.AnnAssign(target=ast.Attribute(value=owner, attr=name), value=ast.expr() as value):
            yield owner, name, value
        case ast.AugAssign(target=target):
            yield from ((part.value, part.attr, None) for part in walk(target) if isinstance(part, ast.Attribute))
        case ast.Call(func=ast.Attribute(value=owner, attr=method), args=[ast.Constant(value=str(name)), value, *_]) if method == REGISTER:
            yield owner, name, value
        case ast.Call(func=ast.Attribute(value=changed, attr=method), args=operands) if is_in_place(method):
            yield from ((part.value, part.attr, None) for one in (changed, *operands) for part in walk(one) if isinstance(part, ast.Attribute))


def may_hide(scope: ast.AST, facts: Facts) -> bool:
    """Whether a function may write minus infinity into a tensor that it has already: to items, or in place."""
    nodes = own_nodes(scope) if isinstance(scope, ast.Module) else iter(walk(scope))
    return any(_writes(node, facts) for node in nodes)


def _writes(node: ast.AST, facts: Facts) -> bool:
    match node:
        case ast.Assign(targets=targets, value=value):
            return any(isinstance(target, ast.Subscript) and _may_be_tensor(target.value, facts) for target in targets) and not is_finite(value, facts)
        case ast.AugAssign(target=ast.Subscript(value=changed)):
            return _may_be_tensor(changed, facts)
        case ast.Call(func=ast.Attribute(attr=method), args=operands) if is_in_place(method):
            return not operands or not is_finite(operands[-1], facts)
    return False


def handed_on(scope: ast.AST, facts: Facts, name: str) -> bool:
    """Whether a function hands a name to what may change it: to the project's own functions, and to those of which nothing is known."""
    nodes = own_nodes(scope) if isinstance(scope, ast.Module) else iter(walk(scope))
    return any(
        isinstance(node, ast.Call)
        and any(isinstance(part, ast.Name) and part.id == name for part in (*node.args, *(keyword.value for keyword in node.keywords)))
        and any(isinstance(kind, (v.Unknown, v.ProjectFunction)) or isinstance(kind, v.Bound) and isinstance(kind.function, v.ProjectFunction) for kind in v.options(facts.value(node.func)))
        for node in nodes
    )


def is_finite(node: ast.expr, facts: Facts) -> bool:
    """Whether an expression is one of Python's numbers, known and finite."""
    return all(isinstance(kind, v.Const) and isinstance(kind.value, (int, float)) and math.isfinite(kind.value) for kind in v.options(facts.value(node)))


def _may_be_tensor(node: ast.expr, facts: Facts) -> bool:
    return any(isinstance(kind, (v.Unknown, v.TensorValue)) for kind in v.options(facts.value(node)))
