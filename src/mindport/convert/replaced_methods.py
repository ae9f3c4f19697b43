"""``torch.Tensor.cuda = lambda self, *a: self``: a method that a project puts into one of torch's classes.

Calls of it are converted as torch's own, and MindSpore's class is another one: told. Where both give the object back unchanged, nothing is left to do.
"""

from __future__ import annotations

import ast

from mindport.catalog import Entry
from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.torchfacts import lookup

WHY = "the project puts a method of its own into PyTorch's class, and calls of it are converted as PyTorch's: call a function of your own instead"


def is_replaced(context: Context, use: Use) -> bool:
    """Whether a use is the assignment of a class's member, not of an object's."""
    if use.kind != "store" or not isinstance(use.node, ast.Attribute) or not isinstance(use.node.ctx, ast.Store):
        return False
    owner = context.facts.value(use.node.value)
    fact = lookup(owner.name) if isinstance(owner, v.Api) else None
    return fact is not None and fact.kind == "class"


def needless(context: Context, use: Use) -> ast.stmt | None:
    """The assignment, where what it puts there and what stands for torch's both do nothing but give the object back."""
    statement = context.parents.get(id(use.node))
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    entries: list[Entry] = context.shared.catalog.find(use.name)
    return statement if entries and all(entry.node is not None and _gives_back(entry.node) for entry in entries) and _gives_back(_function(context, statement.value)) else None


def _function(context: Context, value: ast.expr) -> ast.AST:
    found = context.facts.value(value)
    return found.scope.node if isinstance(found, v.ProjectFunction) else value


def _gives_back(function: ast.AST) -> bool:
    """Whether all that a function does is to return its first parameter."""
    if isinstance(function, ast.Lambda):
        result: ast.AST | None = function.body
    elif isinstance(function, ast.FunctionDef) and (body := [s for s in function.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]):
        result = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
    else:
        return False
    parameters = [*function.args.posonlyargs, *function.args.args]
    return isinstance(result, ast.Name) and bool(parameters) and result.id == parameters[0].arg
