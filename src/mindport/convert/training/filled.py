"""Calls that leave what a loss is computed from where their result is not: ``model(image)``, then ``sl.loss`` or ``features["conv3"]``."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache

from mindport.convert.context import MODULE, Context
from mindport.convert.instances import is_instance_of
from mindport.convert.training.carrying import cut_off
from mindport.convert.training.hooked import left_by_hooks, reads
from mindport.convert.training.names import own_nodes
from mindport.inference import values as v
from mindport.source.file import SourceFile


def fills(context: Context, statement: ast.stmt, readers: Iterable[ast.AST]) -> bool:
    """Whether a call in `statement` may leave in a module, or by a hook, what `readers` read.

    In a module: a call whose result nobody takes. Hooks run with every call.
    """
    if isinstance(statement, ast.With) and cut_off(statement):
        return False
    called = [n for n in [statement, *own_nodes(statement)] if isinstance(n, ast.Call) and _may_be_module(context, n.func)]
    if not called:
        return False
    read = reads(readers)
    if read & left_by_hooks(context):
        return True
    alone = any(isinstance(n, ast.Expr) and n.value in called for n in [statement, *own_nodes(statement)])
    return alone and bool(read & _left_by_forward(context))


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
