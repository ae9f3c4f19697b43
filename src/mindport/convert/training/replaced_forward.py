"""``layer.forward = wrapped``: functions that take the place of a module's forward pass when the program runs.

What the class says about its parameters and what it leaves behind is then not the whole of it: each function that is assigned
(or bound by ``types.MethodType``, or made by a function that is called there) is a forward pass, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.context import Context, Files
from mindport.convert.training.names import FUNCTIONS
from mindport.source.file import SourceFile


def is_replaced(context: Context) -> bool:
    """Whether any file of the project gives an object another `forward`."""
    return context.once(_any)


def replacements(file: SourceFile) -> Iterator[ast.AST]:
    """Functions and lambdas of a file that may take a forward pass's place, with those that stand inside of them."""
    values = list(_values(file))
    named = {part.id if isinstance(part, ast.Name) else part.attr for value in values for part in ast.walk(value) if isinstance(part, (ast.Name, ast.Attribute))}
    for value in values:
        yield from (part for part in ast.walk(value) if isinstance(part, ast.Lambda))
    for node in file.nodes if values else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name in named:
            yield from (part for part in ast.walk(node) if isinstance(part, FUNCTIONS))


def _any(project: Files) -> bool:
    return any(True for file, _ in project for _ in _values(file))


def _values(file: SourceFile) -> Iterator[ast.expr]:
    """What is assigned to an attribute `forward`, or set by that name."""
    for node in file.nodes:
        match node:
            case ast.Assign(targets=targets, value=value) if any(isinstance(t, ast.Attribute) and t.attr == "forward" for t in targets):
                yield value
            case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value="forward"), value]):
                yield value
