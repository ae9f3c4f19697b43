"""Parameters whose gradients are switched off for good: a fine-tuning's frozen layers, and no target network, copy or GAN's other half."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.analysis.answers import Quote
from mindport.analysis.recipe.conditions import Conditions
from mindport.analysis.recipe.evaluation import evaluates
from mindport.analysis.recipe.following import Follower
from mindport.analysis.recipe.initialisation import measures, untrained
from mindport.analysis.subject import Subject
from mindport.source.defaults import defaults_of
from mindport.source.file import SourceFile

_NORMALISATION = re.compile(r"batch_?norm|\bbn\b", re.IGNORECASE)
_GRADIENTS = "requires_grad"


def switched_off(subject: Subject, conditions: Conditions, attribute: str, toggling: frozenset[str]) -> Iterator[tuple[str, Quote, str]]:
    """``p.requires_grad = False`` and ``p.requires_grad_(False)`` for the parameters that a loop goes through, or a weight."""
    for file in subject.files:
        if subject.aside(file.relative) or subject.programs.apart(file):
            continue
        looped = {
            target.id for loop in file.nodes if isinstance(loop, ast.For) and "parameters" in ast.unparse(loop.iter)
            for target in ast.walk(loop.target) if isinstance(target, ast.Name)
        }  # fmt: skip
        for node in file.nodes:
            receiver, value = _switched(node, attribute) or (None, None)
            if receiver is None or not (isinstance(value, ast.Constant) and value.value is False):
                continue
            if (around := subject.function_around(file, node)) is not None and (evaluates(around.name) or around.name in toggling) or measures(file, node) or (loop := _loop_over(file, node, receiver.id) if isinstance(receiver, ast.Name) else None) is not None and _of_the_untrained(subject, file, loop):
                continue  # gradients that an evaluation does not need, a loss's own network, a copy's
            if isinstance(receiver, ast.Name) and (loop := _loop_over(file, node, receiver.id)) is not None and _only_copied(subject, file, loop, receiver.id):
                continue
            if isinstance(receiver, ast.Name) and receiver.id in looped or ast.unparse(receiver).endswith((".weight", ".bias")):
                yield f"{attribute}=False for {ast.unparse(receiver)}", subject.quote(file, node), conditions.off(file, node)


def kept_statistics(subject: Subject) -> Iterator[tuple[str, Quote, str]]:
    """Functions that put layers of batch normalisation into evaluation, where the project applies them to a network: ``model.apply(set_batchnorm_eval)``."""
    for file in subject.files:
        functions = {n.name: n for n in file.nodes if isinstance(n, ast.FunctionDef)}
        for node in file.nodes if functions and not subject.aside(file.relative) else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "apply" and len(node.args) == 1 and isinstance(name := node.args[0], ast.Name) and (function := functions.get(name.id)) is not None:
                asked = any(isinstance(n, ast.If) and _NORMALISATION.search(ast.unparse(n.test)) and any(isinstance(c, ast.Call) and isinstance(c.func, ast.Attribute) and c.func.attr == "eval" for c in ast.walk(n)) for n in ast.walk(function))
                if asked:
                    yield f"statistics of batch normalisation by {function.name}", subject.quote(file, node), ""


def _switched(node: ast.AST, attribute: str) -> tuple[ast.expr, ast.expr] | None:
    """(whose, to what) of ``p.requires_grad = value`` and ``p.requires_grad_(value)``."""
    match node:
        case ast.Assign(targets=[ast.Attribute(value=receiver, attr=attr), *_], value=value) if attr == attribute:
            return receiver, value
        case ast.Call(func=ast.Attribute(value=receiver, attr=attr), args=[value, *_]) if attr == attribute + "_":
            return receiver, value
    return None


def _loop_over(file: SourceFile, node: ast.AST, name: str) -> ast.For | None:
    """The loop around a node whose variable has the name."""
    line = getattr(node, "lineno", 0)
    around = [
        loop for loop in file.nodes if isinstance(loop, ast.For) and loop.lineno <= line <= (loop.end_lineno or 0)
        and any(isinstance(t, ast.Name) and t.id == name for t in ast.walk(loop.target))
    ]  # fmt: skip
    return max(around, key=lambda loop: loop.lineno, default=None)


def _of_the_untrained(subject: Subject, file: SourceFile, loop: ast.For) -> bool:
    """Whether a loop goes through the parameters of a network that no optimizer of the same function or script is given: VGG in a loss."""
    network = re.sub(r"\.(named_)?parameters\(.*\)$", "", ast.unparse(loop.iter))
    scope = subject.function_around(file, loop) or file.tree
    made = [n.value for n in ast.walk(scope) if isinstance(n, ast.Assign) and any(ast.unparse(t) == network for t in n.targets)]
    return bool(made) and untrained(subject, file, made[-1])


def _only_copied(subject: Subject, file: SourceFile, loop: ast.For, name: str) -> bool:
    """Whether a loop goes through what is never trained: a copy of another network (a target, an average), or a network that freezes itself."""
    over = re.sub(r"\.(named_)?parameters\(.*\)$", "", ast.unparse(loop.iter))
    around = subject.function_around(file, loop)
    if over == "self":
        return around is not None and around.name == "__init__"  # LPIPS: all of it, from the start
    if any(isinstance(n, ast.Attribute) and n.attr == "copy_" and ast.unparse(n.value).partition(".")[0] == name for n in ast.walk(loop)):
        return True  # for p, q in zip(a.parameters(), b.parameters()): q.data.copy_(p.data)
    return over in _copies(file)


def toggling(subject: Subject, follower: Follower) -> frozenset[str]:
    """Names of functions that switch gradients off for networks they are given, and whose calls freeze nothing that is trained, or that nobody calls.

    ``disable_gradients(self.target_net)`` is given a copy of another network; ``set_requires_grad(netD, False)`` of a GAN stands beside ``set_requires_grad(netD, True)``.
    """
    found: dict[str, bool] = {}
    copies: frozenset[str] | None = None
    written = subject.written_names
    for file in subject.files:
        for function in file.nodes:
            if not isinstance(function, ast.FunctionDef) or (set_to := _sets(function)) is None:
                continue
            copies = frozenset().union(*map(_copies, subject.files)) if copies is None else copies
            calls = [_asked(function, call, set_to) for home, call in follower.calls_of(function.name) if not subject.aside(home.relative)]
            on = {network for networks, value in calls if value is True for network in networks}
            off = [networks for networks, value in calls if value is not True]
            called = bool(calls) or written is not None and function.name not in written
            harmless = called and all(networks and all(network in on or _is_copy(network, copies) for network in networks) for networks in off)
            found[function.name] = harmless and found.get(function.name, True)
    return frozenset(name for name, harmless in found.items() if harmless)


def _sets(function: ast.FunctionDef) -> ast.expr | None:
    """What a function sets the gradients' switch of what it is given to: False, or one of its parameters."""
    parameters = [a.arg for a in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]]
    for node in ast.walk(function):
        _, value = _switched(node, _GRADIENTS) or (None, None)
        if isinstance(value, ast.Constant) and value.value is False or isinstance(value, ast.Name) and value.id in parameters:
            return value if [name for name in parameters if name not in ("self", "cls")] else None
    return None


def _asked(function: ast.FunctionDef, call: ast.Call, set_to: ast.expr) -> tuple[list[str], bool | None]:
    """(networks, what their switch is set to) of a call; None for what is not written out."""
    parameters = [a.arg for a in [*function.args.posonlyargs, *function.args.args] if a.arg not in ("self", "cls")]
    given = dict(zip(parameters, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
    network = next(iter(given.values()), None)
    networks = network.elts if isinstance(network, (ast.List, ast.Tuple)) else [network] if network is not None else []
    value: ast.expr | None = set_to
    if isinstance(set_to, ast.Name):
        value = given.get(set_to.id, defaults_of(function.args).get(set_to.id))
    return [ast.unparse(each) for each in networks], value.value if isinstance(value, ast.Constant) and isinstance(value.value, bool) else None


def _copies(file: SourceFile) -> set[str]:
    """Texts of what a file loads with another network's state, or copies from one."""
    found = set()
    for node in file.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "load_state_dict" and node.args and ast.unparse(node.args[0]).endswith(".state_dict()"):
            found.add(ast.unparse(node.func.value))
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and "deepcopy" in ast.unparse(node.value.func):
            found |= {ast.unparse(target) for target in node.targets}
    return found


def _is_copy(network: str, copies: frozenset[str]) -> bool:
    """Whether a network is a copy, or its parts are."""
    return any(copy == network or copy.startswith(network + ".") for copy in copies)
