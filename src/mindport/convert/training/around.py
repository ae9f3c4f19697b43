"""What a function that is differentiated on the tape is handed besides the inputs it is differentiated by."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from mindport.convert.context import Context
from mindport.convert.training.derivatives import Derivative, taken_in
from mindport.convert.training.names import FUNCTIONS, names, parameters
from mindport.convert.training.region import scopes_around
from mindport.inference import values as v


def tensors_around(context: Context, derivative: Derivative, earlier: Mapping[int, Derivative]) -> tuple[str, ...]:
    """Names of tensors that the function reads besides its inputs: handed in, they get gradients and may change.

    Those of the functions around and of the module as well: ``t`` beside ``x``, both cut out of points that want their gradient.
    Of a gradient that stands in it (``u_x = grad(u, x)[0]``) it reads what that one's function is handed, in the place of what the call reads.
    """
    bound = set(names(derivative.inside).stores) | set(derivative.sources)
    free = (_data_of_file(context).union(*map(_local, scopes_around(context, derivative.call))) & derivative.free) - bound
    taken = [other for node in (*derivative.inside, derivative.output) for other in taken_in(node, earlier) if other is not derivative]
    replaced = {id(part) for other in taken for part in ast.walk(other.call)} - {id(part) for other in taken if other.weights for part in ast.walk(other.weights)}
    handed = [name for other in taken for name in (*other.sources, *tensors_around(context, other, earlier)) if name not in bound]
    read = (part for part in _read(derivative, free) if id(part) not in replaced)
    return tuple(dict.fromkeys([*(part.id for part in read if _is_tensor(context, part)), *handed]))


def data_around(context: Context, derivative: Derivative) -> tuple[str, ...]:
    """The same, and what may be tensors: names that are handed to calls and operators. What the function binds anew comes in as well."""
    scope = derivative.scope
    local = _local(scope) if isinstance(scope, FUNCTIONS) else _data_of_file(context)
    free = (local & derivative.free) - {derivative.row}
    anew = free & set(names(derivative.inside).stores)
    read = list(_read(derivative, free))
    data = {name for name in free if all(_may_be_data(context, part) for part in read if part.id == name)}
    return tuple(dict.fromkeys(part.id for part in read if part.id in anew | data or _is_tensor(context, part)))


def tensors_in(context: Context, derivative: Derivative, node: ast.expr | None) -> tuple[str, ...]:
    """The tensors that an expression reads by local names, the inputs apart: ``ones`` of ``grad_outputs=ones``."""
    read = [part for part in ast.walk(node) if isinstance(part, ast.Name)] if node is not None else []
    wanted = _local(derivative.scope) - set(derivative.sources)
    return tuple(dict.fromkeys(part.id for part in read if part.id in wanted and _is_tensor(context, part)))


def _local(scope: ast.AST) -> set[str]:
    return set(names(scope.body).stores) | set(parameters(scope)) if isinstance(scope, FUNCTIONS) else set()  # type: ignore[arg-type]


def _data_of_file(context: Context) -> set[str]:
    """What the module binds, functions, classes and imports apart."""
    return set(names(part for part in context.file.tree.body if not isinstance(part, (*FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom))).stores)


def _read(derivative: Derivative, wanted: set[str]) -> list[ast.Name]:
    found = [part for node in (*derivative.inside, derivative.output) for part in ast.walk(node) if isinstance(part, ast.Name) and part.id in wanted]
    return sorted(found, key=lambda part: (part.lineno, part.col_offset))


def _is_tensor(context: Context, node: ast.expr) -> bool:
    return any(isinstance(o, v.TensorValue) and not o.parameter for o in v.options(context.facts.value(node)))


def _may_be_data(context: Context, node: ast.Name) -> bool:
    """Whether nothing speaks against a tensor: it is of unknown kind, and neither called nor asked for an attribute."""
    parent = context.parents.get(id(node))
    if (isinstance(parent, ast.Call) and parent.func is node) or isinstance(parent, ast.Attribute):
        return False
    return all(isinstance(o, v.Unknown) for o in v.options(context.facts.value(node)))
