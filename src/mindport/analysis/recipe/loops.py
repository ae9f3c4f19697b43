"""How long a training loop runs, where no setting says so by its name: ``for step in range(start, start + 200)``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.analysis.answers import Quote
from mindport.analysis.recipe.evaluation import evaluates, file_evaluates
from mindport.analysis.recipe.following import Follower
from mindport.analysis.recipe.settings import normal
from mindport.analysis.subject import Subject
from mindport.source.called import last_name
from mindport.source.file import SourceFile

#: Makers of numbers one after another: Python's, and a progress bar's.
_RANGES = ("range", "trange")
_STEPS = ("backward", "step")
#: Libraries of clustering, statistics and pictures.
_NO_TRAINERS = ("faiss", "sklearn", "scipy", "cv2", "skimage")
#: Receivers whose `step` trains nothing: schedules, environments of reinforcement learning.
_OTHER_STEPS = re.compile(r"sched|(^|[._])(\w*_)?envs?\d?(\[.*\])?$")
_TRAINS = ("train", "pretrain", "learn", "update", "fit")


def lengths(subject: Subject, follower: Follower) -> Iterator[tuple[str, bool, Quote]]:
    """(text, whether its number is written out, place) of the outermost loops over a range in which something is trained."""
    functions = _training_functions(subject)
    for file in subject.files:
        if subject.aside(file.relative) or file_evaluates(str(file.relative)) and str(file.relative) not in subject.called_tests:
            continue
        if subject.programs.apart(file):
            continue
        for loop in _outermost(file.tree):
            around = subject.function_around(file, loop)
            if subject.in_self_test(file, loop) or around is not None and evaluates(around.name):
                continue
            counted = _range(_held(around or file.tree, loop.iter)) if isinstance(loop, ast.For) else _bound(loop.test)
            if counted is None or not _trains(loop, functions):
                continue
            followed = follower.follow(file, counted)
            if followed.known or followed.quotes:
                counter = ast.unparse(loop.target) if isinstance(loop, ast.For) else ""
                name = _last_name(counted) or counter.strip("_")
                yield f"{name}={followed.text}" if name else f"{followed.text} times", isinstance(counted, ast.Constant), subject.quote(file, loop)


def _bound(test: ast.expr) -> ast.expr | None:
    """What a counter is compared with: ``while runner.t_env <= args.t_max``."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Lt, ast.LtE)):
        return test.comparators[0]
    return None


def _outermost(node: ast.AST) -> Iterator[ast.For | ast.While]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.For) or isinstance(child, ast.While) and _bound(child.test) is not None:
            yield child
        else:
            yield from _outermost(child)


def _range(node: ast.expr) -> ast.expr | None:
    """The number of turns of a range: its end, or what is added to its start, also within ``tqdm(…)``."""
    if not isinstance(node, ast.Call):
        return None
    if last_name(node.func) not in _RANGES:
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


def _held(scope: ast.AST, node: ast.expr) -> ast.expr:
    """What a name stands for that a function binds once: ``steps = trange(max_iter)``, ``for self.it in steps``."""
    if not isinstance(node, ast.Name):
        return node
    bound = [n.value for n in ast.walk(scope) if isinstance(n, ast.Assign) and any(isinstance(t, ast.Name) and t.id == node.id for t in n.targets)]
    return bound[0] if len(bound) == 1 else node


def _training_functions(subject: Subject) -> frozenset[str]:
    """Names of the project's functions that go backward: ``run_one_epoch``."""
    functions = (node for file in subject.files if not subject.aside(file.relative) for node in file.nodes if isinstance(node, ast.FunctionDef))
    return frozenset(f.name for f in functions if any(isinstance(n, ast.Call) and last_name(n.func) == _STEPS[0] for n in ast.walk(f)))


def counted_elsewhere(subject: Subject) -> frozenset[str]:
    """Names, in the form of `normal`, of settings that only loops count to in which nothing is trained: a decoder's frames, rounds of Griffin-Lim."""
    trained: set[str] = set()
    others: set[str] = set()
    functions = _training_functions(subject)
    for file in subject.files:
        for loop in file.nodes:
            if isinstance(loop, (ast.For, ast.While)):
                turns = _held(subject.function_around(file, loop) or file.tree, loop.iter) if isinstance(loop, ast.For) else None
                counted = _range(turns) if turns is not None else _bound(loop.test) if isinstance(loop, ast.While) else None
                ends = [*([counted] if counted is not None else []), *_left_at(loop)]
                (trained if _trains(loop, functions) else others).update(normal(name) for name in map(_last_name, ends) if name)
        others.update(normal(name) for name in _handed_to_others(file))
    return frozenset(others - trained)


def _handed_to_others(file: SourceFile) -> Iterator[str]:
    """Names of numbers that libraries are given which train no network: the rounds of ``faiss.Kmeans(dim, clusters, niter)``."""
    named = {(alias.asname or alias.name).partition(".")[0] for node in file.nodes if isinstance(node, ast.Import) for alias in node.names if alias.name.partition(".")[0] in _NO_TRAINERS}
    named |= {alias.asname or alias.name for node in file.nodes if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in _NO_TRAINERS for alias in node.names}
    for node in file.nodes if named else ():
        if isinstance(node, ast.Call) and ast.unparse(node.func).partition(".")[0] in named:
            yield from (name for value in [*node.args, *(k.value for k in node.keywords)] if isinstance(value, (ast.Name, ast.Attribute)) and (name := _last_name(value)))


def _left_at(loop: ast.For | ast.While) -> Iterator[ast.expr]:
    """What a loop's counter is compared with where the loop is left: ``if count == max_iter: break``, ``done = True`` of ``while not done``."""
    flags = {n.id for n in ast.walk(loop.test) if isinstance(n, ast.Name)} if isinstance(loop, ast.While) else set()
    for node in ast.walk(loop):
        if isinstance(node, ast.If) and any(isinstance(s, ast.Break) or isinstance(s, ast.Assign) and ast.unparse(s.targets[0]) in flags for s in node.body):
            for test in ast.walk(node.test):
                if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Eq, ast.Gt, ast.GtE)) and isinstance(test.left, ast.Name):
                    yield test.comparators[0]


def _trains(loop: ast.For | ast.While, functions: frozenset[str]) -> bool:
    inner = [node for statement in loop.body for node in ast.walk(statement) if isinstance(node, ast.Call)]
    called = [last_name(node.func) for node in inner if not (isinstance(node.func, ast.Attribute) and _OTHER_STEPS.search(ast.unparse(node.func.value).lower()))]
    called += [a.attr for node in inner for a in node.args if isinstance(a, ast.Attribute) and a.attr.startswith(_TRAINS)]  # retry(model.train)
    return any(name in _STEPS or name in functions or name.lower().lstrip("_").startswith(_TRAINS) for name in called)


def _last_name(node: ast.expr) -> str:
    names = [n.attr if isinstance(n, ast.Attribute) else n.id for n in ast.walk(node) if isinstance(n, (ast.Attribute, ast.Name))]
    return names[0] if names else ""
