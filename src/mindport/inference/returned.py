"""What a call of a project's function gives: what its body returns, or what its annotation says where that is known better."""

from __future__ import annotations

import ast

from mindport.inference.frame import Frame
from mindport.inference.scopes import FunctionScope
from mindport.inference.values import (
    Api,
    Instance,
    Mapping,
    Sequence,
    TensorValue,
    Unknown,
    Value,
    join,
    options,
)


def returned(scope: FunctionScope, frame: Frame) -> Value:
    """The result of one analysis of a function's body; `frame` holds what it returned and yielded."""
    if scope.generator or frame.yields:
        element = join(*frame.yields) if frame.yields else Unknown("it yields nothing")
        return Sequence("iterator", None, element)
    inferred = join(*frame.returns) if frame.returns else Unknown(f"{scope.name} does not return")
    declared = scope.annotated
    if declared is None:
        return inferred
    return inferred if not _is_a_form(scope.node) and _fits(inferred, declared) else declared


def _is_a_form(node: ast.AST) -> bool:
    """Whether a body says nothing (``...``, `pass`, a docstring): a protocol's method, an abstract one, an overload."""
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and all(
        isinstance(statement, ast.Pass) or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)) for statement in node.body
    )


def _fits(inferred: Value, declared: Value) -> bool:
    """Whether what the body returns is known at least as well as the annotation says."""
    for option in options(inferred):
        if isinstance(option, Unknown):
            return False
        if isinstance(option, TensorValue) and option.likely:
            return False
        if isinstance(option, (Sequence, Mapping)) and _holds_unknown(option):
            return False
        if isinstance(option, Instance) and option.likely:
            return False
        if isinstance(option, Api) and option.name.startswith("builtins."):
            return False
    return True


def _holds_unknown(value: Sequence | Mapping) -> bool:
    parts: list[Value] = [value.element]
    if value.items is not None:
        parts = [v for _, v in value.items] if isinstance(value, Mapping) else list(value.items)
    return any(isinstance(o, Unknown) or (isinstance(o, TensorValue) and o.likely) for part in parts for o in options(part))
