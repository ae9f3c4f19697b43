"""``x += y`` changes the tensor itself in torch, and binds a new one to ``x`` in MindSpore; ``x[...] = y`` and
``x[mask] = y`` change ``x`` in both, but in MindSpore not the tensor that ``x`` is a view of by a method.

The same unless someone else holds the tensor. This file finds out who may: a caller (``x`` is
a parameter), another name, an attribute, a container, or the tensor that ``x`` is a view of.
Then the place is reported, and nothing is changed.

Known unsoundness: a module that returns its own input (``nn.Identity``) counts as making a
new tensor.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Report the augmented assignments of the file to tensors that something else may hold."""
    names = {node: same_place[0].name for (node, _), same_place in uses.items()}
    for node in ast.walk(context.file.tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                _whole_or_masked_store(context, node, target, names)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            if not any(isinstance(o, v.TensorValue) for o in v.options(context.facts.value(node.target))):
                continue
            holder = _holder(context, node, node.target.id, names)
            if holder:
                context.report(
                    "MP109",
                    f"`{context.file.segment(node)}` changes the tensor in place in torch, and {holder}; in MindSpore "
                    f"only the name {node.target.id} gets the new value",
                    node, mark=True,
                )  # fmt: skip


def _whole_or_masked_store(context: Context, node: ast.Assign, target: ast.expr, names: dict[int, str]) -> None:
    """Report ``view[...] = y`` and ``view[mask] = y``: the base keeps its values in MindSpore."""
    match target:
        case ast.Subscript(value=ast.Name(id=name) as base, slice=index) if v.is_tensor(context.facts.value(base)):
            whole = isinstance(index, ast.Constant) and index.value is Ellipsis
            if not whole and not isinstance(index, ast.Compare) and not v.is_tensor(context.facts.value(index)):
                return
            function = _function(context, node)
            bindings = _bindings(function, name, node) if function is not None else []
            # Measured (docs/differences/views.md): through x[0] and x[:, 1:] such writes arrive, through view methods not.
            owner = _shares(context, bindings[-1], names) if bindings and isinstance(bindings[-1], ast.Call) else None
            if owner:
                context.report(
                    "MP109",
                    f"`{context.file.segment(target)} = …` writes through a view in torch, and {owner}; in MindSpore the tensor "
                    f"behind the view keeps its values: write `{name}[()] = …` for the whole, or assign to the base",
                    node, mark=True,
                )  # fmt: skip


def _function(context: Context, node: ast.AST) -> ast.AST | None:
    """The function or module around a statement."""
    current = context.parents.get(id(node))
    while current is not None and not isinstance(current, (*_FUNCTIONS, ast.Module)):
        current = context.parents.get(id(current))
    return current


def _holder(context: Context, node: ast.AugAssign, name: str, names: dict[int, str]) -> str | None:
    """Who else may hold the tensor; None where nobody does."""
    function = _function(context, node)
    if function is None:
        return None
    bindings = _bindings(function, name, node)
    if not bindings:
        is_parameter = isinstance(function, _FUNCTIONS) and name in {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
        return f"the caller may still hold {name}" if is_parameter else None
    nearest = bindings[-1]
    for value in bindings if _in_branch(context, nearest, function) else [nearest]:
        owner = _shares(context, value, names)
        if owner:
            return owner
    held = _stored_between(function, name, nearest, node)
    return f"{held} holds it too" if held else None


def _bindings(function: ast.AST, name: str, before: ast.stmt) -> list[ast.expr]:
    """The values bound to `name` by assignments above the place, in order of text."""
    found: list[ast.expr] = []
    for part in ast.walk(function):
        if not isinstance(part, (ast.Assign, ast.AnnAssign)) or part.value is None or part.lineno >= before.lineno:
            continue
        targets = part.targets if isinstance(part, ast.Assign) else [part.target]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            found.append(part.value)
    return sorted(found, key=lambda value: (value.lineno, value.col_offset))


def _in_branch(context: Context, value: ast.expr, function: ast.AST) -> bool:
    statement = context.parents.get(id(value))
    return statement is not None and context.parents.get(id(statement)) is not function


def _shares(context: Context, value: ast.expr, names: dict[int, str]) -> str | None:
    """Whose storage `value` is, where it is not a new tensor."""
    match value:
        case ast.Name(id=other):
            return f"{other} holds it too"
        case ast.Attribute() | ast.Subscript():
            if not v.is_tensor(context.facts.value(value)):
                return None
            return f"`{context.file.segment(value)}` shares its storage"
        case ast.Call():
            entries = context.shared.catalog.find(names.get(id(value), ""))
            if any(entry.view for entry in entries):
                return f"it may be a view (`{context.file.segment(value)}`)"
        case ast.IfExp(body=body, orelse=orelse):
            return _shares(context, body, names) or _shares(context, orelse, names)
    return None


def _stored_between(function: ast.AST, name: str, bound: ast.expr, node: ast.AugAssign) -> str | None:
    """Where the bare name was stored between its binding and the place."""
    for part in ast.walk(function):
        line = getattr(part, "lineno", 0)
        if not bound.lineno < line < node.lineno:
            continue
        match part:
            case ast.Assign(targets=[target], value=ast.Name(id=other)) if other == name:
                return f"`{ast.unparse(target)}`"
            case ast.Call(func=ast.Attribute(value=holder, attr="append"), args=[ast.Name(id=other)]) if other == name:
                return f"`{ast.unparse(holder)}`"
    return None
