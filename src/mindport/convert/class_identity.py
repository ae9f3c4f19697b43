"""Layers whose class a project compares: ``type(m) is nn.Linear``, ``handlers[type(m)]``, ``m.__class__ in KINDS``.

A layer is written as MindSpore's own class where that computes the same, and its class, named as a value, as the
vendored one, which derives from it. An `isinstance` that names the class is written for both, and so is ``type(m) is nn.Linear`` where no other
layer shares the class (`rewrites.class_comparison`), and ``isinstance(m, KINDS)`` with classes that came from elsewhere
(`rewrites.class_check`). Other identity sees the difference, and so does any check where layers share MindSpore's class:
such layers must be the vendored class wherever the project constructs them.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from mindport.catalog import Catalog, Entry
from mindport.convert.decide import mindspore_base
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.members import MODULE
from mindport.source.file import SourceFile
from mindport.source.walking import children

#: Methods that look a key up.
_WALKS = ("modules", "named_modules", "children", "named_children", "cells", "cells_and_names")
#: Names of values that may be layers, where nothing else is known of them.
_NAMED = re.compile(r"^m$|^l$|mod|layer|net|child|block|cell|conv|norm|act|linear|^op$|submod")
_LOOKING = ("get", "pop", "setdefault", "index", "count")


def compared(catalog: Catalog, files: Sequence[SourceFile], facts: Mapping[PurePosixPath, Facts]) -> set[str]:
    """The names of layers that some comparison of classes in the project may mean."""
    layers, together = _layers(catalog)
    found: set[str] = set()
    anything = anything_checked = False
    for file in files:
        known = facts[file.relative]
        for function in _functions(file.tree):
            for node in _own(function):
                if isinstance(node, ast.Call) and (checked := checked_elsewhere(known, node, function)) is not None:
                    found |= checked & (layers if node.func.id == "issubclass" else together)  # type: ignore[attr-defined]
                    anything_checked |= not checked
                elif isinstance(node, ast.Compare) and written_for_both(catalog, known, node) is None:
                    sides = [node.left, *node.comparators]
                    if any(_is_class_of(side, known, function) for side in sides):
                        for leaf in _leaves([side for side in sides if not _is_class_of(side)]):
                            names = _classes(known, leaf)
                            found |= (names or set()) & layers
                            anything |= names is None
                elif isinstance(node, ast.Subscript):
                    anything |= _is_class_of(node.slice, known, function)
                elif isinstance(node, ast.Attribute) and node.attr in ("__mro__", "mro"):
                    anything |= _is_class_of(node.value)  # for kind in type(m).__mro__: handlers.get(kind)
                elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _LOOKING:
                    anything |= any(_is_class_of(argument, known, function) for argument in node.args)
                elif isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None:
                    anything |= _is_class_of(node.value, known, function)
    if anything or anything_checked:  # compared with what is not known: whatever the project names as a value
        values = {use.name for file in files for use in facts[file.relative].uses if use.kind == "value"}
        found |= values & (layers if anything else together)
    return found


def checked_elsewhere(facts: Facts, node: ast.Call, function: ast.AST) -> set[str] | None:
    """The classes that an `isinstance` or `issubclass` means by other names than their own; empty where these are not
    known; None for a call that is none, or that checks no layer.
    """
    if not (isinstance(node.func, ast.Name) and node.func.id in ("isinstance", "issubclass") and len(node.args) == 2):
        return None
    if not may_be_layer(facts, node.args[0], function):
        return None
    own = {id(use.node) for use in facts.uses if use.kind == "check"}
    found: set[str] = set()
    for leaf in _leaves(node.args[1:]):
        if id(leaf) in own:
            continue
        names = _classes(facts, leaf)
        if names is None:
            return set()
        found |= names
    return found or None


def may_be_layer(facts: Facts, node: ast.expr, function: ast.AST) -> bool:
    """Whether a value may be a layer: it is known to be a module, or unknown where modules are gone through or named."""
    options = v.options(facts.value(node))
    if any(isinstance(o, (v.Instance, v.ProjectInstance)) and MODULE in _ancestors(o) for o in options):
        return True
    if not any(isinstance(o, v.Unknown) for o in options):
        return False
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    walks = any(isinstance(inner, ast.Attribute) and inner.attr in _WALKS for inner in ast.walk(function))
    return walks or isinstance(node, ast.Subscript) or _NAMED.search(name.lower()) is not None


def _ancestors(option: v.Instance | v.ProjectInstance) -> tuple[str, ...]:
    return torchfacts.ancestors(option.cls) if isinstance(option, v.Instance) else tuple(option.cls.scope.ancestors)


def _functions(tree: ast.Module) -> list[ast.AST]:
    """The file and its functions; lambdas belong to what they stand in."""
    return [tree, *(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))]


def _own(function: ast.AST) -> list[ast.AST]:
    """The nodes of a function without those of functions inside it."""
    found: list[ast.AST] = []
    pending = children(function)
    while pending:
        node = pending.pop()
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(node)
            pending += children(node)
    return found


def written_for_both(catalog: Catalog, facts: Facts, node: ast.Compare) -> Entry | None:
    """The layer of ``type(m) is nn.Linear`` (or ``is not``, ``==``, ``!=``) whose MindSpore class stands for no other layer."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)) or not _is_class_of(node.left):
        return None
    options = list(v.options(facts.value(node.comparators[0])))
    if len(options) != 1 or not isinstance(options[0], v.Api) or not isinstance(node.comparators[0], (ast.Name, ast.Attribute)):
        return None
    entries = catalog.find(options[0].name)
    if len(entries) != 1 or entries[0].kind != "layer":
        return None
    return entries[0] if _stands_alone(catalog, entries[0]) else None


def _stands_alone(catalog: Catalog, entry: Entry) -> bool:
    """Whether a layer is written as a class of MindSpore's that stands for no other layer."""
    base = mindspore_base(entry)
    return base is not None and _written_as(catalog)[ast.unparse(base)] == 1


@lru_cache(maxsize=2)
def _layers(catalog: Catalog) -> tuple[frozenset[str], frozenset[str]]:
    """The names of all layers, and of those that share MindSpore's class with another, or have none."""
    layers = [entry for entry in catalog.entries if entry.kind == "layer"]
    together = [entry for entry in layers if not _stands_alone(catalog, entry)]
    return frozenset(name for entry in layers for name in entry.names), frozenset(name for entry in together for name in entry.names)


@lru_cache(maxsize=2)
def _written_as(catalog: Catalog) -> Counter[str]:
    """How many layers are written as each class of MindSpore's."""
    bases = [mindspore_base(entry) for entry in catalog.entries if entry.kind == "layer"]
    return Counter(ast.unparse(base) for base in bases if base is not None)


def _is_class_of(node: ast.expr, facts: Facts | None = None, function: ast.AST | None = None) -> bool:
    """Whether an expression is the class of a value; with facts, of one that may be a layer."""
    match node:
        case ast.Call(func=ast.Name(id="type"), args=[value], keywords=[]) | ast.Attribute(value=value, attr="__class__"):
            if isinstance(value, ast.Name) and value.id in ("self", "cls"):
                return False
            return facts is None or function is None or may_be_layer(facts, value, function)
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
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type" and isinstance(node.args[:1] and node.args[0], ast.Constant):
        return set()  # type(None)
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
