"""What forward hooks leave: a hook that stores its module's output keeps the graph in a dictionary, list or attribute.

``features[name] = out``, ``self.acts.append(out)``: a loss that reads it goes back through the forward pass that ran the hook,
which stands elsewhere in the text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mindport.convert.context import Context, Files
from mindport.convert.training.carrying import Carrying
from mindport.convert.training.names import FUNCTIONS, names, own_nodes, parameters
from mindport.inference.facts import Facts
from mindport.inference.overlays.callbacks import FORWARD_HOOKS
from mindport.source.file import SourceFile

#: Methods that put their arguments into a container.
_PUTTING = frozenset(("append", "extend", "insert", "add", "update", "setdefault", "put"))


def left_by_hooks(context: Context) -> frozenset[str]:
    """Attributes and names of containers in which forward hooks of the project leave what may carry a gradient."""
    return context.once(_left)


def reads(nodes: Iterable[ast.AST]) -> set[str]:
    """The names and attributes that are read."""
    found: set[str] = set()
    for part in (part for node in nodes for part in ast.walk(node)):
        if isinstance(part, (ast.Name, ast.Attribute)) and isinstance(part.ctx, ast.Load):
            found.add(part.id if isinstance(part, ast.Name) else part.attr)
    return found


def _left(project: Files) -> frozenset[str]:
    handed = {name for file, _ in project for name in _handed(file)}
    hooks = [(file, facts, hook) for file, facts in project for hook in _hooks(file, handed)] if handed else []
    found = {name for file, facts, hook in hooks for name in _stored(file, facts, hook)}
    given = {name for _, _, hook in hooks for name in parameters(hook)}  # type: ignore[arg-type]
    return frozenset(found - given | (handed if found & given else set()))  # a container that the function which makes the hook is given


def _registrations(file: SourceFile) -> Iterator[ast.Call]:
    for node in file.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FORWARD_HOOKS:
            yield node


def _handed(file: SourceFile) -> Iterator[str]:
    """Names in what is registered: a function's, a method's, that of a function that makes one."""
    for call in _registrations(file):
        yield from reads([*call.args, *(k.value for k in call.keywords)]) | {"<lambda>"}


def _hooks(file: SourceFile, handed: set[str]) -> Iterator[ast.AST]:
    """Functions and lambdas that may be hooks: of one of these names, inside of one, or a method `__call__` of such a class."""
    for node in file.nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name in handed:
            yield from (part for part in ast.walk(node) if isinstance(part, FUNCTIONS))
        elif isinstance(node, ast.ClassDef) and node.name in handed:
            yield from (part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__call__")
    for call in _registrations(file):
        yield from (part for part in ast.walk(call) if isinstance(part, ast.Lambda))


def _stored(file: SourceFile, facts: Facts, hook: ast.AST) -> Iterator[str]:
    """Where a hook leaves something computed from what it was given, as the last name of each place."""
    given = dict.fromkeys(parameters(hook), True)  # type: ignore[arg-type]
    carrying = Carrying(facts, [hook, file.tree], file.tree)
    own = set(names(hook.body).stores) if isinstance(hook, (ast.FunctionDef, ast.AsyncFunctionDef)) else set()
    for node in own_nodes(hook):
        if isinstance(node, ast.NamedExpr | ast.Assign) and isinstance(target := node.target if isinstance(node, ast.NamedExpr) else node.targets[0], ast.Name):
            given[target.id] = carrying.carries(node.value, given)
    outer = {name for part in own_nodes(hook) if isinstance(part, (ast.Nonlocal, ast.Global)) for name in part.names}
    for node in own_nodes(hook):
        places: list[ast.expr] = []
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and carrying.carries(node.value, given):
            places = node.targets if isinstance(node, ast.Assign) else [node.target]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _PUTTING:
            places = [node.func.value] if any(carrying.carries(value, given) for value in (*node.args, *(k.value for k in node.keywords))) else []
        for place in places:
            while isinstance(place, ast.Subscript):
                place = place.value
            if isinstance(place, ast.Attribute):
                yield place.attr
            elif isinstance(place, ast.Name) and (place.id in outer or place.id not in own):
                yield place.id
