"""Where a project trains and what it calls its parts there: the network, the optimizer, the loader, and the steps between two updates."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from mindport.analysis import torch_names
from mindport.analysis.recipe import vocabulary as words
from mindport.analysis.recipe.evaluation import file_evaluates
from mindport.analysis.subject import Subject
from mindport.source.file import SourceFile


@dataclass(frozen=True)
class Training:
    """One optimizer's place. Names are the project's own text: ``model``, ``self.net``; empty where the text does not say."""

    file: SourceFile
    call: ast.Call
    optimizer: str
    network: str
    #: Where the name of the network is bound, and the last statement that binds it.
    made: ast.stmt | None


def trainings(subject: Subject) -> list[Training]:
    """Every optimizer that is made outside of tests, in the order of files; those of evaluation last."""
    found: list[Training] = []
    for file, use in subject.uses(*words.OPTIMIZERS):
        if use.kind != "call" or not isinstance(use.node, ast.Call) or use.name.startswith(words.SCHEDULERS) or subject.aside(file.relative):
            continue
        if not use.name.rpartition(".")[2][:1].isupper() or subject.in_self_test(file, use.node):
            continue
        network = _network(subject, file, use.node)
        found.append(Training(file, use.node, _target(file, use.node), network, _binding(subject, file, use.node, network)))
    if not found:
        found = [*_by_name(subject)]
    return sorted(found, key=lambda t: file_evaluates(str(t.file.relative)))


def _by_name(subject: Subject) -> Iterator[Training]:
    """``optimizer = build(net.parameters(), …)`` where the class is chosen when the program runs."""
    for file in subject.files:
        for node in file.nodes if not subject.aside(file.relative) else ():
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and "opt" in (name := ast.unparse(node.targets[0])).lower():
                for given in [*node.value.args, *(k.value for k in node.value.keywords)]:
                    if isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) and given.func.attr == "parameters":
                        network = ast.unparse(given.func.value)
                        yield Training(file, node.value, name, network, _binding(subject, file, node.value, network))


def _target(file: SourceFile, call: ast.Call) -> str:
    for node in file.nodes:
        if isinstance(node, ast.Assign) and node.value is call:
            return ast.unparse(node.targets[0])
    return ""


def _network(subject: Subject, file: SourceFile, call: ast.Call) -> str:
    """``net`` of ``net.parameters()`` in the optimizer's arguments, or in what the name given there was made of."""
    given = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "params"), None)
    places: list[ast.AST] = [given] if given is not None else []
    if isinstance(given, ast.Name):
        scope = subject.function_around(file, call) or file.tree
        places += [n.value for n in ast.walk(scope) if isinstance(n, ast.Assign) and any(isinstance(t, ast.Name) and t.id == given.id for t in n.targets)]
    for place in places:
        for node in ast.walk(place):
            if isinstance(node, ast.Attribute) and node.attr in ("parameters", "named_parameters") and isinstance(node.value, (ast.Name, ast.Attribute)):
                return ast.unparse(node.value)
    return ""


def _binding(subject: Subject, file: SourceFile, call: ast.Call, name: str) -> ast.stmt | None:
    scope = subject.function_around(file, call) or file.tree
    bound = [n for n in ast.walk(scope) if isinstance(n, ast.Assign) and any(ast.unparse(t) == name for t in n.targets) and n.lineno < call.lineno]
    return max(bound, key=lambda n: n.lineno) if bound else None


@dataclass(frozen=True)
class Accumulation:
    """An update that does not follow every backward pass. `every`: the text of the number of passes; `counter`: what counts them; `number`: that number's node."""

    file: SourceFile
    step: ast.Call
    optimizer: str
    every: str
    counter: str
    place: ast.AST
    number: ast.expr


def accumulations(subject: Subject) -> Iterator[Accumulation]:
    """``if (i + 1) % n == 0: optimizer.step()``, and a loop of backward passes before one step."""
    for file in subject.files:
        if subject.aside(file.relative):
            continue
        yield from _under_a_count(file)
        yield from _after_a_loop(file)


def _steps(node: ast.AST) -> Iterator[ast.Call]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
            receiver = ast.unparse(inner.func.value).lower()
            if inner.func.attr == "step" and ("opt" in receiver or "scaler" in receiver) and "sched" not in receiver:
                yield inner


def _optimizer(step: ast.Call) -> str:
    """``scaler.step(optimizer)`` steps the optimizer that it is given."""
    assert isinstance(step.func, ast.Attribute)
    return ast.unparse(step.args[0]) if step.args and "scaler" in ast.unparse(step.func.value).lower() else ast.unparse(step.func.value)


def _backward(node: ast.AST) -> bool:
    return any(isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == torch_names.BACKWARD_METHOD for n in ast.walk(node))


def _under_a_count(file: SourceFile) -> Iterator[Accumulation]:
    for loop in file.nodes:
        if not isinstance(loop, (ast.For, ast.While)):
            continue
        for node in ast.walk(loop):
            if not isinstance(node, ast.If) or _backward(node):
                continue
            rest = next((n for n in ast.walk(node.test) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mod)), None)
            step = next((s for statement in node.body for s in _steps(statement)), None)
            if rest is None or step is None or _own_turn(loop, rest):
                continue
            if _backward(loop) and not any(isinstance(inner, (ast.For, ast.While)) and node in ast.walk(inner) for inner in ast.walk(loop) if inner is not loop):
                names = [n.id for n in ast.walk(rest.left) if isinstance(n, ast.Name)]
                yield Accumulation(file, step, _optimizer(step), ast.unparse(rest.right), names[0] if names else "", node, rest.right)


def _own_turn(loop: ast.AST, rest: ast.BinOp) -> bool:
    """Whether another branch of the loop that the same turns reach goes backward: a policy that is updated each twentieth time adds nothing up."""
    return any(isinstance(n, ast.If) and _backward(n) and any(ast.unparse(rest.right) == ast.unparse(m.right) for m in ast.walk(n.test) if isinstance(m, ast.BinOp) and isinstance(m.op, ast.Mod)) for n in ast.walk(loop))


def _after_a_loop(file: SourceFile) -> Iterator[Accumulation]:
    for block in file.nodes:
        statements = getattr(block, "body", None)
        if not isinstance(statements, list):
            continue
        for number, loop in enumerate(statements):
            if not (isinstance(loop, ast.For) and _backward(loop)) or next(_steps(loop), None) is not None:
                continue
            step = next((s for later in statements[number + 1 :] if not isinstance(later, (ast.For, ast.While, ast.FunctionDef, ast.ClassDef)) for s in _steps(later)), None)
            call = loop.iter
            if step is not None and isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range" and len(call.args) == 1:
                yield Accumulation(file, step, _optimizer(step), ast.unparse(call.args[0]), ast.unparse(loop.target), loop, call.args[0])
