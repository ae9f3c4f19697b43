"""Statements: each changes the frame and says whether the next one is reached."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from mindport.inference.annotations import annotated
from mindport.inference.attributes import store
from mindport.inference.containers import iterate, unpack
from mindport.inference.definitions import define_class, define_function
from mindport.inference.frame import STATEMENTS, Environment, Frame, join_environments, path_of, run
from mindport.inference.growth import grow
from mindport.inference.importing import import_from, import_module
from mindport.inference.narrowing import narrow
from mindport.inference.operators import binary
from mindport.inference.tried_imports import installed, substitutes
from mindport.inference.values import (
    NONE,
    Api,
    Instance,
    Mapping,
    ProjectInstance,
    Sequence,
    TensorValue,
    Unknown,
    Value,
    element_of,
    is_tensor,
    join,
    options,
)
from mindport.source.walking import walk

#: How often a loop's body is evaluated; the second time with what the first one left.
LOOP_PASSES = 2
#: Loops nested deeper than this are evaluated once.
MOST_NESTED_LOOPS = 2


def assign(frame: Frame, target: ast.expr, value: Value) -> None:
    """Bind a target to a value."""
    if isinstance(target, ast.Name):
        frame.bind(target.id, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        starred = any(isinstance(e, ast.Starred) for e in target.elts)
        parts = [iterate(frame.project, value)] * len(target.elts) if starred else unpack(frame.project, value, len(target.elts))
        for element, part in zip(target.elts, parts, strict=False):
            if isinstance(element, ast.Starred):
                assign(frame, element.value, Sequence("list", None, part))
            else:
                assign(frame, element, part)
    elif isinstance(target, ast.Attribute):
        base = frame.evaluate(target.value)
        store(frame, base, target, value)
        path = path_of(target)
        if path is not None and is_tensor(base) and value == NONE:
            frame.env.pop(path, None)  # ``x.grad = None``: the next backward pass sets it
        elif path is not None:
            frame.env[path] = value
    elif isinstance(target, ast.Subscript):
        base = frame.evaluate(target.value)
        frame.evaluate(target.slice)
        path = path_of(target.value)
        if path is not None:
            key = frame.values.get(id(target.slice))
            grow(frame, target.value, path, base, value, key if not isinstance(target.slice, ast.Slice) else None)
    frame.values[id(target)] = value


def _expression(frame: Frame, node: ast.Expr) -> bool:
    frame.evaluate(node.value)
    return not (isinstance(node.value, ast.Call) and frame.values.get(id(node.value.func)) in _ENDING)


_ENDING = (Api("sys.exit"), Api("builtins.exit"), Api("builtins.quit"), Api("os._exit"))


def _assign(frame: Frame, node: ast.Assign) -> bool:
    value = frame.evaluate(node.value)
    for target in node.targets:
        assign(frame, target, value)
    return True


def _annotated(frame: Frame, node: ast.AnnAssign) -> bool:
    declared = annotated(node.annotation, frame.evaluate, frame.module.strings)
    if frame.cls is not None and isinstance(node.target, ast.Name):
        frame.cls.annotations[node.target.id] = declared
    if node.value is None:
        if isinstance(node.target, ast.Attribute):
            store(frame, frame.evaluate(node.target.value), node.target, declared)
        return True
    value = frame.evaluate(node.value)
    if isinstance(value, Unknown) or (isinstance(value, (Sequence, Mapping)) and _says_more(declared, value)):
        value = declared if not isinstance(declared, Unknown) else value
    assign(frame, node.target, value)
    return True


def _says_more(declared: Value, value: Value) -> bool:
    """``layers: list[nn.Module] = []``: the annotation knows what will be in it."""
    if isinstance(declared, Sequence) and isinstance(value, Sequence):
        return not value.items if value.items is not None else isinstance(value.element, Unknown)
    return isinstance(declared, Mapping) and isinstance(value, Mapping) and not value.items


def _augmented(frame: Frame, node: ast.AugAssign) -> bool:
    target = node.target
    if isinstance(target, ast.Name):
        before = frame.lookup(target.id)
        frame.values[id(target)] = before
    else:
        before = frame.evaluate(target)
    value = binary(frame, type(node.op), before, frame.evaluate(node.value))
    arrays = [option for option in options(before) if option != NONE]
    if any(isinstance(option, Unknown) for option in options(value)) and arrays and all(isinstance(option, Instance) and option.cls == "numpy.ndarray" for option in arrays):
        value = join(*arrays)  # an array takes any operand in, and stays what it is
    if isinstance(before, TensorValue) and before.dtype and isinstance(value, TensorValue):
        value = replace(value, dtype=before.dtype)  # so does a tensor
    kept = frame.values[id(target)]
    assign(frame, target, value)
    frame.values[id(target)] = kept  # rooms ask what the target is before the operation
    return True


def _if(frame: Frame, node: ast.If) -> bool:
    frame.evaluate(node.test)
    before = frame.env
    frame.env = before.copy()
    first = narrow(frame, node.test, True) and run(frame, node.body)
    after_body = frame.env if first else None
    frame.env = before
    second = narrow(frame, node.test, False) and run(frame, node.orelse)
    joined = join_environments(after_body, frame.env if second else None)
    if joined is None:
        return False
    frame.env = joined
    return True


def _loop(frame: Frame, node: Any, start: Any, infinite: bool) -> bool:
    """`start` binds the target or narrows by the test, and says whether the body can be reached."""
    before = frame.env
    entry: Environment = before
    breaks: list[Environment] = []
    passes = LOOP_PASSES if len(frame.loops) < MOST_NESTED_LOOPS else 1
    for _ in range(passes):
        frame.env = entry.copy()
        continues: list[Environment] = []
        breaks = []
        frame.loops.append((continues, breaks))
        reached = start() and run(frame, node.body)
        frame.loops.pop()
        end: Environment | None = frame.env if reached else None
        for other in continues:
            end = join_environments(end, other)
        joined = join_environments(entry, end)
        assert joined is not None
        if joined == entry:
            break
        entry = joined
    frame.env = entry.copy()
    normal = not infinite and run(frame, node.orelse)
    result: Environment | None = frame.env if normal else None
    for other in breaks:
        result = join_environments(result, other)
    if result is None:
        return False
    frame.env = result
    return True


def _for(frame: Frame, node: ast.For) -> bool:
    element = iterate(frame.project, frame.evaluate(node.iter))

    def start() -> bool:
        assign(frame, node.target, element)
        return True

    return _loop(frame, node, start, infinite=False)


def _while(frame: Frame, node: ast.While) -> bool:
    def start() -> bool:
        frame.evaluate(node.test)
        return narrow(frame, node.test, True)

    return _loop(frame, node, start, infinite=isinstance(node.test, ast.Constant) and bool(node.test.value))


def _break(frame: Frame, node: ast.Break) -> bool:
    if frame.loops:
        frame.loops[-1][1].append(frame.env)
    return False


def _continue(frame: Frame, node: ast.Continue) -> bool:
    if frame.loops:
        frame.loops[-1][0].append(frame.env)
    return False


def _return(frame: Frame, node: ast.Return) -> bool:
    frame.returns.append(frame.evaluate(node.value) if node.value is not None else NONE)
    return False


def _raise(frame: Frame, node: ast.Raise) -> bool:
    for part in (node.exc, node.cause):
        if part is not None:
            frame.evaluate(part)
    return False


def _assert(frame: Frame, node: ast.Assert) -> bool:
    frame.evaluate(node.test)
    if node.msg is not None:
        frame.evaluate(node.msg)
    return narrow(frame, node.test, True) or not isinstance(node.test, ast.Constant)


def _try(frame: Frame, node: Any) -> bool:
    before = frame.env.copy()
    reached = run(frame, node.body)
    middle = join_environments(before, frame.env) or before
    if reached:
        reached = run(frame, node.orelse)
    result: Environment | None = frame.env if reached else None
    tried = frame.env
    here = installed(tried, node.body) if reached else {}
    for handler in node.handlers:
        frame.env = middle.copy()
        if handler.type is not None:
            kind = frame.evaluate(handler.type)
            if handler.name:
                frame.env[handler.name] = ProjectInstance(kind) if type(kind).__name__ == "ProjectClass" else Instance("builtins.Exception")  # type: ignore[arg-type]
        if run(frame, handler.body):
            here |= substitutes(tried, node.body, handler, frame.env)
            result = join_environments(result, frame.env)
    frame.env = result if result is not None else middle
    frame.env.update(here)
    finished = run(frame, node.finalbody)
    return result is not None and finished


def _with(frame: Frame, node: Any) -> bool:
    for item in node.items:
        value = frame.evaluate(item.context_expr)
        if item.optional_vars is not None:
            assign(frame, item.optional_vars, _entered(frame, value))
    return run(frame, node.body)


def _entered(frame: Frame, value: Value) -> Value:
    found: list[Value] = []
    for option in options(value):
        if isinstance(option, ProjectInstance):
            method = frame.project.method(option.cls.scope, "__enter__")
            found.append(frame.project.result(method) if method is not None else option)
        elif isinstance(option, Sequence) and option.type == "iterator":
            found.append(element_of(option))  # a generator is none to enter: ``contextmanager`` made it one, which gives what is yielded
        else:
            found.append(option if isinstance(option, (Instance, Sequence, TensorValue, Unknown)) else Unknown("what with gives is not known"))
    return join(*found)


def _match(frame: Frame, node: Any) -> bool:
    frame.evaluate(node.subject)
    before = frame.env
    result: Environment | None = before
    for case in node.cases:
        frame.env = before.copy()
        for part in walk(case.pattern):
            for name in (getattr(part, "name", None), getattr(part, "rest", None)):
                if isinstance(name, str):
                    frame.env[name] = Unknown("bound by a pattern")
            value = getattr(part, "value", None) or getattr(part, "cls", None)
            if isinstance(value, ast.expr):
                frame.evaluate(value)
        if case.guard is not None:
            frame.evaluate(case.guard)
        if run(frame, case.body):
            result = join_environments(result, frame.env)
    frame.env = result if result is not None else before
    return True


def _delete(frame: Frame, node: ast.Delete) -> bool:
    for target in node.targets:
        if isinstance(target, ast.Name):
            frame.env.pop(target.id, None)
        elif isinstance(target, (ast.Attribute, ast.Subscript)):
            frame.evaluate(target.value)
            if isinstance(target, ast.Subscript):
                frame.evaluate(target.slice)
    return True


def _global(frame: Frame, node: ast.Global) -> bool:
    frame.globals.update(node.names)
    for name in node.names:
        frame.env.setdefault(name, frame.project.global_name(frame.module, name))
    return True


def _nonlocal(frame: Frame, node: ast.Nonlocal) -> bool:
    for name in node.names:
        owner = frame.function.parent if frame.function is not None else None
        while owner is not None and (name not in owner.assigned or name in owner.borrowed):
            owner = owner.parent
        if owner is not None:
            frame.nonlocals[name] = owner
    return True


STATEMENTS.update(
    {
        ast.Expr: _expression, ast.Assign: _assign, ast.AnnAssign: _annotated, ast.AugAssign: _augmented, ast.If: _if,
        ast.For: _for, ast.AsyncFor: _for, ast.While: _while, ast.Break: _break, ast.Continue: _continue,
        ast.Return: _return, ast.Raise: _raise, ast.Assert: _assert, ast.Try: _try, ast.With: _with, ast.AsyncWith: _with,
        ast.Match: _match, ast.Delete: _delete, ast.Global: _global, ast.Nonlocal: _nonlocal, ast.FunctionDef: define_function,
        ast.AsyncFunctionDef: define_function, ast.ClassDef: define_class, ast.Import: import_module,
        ast.ImportFrom: import_from,
    }
)  # fmt: skip
if hasattr(ast, "TryStar"):
    STATEMENTS[ast.TryStar] = _try
