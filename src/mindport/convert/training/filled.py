"""Calls that stand alone and leave what a loss is computed from in attributes of modules: ``model(image)``, then ``sl.loss``."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache

from mindport.convert.context import MODULE, Context
from mindport.convert.instances import is_instance_of
from mindport.convert.training.names import own_nodes
from mindport.inference import values as v
from mindport.source.file import SourceFile


def fills(context: Context, statement: ast.stmt, readers: Iterable[ast.AST]) -> bool:
    """Whether a call in `statement`, whose result nobody takes, may leave in a module what `readers` read of one."""
    calls = [n.value for n in [statement, *own_nodes(statement)] if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call)]
    if not any(_may_be_module(context, call.func) for call in calls):
        return False
    read = {n.attr for part in readers for n in ast.walk(part) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load)}
    return bool(read & _left_by_forward(context))


def _may_be_module(context: Context, callee: ast.expr) -> bool:
    kinds = v.options(context.facts.value(callee))
    if all(isinstance(kind, v.Unknown) for kind in kinds):
        return isinstance(callee, (ast.Name, ast.Subscript)) or (isinstance(callee, ast.Attribute) and isinstance(callee.value, ast.Name) and callee.value.id == "self")
    return any(is_instance_of(kind, {MODULE}) for kind in kinds)


def _left_by_forward(context: Context) -> set[str]:
    """Attributes that the project's classes with a forward pass set on themselves outside of their construction."""
    return {name for file, _ in context.files for name in _left_in(file)}


@lru_cache(maxsize=4096)
def _left_in(file: SourceFile) -> frozenset[str]:
    found: set[str] = set()
    for cls in file.nodes:
        if not isinstance(cls, ast.ClassDef):
            continue
        methods = [m for m in cls.body if isinstance(m, ast.FunctionDef)]
        if not any(m.name in ("forward", "__call__") for m in methods):
            continue
        found |= {
            n.attr for m in methods if m.name != "__init__" for n in ast.walk(m)
            if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store) and isinstance(n.value, ast.Name) and n.value.id == "self"
        }  # fmt: skip
    return frozenset(found)
