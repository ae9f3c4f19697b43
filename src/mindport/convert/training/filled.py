"""Calls that leave what a loss is computed from where their result is not: ``model(image)``, then ``sl.loss`` or ``features["conv3"]``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mindport.convert.context import MODULE, Context, Files
from mindport.convert.instances import is_instance_of
from mindport.convert.training.bindings import cut_off
from mindport.convert.training.left_behind import left_by_forward, left_by_hooks, read_attributes
from mindport.convert.training.left_by_calls import left_by_call
from mindport.convert.training.names import FUNCTIONS, own_nodes
from mindport.convert.training.second_order import called_in
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.scopes import FunctionScope
from mindport.source.called import last_name

#: What makes containers.
_CONTAINERS = frozenset(("list", "dict", "set", "deque", "defaultdict", "OrderedDict"))


def fills(context: Context, statement: ast.stmt, readers: Iterable[ast.AST]) -> bool:
    """Whether a call in `statement` may leave by a hook, in a module, or in the object whose method it is, what `readers` read."""
    if isinstance(statement, ast.With) and cut_off(statement):
        return False
    left = left_in(context, [statement])
    running = bool(_calls(context.facts, statement)) or any(
        _calls(scope.module.facts, scope.node) for part in _going_on(statement) for scope in _run_by(context.facts, part)
    )
    if not running and not left:
        return False
    return bool(_reads(context, list(readers), set()) & (left | left_by_hooks(context) | left_by_forward(context)))


def _going_on(statement: ast.stmt) -> list[ast.AST]:
    """The statement; of an if statement the branches behind which the next one runs."""
    if not isinstance(statement, ast.If):
        return [statement]
    branches = [branch for branch in (statement.body, statement.orelse) if branch and not isinstance(branch[-1], ast.Continue | ast.Break | ast.Return | ast.Raise)]
    return [statement.test, *(part for branch in branches for part in branch)]


def _run_by(facts: Facts, statement: ast.AST) -> list[FunctionScope]:
    """The project's functions that the calls of a statement run, and those that these call."""
    found: dict[int, FunctionScope] = {}
    pending = called_in(facts, statement)
    while pending:
        scope = pending.pop()
        if found.setdefault(id(scope.node), scope) is scope:
            pending += [inner for inner in called_in(scope.module.facts, scope.node) if id(inner.node) not in found]
    return list(found.values())


def left_in(context: Context, statements: Iterable[ast.stmt]) -> frozenset[str]:
    """The names and attributes in which the calls of statements leave something beside their results; of what they are given, where a statement is a call and no more."""
    found: set[str] = set()
    for statement in statements:
        alone = statement.value if isinstance(statement, ast.Expr | ast.Assign | ast.AnnAssign | ast.AugAssign) else None
        for call in _recorded_calls(statement):
            found |= left_by_call(context.facts, context.file.tree, call, given=call is alone)
    return frozenset(found)


def _recorded_calls(node: ast.AST) -> Iterator[ast.Call]:
    """The calls in a statement, those of functions inside of it, of blocks without gradients and of branches that go elsewhere left out."""
    if isinstance(node, ast.With) and cut_off(node):
        return
    if isinstance(node, ast.Call):
        yield node
    for part in _going_on(node) if isinstance(node, ast.If) else ast.iter_child_nodes(node):
        if not isinstance(part, (*FUNCTIONS, ast.ClassDef)):
            yield from _recorded_calls(part)


def runs_module(context: Context, statements: Iterable[ast.stmt]) -> bool:
    """Whether a module may be called in the statements."""
    return any(_calls(context.facts, statement) for statement in statements)


def _calls(facts: Facts, statement: ast.AST) -> list[ast.Call]:
    """The calls of what may be modules."""
    if isinstance(statement, ast.With) and cut_off(statement):
        return []
    return [n for n in [statement, *own_nodes(statement)] if isinstance(n, ast.Call) and _may_be_module(facts, n.func)]


def _reads(context: Context, readers: list[ast.AST], seen: set[str]) -> set[str]:
    """The names and attributes that the nodes read, and the project's functions of the names that they call."""
    found = set().union(*map(read_attributes, readers))
    callees = [n.func for node in readers for n in ast.walk(node) if isinstance(n, ast.Call)]
    functions = context.once(_functions)
    called = {n.attr if isinstance(n, ast.Attribute) else n.id for n in callees if isinstance(n, (ast.Attribute, ast.Name))}
    called |= {name[1:] for name in found if any(map(_is_property, functions.get(name[1:], ())))}
    called -= seen
    seen |= called
    bodies = [body for name in called for body in functions.get(name, ())]
    return found | _reads(context, bodies, seen) if bodies else found


def _is_property(function: ast.AST) -> bool:
    return any(last_name(decorator) in ("property", "cached_property") for decorator in getattr(function, "decorator_list", ()))


def _functions(project: Files) -> dict[str, list[ast.AST]]:
    """The project's functions and methods by their names, forward passes left out: what these read they fill."""
    found: dict[str, list[ast.AST]] = {}
    for node in (node for file, _ in project for node in file.nodes):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name not in ("forward", "__call__", "__init__"):
            found.setdefault(node.name, []).append(node)
    return found


def _may_be_module(facts: Facts, callee: ast.expr) -> bool:
    """Whether what is called may be a module, or its forward pass by name (``net.forward(x)``)."""
    if isinstance(callee, ast.Attribute) and callee.attr == "forward" and _may_be_module(facts, callee.value):
        return True
    kinds = v.options(facts.value(callee))
    if all(isinstance(kind, v.Unknown) for kind in kinds):
        return isinstance(callee, (ast.Name, ast.Subscript)) or (isinstance(callee, ast.Attribute) and isinstance(callee.value, ast.Name) and callee.value.id == "self")
    return any(is_instance_of(kind, {MODULE}) for kind in kinds)


def is_unfilled(value: ast.expr) -> bool:
    """Whether an expression is a constant, or a new container of such things: ``{"a": []}``, ``[None] * n``, ``defaultdict(list)``, ``[[] for _ in heads]``."""
    match value:
        case ast.Constant():
            return True
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return all(map(is_unfilled, parts))
        case ast.Dict(keys=keys, values=values):
            return None not in keys and all(map(is_unfilled, values))
        case ast.BinOp(left=ast.List() as one, op=ast.Mult()) | ast.ListComp(elt=one) | ast.DictComp(value=one):
            return is_unfilled(one)
        case ast.Call(func=ast.Name() | ast.Attribute(value=ast.Name()), args=given, keywords=[]) if last_name(value.func) in _CONTAINERS:
            return all(isinstance(part, ast.Name) and part.id in _CONTAINERS | {"int", "float"} or is_unfilled(part) for part in given)
    return False
