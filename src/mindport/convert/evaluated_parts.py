"""Parts that are in evaluation when a construction ends: ``Net().set_train()`` would put them into training, where torch leaves them.

A constructor evaluates them (``self.vgg.eval()``, ``self.eval()`` under a condition, by a method or a function that it calls), or they were made
before and are handed in (``Distiller(teacher.eval(), student)``). What a constructor runs is followed by names and by what they hold, through the
whole project.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.instances import is_instance_of
from mindport.convert.own_modes import Files, module_classes, own_modes
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.members import MODULE

_MAKING = "__init__"


def keeps_modes(files: Files) -> bool:
    """Whether a module of the project has, after its constructor, a mode that `set_train` on it or on what holds it would undo."""
    files = tuple(files)
    made = list(constructing(files))
    return (
        bool(own_modes(files))
        or any(_evaluates_a_part(facts, function) for facts, function in made)
        or (any(_takes_from_around(facts, function) for facts, function in made) and evaluates_anything(files))
    )


def evaluates_anything(files: Files) -> bool:
    """Whether the project puts anything into evaluation, wherever that is."""
    return any(_evaluated(node) for file, _ in files for node in file.nodes)


def evaluates_itself(facts: Facts, node: ast.Call) -> bool:
    """Whether the class that is called ends its ``__init__`` in evaluation, with all that it holds."""
    value = facts.value(node.func)
    return isinstance(value, v.ProjectClass) and _ends_in_evaluation(_constructor(value))


def _constructor(cls: v.ProjectClass) -> ast.AST | None:
    return next((above.methods[_MAKING].node for above in cls.scope.mro if _MAKING in above.methods), None)


def _ends_in_evaluation(function: ast.AST | None) -> bool:
    """Whether a constructor says ``self.eval()`` of itself, whatever it was given, and makes nothing afterwards."""
    if not isinstance(function, ast.FunctionDef) or function.name != _MAKING:
        return False
    last = next((n for n, s in reversed(list(enumerate(function.body))) if isinstance(s, ast.Expr) and _set_mode(s.value) == (_owner(function), True)), None)
    return last is not None and not any(isinstance(node, ast.Assign | ast.Call) for s in function.body[last + 1 :] for node in ast.walk(s))


def _owner(method: ast.FunctionDef) -> str:
    return method.args.args[0].arg if method.args.args else ""


def _evaluates_a_part(facts: Facts, function: ast.AST) -> bool:
    """Whether what runs in a construction leaves something in evaluation that the construction as a whole does not leave so."""
    if _ends_in_evaluation(function):
        return False
    return any(_evaluated(node) or isinstance(node, ast.Call) and (_starts_base(facts, node) or evaluates_itself(facts, node)) for node in ast.walk(function))


def _takes_from_around(facts: Facts, function: ast.AST) -> bool:
    """Whether what runs in a construction uses a module that the file holds: ``self.backbone = BACKBONE``."""
    bound = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} | {n.arg for n in ast.walk(function) if isinstance(n, ast.arg)}
    return any(isinstance(n, ast.Name) and n.id not in bound and isinstance(n.ctx, ast.Load) and holds_module(facts.value(n)) for n in ast.walk(function))


def holds_module(value: v.Value | None) -> bool:
    """Whether a value is, or a list or dict holds, an instance of a module."""
    match value:
        case v.Sequence():
            return any(map(holds_module, [*(value.items or ()), value.element]))
        case v.Mapping():
            return any(map(holds_module, [*dict(value.items or ()).values(), *dict(value.named).values(), value.element]))
        case v.Partial():
            return any(map(holds_module, [*value.args, *dict(value.keywords).values()]))
        case v.OneOf():
            return any(map(holds_module, value.options))
    return value is not None and is_instance_of(value, {MODULE})


def _starts_base(facts: Facts, node: ast.Call) -> bool:
    """Whether ``super().__init__()`` or ``Base.__init__(self)`` runs a constructor that ends in evaluation, after which this one goes on."""
    is_base_call = isinstance(node.func, ast.Attribute) and node.func.attr == _MAKING
    return is_base_call and any(_ends_in_evaluation(f.scope.node) for f in _functions(facts.value(node.func)))


def _functions(value: v.Value) -> Iterator[v.ProjectFunction]:
    for option in v.options(value):
        held = option.function if isinstance(option, v.Bound | v.Partial) else option
        if isinstance(held, v.ProjectFunction):
            yield held


def constructing(files: Files) -> Iterator[tuple[Facts, ast.AST]]:
    """All that constructors of module classes run, in the project: themselves, methods on the object, functions, constructors of other classes."""
    files = tuple(files)
    home = {id(node): facts for file, facts in files for node in file.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)}
    methods: dict[str, list[ast.AST]] = {}
    for _, facts in files:
        for cls in module_classes(facts):
            for part in cls.body:
                if isinstance(part, ast.FunctionDef):
                    methods.setdefault(part.name, []).append(part)
    waiting = list(methods.get(_MAKING, ()))
    seen = set(map(id, waiting))
    while waiting:
        function = waiting.pop()
        at = home.get(id(function))
        if at is None:
            continue
        yield at, function
        for reached in _run_by(at, function, methods):
            if id(reached) not in seen:
                seen.add(id(reached))
                waiting.append(reached)


def _run_by(facts: Facts, function: ast.AST, methods: dict[str, list[ast.AST]]) -> Iterator[ast.AST]:
    for node in ast.walk(function):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls") | ast.Call(func=ast.Name(id="super")), attr=name) if name in methods:
                yield from methods[name]
            case ast.Call(func=called) if isinstance(made := facts.value(called), v.ProjectClass) and MODULE not in made.scope.ancestors:
                initial = _constructor(made)
                yield from () if initial is None else (initial,)
            case ast.Name(ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()):
                yield from (held.scope.node for held in _functions(facts.value(node)))


def _evaluated(node: ast.AST) -> bool:
    """Whether something is, or may be, put into evaluation."""
    return _set_mode(node)[0] != ""


def _set_mode(node: ast.AST) -> tuple[str, bool]:
    """The text of X where the node is ``X.eval()``, ``X.train(…)`` with anything but True, or sets ``X.training``; and whether all in X is in evaluation then."""
    match node:
        case ast.Call(func=ast.Attribute(receiver, "eval"), args=[], keywords=[]):
            return ast.unparse(receiver), True
        case ast.Call(func=ast.Attribute(receiver, "train"), args=[ast.Constant(mode)], keywords=[]) | ast.Call(
            func=ast.Attribute(receiver, "train"), args=[], keywords=[ast.keyword("mode", ast.Constant(mode))]
        ):  # fmt: skip
            return ("", False) if mode is True else (ast.unparse(receiver), mode is False)
        case ast.Call(func=ast.Attribute(receiver, "train"), args=[_], keywords=[]) | ast.Call(func=ast.Attribute(receiver, "train"), args=[], keywords=[ast.keyword("mode")]):
            return ast.unparse(receiver), False
        case ast.Assign(targets=[ast.Attribute(receiver, "training")], value=mode) if not (isinstance(mode, ast.Constant) and mode.value is True):
            return ast.unparse(receiver), False
    return "", False
