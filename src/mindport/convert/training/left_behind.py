"""What forward passes and their hooks leave: who stores an output keeps its graph in a dictionary, list or attribute.

``self.aux_loss = …`` and ``self.outputs.append(y)`` in `forward`, ``features[name] = out`` in a hook: a loss that reads it goes
back through the forward pass, which stands elsewhere in the text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.context import Context, Files
from mindport.convert.own_modes import module_classes
from mindport.convert.training.carrying import Carrying
from mindport.convert.training.names import FUNCTIONS, PUTTING, names, own_nodes, parameters, reads
from mindport.convert.training.replaced_forward import replacements
from mindport.convert.training.second_order import called_in
from mindport.inference.facts import Facts
from mindport.inference.overlays.callbacks import FORWARD_HOOKS
from mindport.inference.scopes import FunctionScope
from mindport.source.file import SourceFile

#: Methods of containers: who calls one reads no attribute of the name.
COMMON = frozenset(f".{name}" for kind in (dict, list, set) for name in dir(kind))


def left_by_hooks(context: Context) -> frozenset[str]:
    """Attributes and names of containers in which forward hooks of the project leave what may carry a gradient."""
    return context.once(_by_hooks)


def read_attributes(node: ast.AST) -> set[str]:
    """The names that are read, and attributes, with a point before them; of a container's methods those that are not called."""
    called = {id(part.func) for part in ast.walk(node) if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and f".{part.func.attr}" in COMMON}
    found = (part for part in ast.walk(node) if isinstance(part, (ast.Name, ast.Attribute)) and isinstance(part.ctx, ast.Load) and id(part) not in called)
    return {part.id if isinstance(part, ast.Name) else f".{part.attr}" for part in found}


def left_by_forward(context: Context) -> frozenset[str]:
    """Those in which forward passes of the project's modules, and the functions that they call, leave it."""
    return context.once(_by_forward)


def left_by_function(scope: FunctionScope) -> frozenset[str]:
    """Where a function leaves what it computes by modules and parameters: names, and attributes with a point before them."""
    return frozenset(_stored(scope.module.file, scope.module.facts, scope.node, carried=False))


def left_beside(context: Context, method: str) -> frozenset[str]:
    """The attributes that a method of this name reads in a class of the project's, and in which another method of that class leaves what it computes."""
    found: set[str] = set()
    for file, facts, methods in context.once(_classes).get(method, ()):
        running = _running(methods, method)
        left = [set(_stored(file, facts, part, carried=False)) for name, part in methods.items() if name not in (*running, "__init__")]
        own = set().union(*(_stored(file, facts, methods[name], carried=False) for name in running))
        found |= set().union(*(reads(methods[name].body) for name in running)) & set().union(*left) - own
    return frozenset(name.removeprefix(".") for name in found - COMMON if name.startswith("."))


def _classes(project: Files) -> dict[str, list[tuple[SourceFile, Facts, dict[str, ast.FunctionDef]]]]:
    """The project's classes with their methods, by the name of each method."""
    found: dict[str, list[tuple[SourceFile, Facts, dict[str, ast.FunctionDef]]]] = {}
    for file, facts in project:
        for node in file.nodes:
            methods = {part.name: part for part in node.body if isinstance(part, ast.FunctionDef)} if isinstance(node, ast.ClassDef) else {}
            for name in methods:
                found.setdefault(name, []).append((file, facts, methods))
    return found


def _running(methods: dict[str, ast.FunctionDef], first: str) -> set[str]:
    """A method, and those of its class that it calls."""
    found, waiting = set(), [first]
    while waiting:
        found.add(name := waiting.pop())
        waiting += [one for one in methods if f".{one}" in reads(methods[name].body) and one not in found]
    return found


def _by_forward(project: Files) -> frozenset[str]:
    passes: list[tuple[SourceFile, Facts, ast.AST]] = [
        (file, facts, method)
        for file, facts in project
        for cls in module_classes(facts)
        for method in cls.body
        if isinstance(method, ast.FunctionDef) and method.name in ("forward", "__call__")
    ] + [(file, facts, function) for file, facts in project for function in replacements(file)]
    return frozenset(_left(passes, given=True))


def _left(passes: list[tuple[SourceFile, Facts, ast.AST]], given: bool) -> set[str]:
    """What functions and those that they call leave; `given`: whether what they are given counts as carrying a gradient."""
    seen: set[int] = set()
    found: set[str] = set()
    while passes:
        file, facts, function = passes.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        found |= set(_stored(file, facts, function, given))
        passes += [(scope.module.file, scope.module.facts, scope.node) for scope in called_in(facts, function)]
    return found


def _by_hooks(project: Files) -> frozenset[str]:
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
        yield from (name.removeprefix(".") for name in reads([*call.args, *(k.value for k in call.keywords)]))


def _hooks(file: SourceFile, handed: set[str]) -> Iterator[ast.AST]:
    """Functions and lambdas that may be hooks: of one of these names, inside of one, or a method `__call__` of such a class."""
    for node in file.nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name in handed:
            yield from (part for part in ast.walk(node) if isinstance(part, FUNCTIONS))
        elif isinstance(node, ast.ClassDef) and node.name in handed:
            yield from (part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__call__")
    for call in _registrations(file):
        yield from (part for part in ast.walk(call) if isinstance(part, ast.Lambda))


def followed(file: SourceFile, facts: Facts, function: ast.AST, carried: bool) -> tuple[Carrying, dict[str, bool]]:
    """What answers whether a value inside of a function carries a gradient, and which of its names do; `carried`: whether what it is given does."""
    given = dict.fromkeys(parameters(function), carried)  # type: ignore[arg-type]
    carrying = Carrying(facts, [function, file.tree], file.tree)
    for node in own_nodes(function):
        for target, value in _bound(node):
            given.update(dict.fromkeys((part.id for part in ast.walk(target) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)), carrying.carries(value, given)))
    return carrying, given


def _stored(file: SourceFile, facts: Facts, hook: ast.AST, carried: bool = True) -> Iterator[str]:
    """Where a function leaves something computed from what it was given: names, and attributes with a point before them. `carried`: whether that carries a gradient."""
    carrying, given = followed(file, facts, hook, carried)
    yield from stored(hook, carrying, given)


def stored(function: ast.AST, carrying: Carrying, given: dict[str, bool]) -> Iterator[str]:
    """The names around a function, parameters and attributes in which it leaves what carries a gradient."""
    own = set(names(function.body).stores) if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) else set()
    outer = {name for part in own_nodes(function) if isinstance(part, (ast.Nonlocal, ast.Global)) for name in part.names}
    parts = {target.id: value for node in own_nodes(function) for target, value in _bound(node) if isinstance(target, ast.Name) and isinstance(value, ast.Attribute | ast.Subscript)}
    for node in own_nodes(function):
        places: list[ast.expr] = []
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and carrying.carries(node.value, given):
            places = node.targets if isinstance(node, ast.Assign) else [node.target]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in PUTTING:
            places = [node.func.value] if any(carrying.carries(value, given) for value in (*node.args, *(k.value for k in node.keywords))) else []
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "setattr" and len(node.args) == 3 and carrying.carries(node.args[2], given):
            yield f".{name.value!s}" if isinstance(name := node.args[1], ast.Constant) else "getattr"  # who reads it says no name either
        for place in places:
            changed = isinstance(node, ast.Call) or isinstance(place, ast.Subscript)  # the object that a name stands for, not the name
            while isinstance(place, ast.Subscript) or (changed and isinstance(place, ast.Name) and place.id in own and isinstance(parts.get(place.id), ast.expr)):
                place = place.value if isinstance(place, ast.Subscript) else parts.pop(place.id)
            if isinstance(place, ast.Attribute):
                yield f".{place.attr}"
            elif isinstance(place, ast.Name) and (place.id in outer or place.id not in own):
                yield place.id


def _bound(node: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    """What a statement or expression binds, and what it is computed from: ``logits, value = net(x)``, ``for row in out:``."""
    match node:
        case ast.Assign(targets=targets, value=value):
            return [(target, value) for target in targets]
        case ast.NamedExpr(target=target, value=value) | ast.AnnAssign(target=target, value=ast.expr() as value) | ast.For(target=target, iter=value):
            return [(target, value)]
    return []
