"""Layers whose class a project compares: ``type(m) is nn.Linear``, ``handlers[type(m)]``, ``m.__class__ in KINDS``.

A layer is written as MindSpore's own class where that computes the same, and its class, named as a value, as the
vendored one, which derives from it. An `isinstance` that names the class is written for both; identity, and an
`isinstance` with a class that came from elsewhere (``isinstance(m, KINDS)``), see the difference: such layers must be the
vendored class wherever the project constructs them.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from mindport.catalog import Catalog
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile

#: Methods that look a key up.
_LOOKING = ("get", "pop", "setdefault", "index", "count")


def compared(catalog: Catalog, files: Sequence[SourceFile], facts: Mapping[PurePosixPath, Facts]) -> set[str]:
    """The names of layers that some comparison of classes in the project may mean."""
    layers = {name for entry in catalog.entries if entry.kind == "layer" for name in entry.names}
    found: set[str] = set()
    anything = False
    for file in files:
        known = facts[file.relative]
        checked = {id(use.node) for use in known.uses if use.kind == "check"}
        for node in ast.walk(file.tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("isinstance", "issubclass"):
                for leaf in _leaves(node.args[1:2]):
                    names = set() if id(leaf) in checked else _classes(known, leaf)
                    found |= (names or set()) & layers
                    anything |= names is None
            elif isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                if any(_is_class_of(side) for side in sides):
                    for leaf in _leaves([side for side in sides if not _is_class_of(side)]):
                        names = _classes(known, leaf)
                        found |= (names or set()) & layers
                        anything |= names is None
            elif isinstance(node, ast.Subscript):
                anything |= _is_class_of(node.slice)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _LOOKING:
                anything |= any(_is_class_of(argument) for argument in node.args)
            elif isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None:
                anything |= _is_class_of(node.value)
    if anything:  # compared with what is not known: whatever the project names as a value
        found |= {use.name for file in files for use in facts[file.relative].uses if use.kind == "value"} & layers
    return found


def _is_class_of(node: ast.expr) -> bool:
    """Whether an expression is the class of a value that may be a layer."""
    match node:
        case ast.Call(func=ast.Name(id="type"), args=[value], keywords=[]) | ast.Attribute(value=value, attr="__class__"):
            return not (isinstance(value, ast.Name) and value.id in ("self", "cls"))
        case _:
            return False


def _leaves(nodes: Sequence[ast.expr]) -> list[ast.expr]:
    """The elements of displays, and everything else as it is."""
    found: list[ast.expr] = []
    for node in nodes:
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            found += _leaves([e.value if isinstance(e, ast.Starred) else e for e in node.elts])
        else:
            found.append(node)
    return found


def _classes(facts: Facts, node: ast.expr) -> set[str] | None:
    """The outside classes that an expression names; None where it may name some that are not known."""
    if isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and hasattr(builtins, node.id)):
        return set()
    return _named(facts.value(node))


def _named(value: v.Value) -> set[str] | None:
    found: set[str] = set()
    for option in v.options(value) or [v.Unknown()]:
        if isinstance(option, v.Api):
            found.add(option.name)
        elif isinstance(option, v.Sequence):
            for part in option.items if option.items is not None else (option.element,):
                inner = _named(part)
                if inner is None:
                    return None
                found |= inner
        elif not isinstance(option, v.ProjectClass | v.Const | v.Builtin):
            return None
    return found
