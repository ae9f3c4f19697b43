"""Names of attributes that the project's own classes have: where one is read of something unknown, it need not be torch's."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mindport.inference.scopes import ClassScope, ModuleScope
from mindport.source.file import SourceFile


def own_names(modules: Iterable[ModuleScope]) -> frozenset[str]:
    """Methods, attributes that methods set, and fields of dataclasses and named tuples (``namedtuple("Step", "obs act t")``, too)."""
    found = set[str]()
    for module in modules:
        found.update(_fields_of_calls(module.file))
        for cls in module.classes:
            found.update(cls.methods, cls.stores, _fields(cls))
    return frozenset(found)


def _fields(cls: ClassScope) -> Iterator[str]:
    for part in cls.node.body:
        match part:
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name


def _fields_of_calls(file: SourceFile) -> Iterator[str]:
    if "namedtuple" not in file.text:
        return
    for node in file.nodes:
        match node:
            case ast.Call(func=ast.Name(id="namedtuple") | ast.Attribute(attr="namedtuple"), args=[_, ast.Constant(value=str(names)), *_]):
                yield from names.replace(",", " ").split()
            case ast.Call(func=ast.Name(id="namedtuple") | ast.Attribute(attr="namedtuple"), args=[_, ast.List(elts=names) | ast.Tuple(elts=names), *_]):
                yield from (n.value for n in names if isinstance(n, ast.Constant) and isinstance(n.value, str))
