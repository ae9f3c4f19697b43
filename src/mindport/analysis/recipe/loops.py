"""How long a training loop runs, where no setting says so by its name: ``for step in range(start, start + 200)``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.analysis.answers import Quote
from mindport.analysis.recipe.evaluation import evaluates, file_evaluates
from mindport.analysis.recipe.following import Follower
from mindport.analysis.subject import Subject

#: Makers of numbers one after another: Python's, and a progress bar's.
_RANGES = ("range", "trange")
_STEPS = ("backward", "step")
_TRAINS = ("train", "learn", "update", "fit")


def lengths(subject: Subject, follower: Follower) -> Iterator[tuple[str, Quote]]:
    """(text, place) of the outermost loops over a range in which something is trained."""
    for file in subject.files:
        if subject.aside(file.relative) or file_evaluates(str(file.relative)):
            continue
        for loop in _outermost(file.tree):
            around = subject.function_around(file, loop)
            if subject.in_self_test(file, loop) or around is not None and evaluates(around.name):
                continue
            counted = _range(loop.iter)
            if counted is None or not _trains(loop):
                continue
            followed = follower.follow(file, counted)
            if followed.known or followed.quotes:
                name = _last_name(counted) or ast.unparse(loop.target)
                yield f"{name}={followed.text}", subject.quote(file, loop)


def _outermost(node: ast.AST) -> Iterator[ast.For]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.For):
            yield child
        else:
            yield from _outermost(child)


def _range(node: ast.expr) -> ast.expr | None:
    """The number of turns of a range: its end, or what is added to its start, also within ``tqdm(…)``."""
    if not isinstance(node, ast.Call):
        return None
    if _called(node) not in _RANGES:
        return _range(node.args[0]) if node.args else None
    if len(node.args) == 1:
        return node.args[0]
    if len(node.args) < 2:
        return None
    start, end = ast.unparse(node.args[0]), node.args[1]
    if isinstance(end, ast.BinOp) and isinstance(end.op, ast.Add):
        for one, other in ((end.left, end.right), (end.right, end.left)):
            if ast.unparse(one) == start:
                return other
    return end


def _trains(loop: ast.For) -> bool:
    called = [_called(node) for statement in loop.body for node in ast.walk(statement) if isinstance(node, ast.Call)]
    return any(name in _STEPS or name.lower().lstrip("_").startswith(_TRAINS) for name in called)


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""


def _last_name(node: ast.expr) -> str:
    names = [n.attr if isinstance(n, ast.Attribute) else n.id for n in ast.walk(node) if isinstance(n, (ast.Attribute, ast.Name))]
    return names[0] if names else ""
