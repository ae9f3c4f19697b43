"""``def forward(s, x)``: MindSpore compiles methods only whose first parameter is called ``self``; so are those of modules called, before anything else is converted.

The tree keeps its shape, so that places are told as the user's own (`SourceFile.original`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from mindport.convert.own_modes import module_classes
from mindport.inference.facts import Facts
from mindport.source import edits
from mindport.source.edits import Edit
from mindport.source.file import SourceFile, parse
from mindport.source.walking import children, walk

_SELF = "self"
#: Methods and decorators by which a method gets no instance.
_OF_CLASSES = frozenset(("__new__", "__init_subclass__", "__class_getitem__"))
_WITHOUT = frozenset(("staticmethod", "classmethod"))


def named_self(file: SourceFile, facts: Facts) -> SourceFile:
    """The file with ``self`` in the methods of its module classes; itself where it stands there already."""
    found = {id(node): node for cls in module_classes(facts) for method in cls.body if isinstance(method, ast.FunctionDef) for node in _named(method)}
    changes = []
    for node in found.values():
        start = file.offset(node.lineno, node.col_offset)
        name = node.arg if isinstance(node, ast.arg) else node.id
        changes.append(Edit(start, start + len(name), name, _SELF))
    if not changes:
        return file
    text = edits.apply(file.text, changes)
    return replace(file, text=text, tree=parse(text), original=file.original or file)


def _named(method: ast.FunctionDef) -> list[ast.arg | ast.Name]:
    """Where a method names its object otherwise; nothing where another thing has one of the two names in it."""
    parameters = [*method.args.posonlyargs, *method.args.args]
    if not parameters or parameters[0].arg == _SELF or method.name in _OF_CLASSES or any(isinstance(d, ast.Name) and d.id in _WITHOUT for d in method.decorator_list):
        return []
    name = parameters[0].arg
    inside = walk(method)
    bound = [n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store | ast.Del)]
    bound += [n.arg for n in inside if isinstance(n, ast.arg)]
    others = [n for n in inside if isinstance(n, ast.Name) and n.id == _SELF or isinstance(n, ast.Global | ast.Nonlocal | ast.MatchAs | ast.MatchStar)]
    if others or _SELF in bound or bound.count(name) > 1:
        return []
    return [parameters[0], *_reads(method, name)]


def _reads(method: ast.FunctionDef, name: str) -> Iterator[ast.Name]:
    waiting: list[ast.AST] = [*method.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and node.id == name:
            yield node
        if not isinstance(node, ast.ClassDef):  # its methods have their own
            waiting += children(node)
