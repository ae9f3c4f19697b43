"""Schedules of the learning rate that other packages make, what calls say of the warm-up, and functions that warm up."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.analysis import torch_names
from mindport.analysis.answers import Quote
from mindport.analysis.recipe import vocabulary as words
from mindport.analysis.recipe.conditions import Conditions
from mindport.analysis.recipe.following import Follower
from mindport.analysis.recipe.settings import normal
from mindport.analysis.subject import Function, Subject
from mindport.inference import values as v
from mindport.source.called import last_name
from mindport.source.file import SourceFile

#: Names of schedules, by convention: ``CosineAnnealingWarmupRestarts``, ``GradualWarmupScheduler``, ``build_scheduler``.
_SCHEDULE = re.compile(r".*(sched|_lr$|lr_?on_plateau|warm_?up|anneal|decay_?lr|lr_?decay).*")
#: Schedules of torch's names that a project defines itself, too.
_PLATEAU = re.compile(r"lr_?on_plateau$|(step|cosine|exponential|lambda|poly|multi_step)_?lr$|^cosine_annealing")
_OPTIMIZER = re.compile(r"(.*_)?(opt|optims?|optimi[sz]ers?)(_.*)?")
_STEP = "step"
#: What a function about the learning rate names.
_RATE = re.compile(r"\b(lr|lrs|learning_rate|optimi[sz]er|param_groups?|base_lrs|last_epoch|scheduler)\b|_lr\b|\blr_")


def computed_warm_ups(subject: Subject, follower: Follower) -> Iterator[tuple[str, Quote]]:
    """(text, place) of lengths of a warm-up that files that train compute: ``warmup_steps = max_steps * 0.03``."""
    for file in subject.files:
        if subject.aside(file.relative) or not subject.programs.trains(file):
            continue
        for node in file.nodes:
            if isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name) and re.fullmatch(words.WARM_UP, normal(target.id)) and isinstance(node.value, ast.BinOp):
                yield f"{target.id}={follower.follow(file, node.value).text}", subject.quote(file, node)


def warm_ups_by_hand(subject: Subject, written: list[tuple[SourceFile, ast.AST]]) -> Iterator[tuple[str, Quote]]:
    """(text, place) of warm-ups where the rate is written by hand: ``if epoch < 5: lr = args.lr * epoch / 5``."""
    for file, place in written:
        around = subject.function_around(file, place)
        for node in ast.walk(around) if around is not None else ():
            test = node.test if isinstance(node, ast.If) else None
            if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Lt, ast.LtE)) and isinstance(test.left, ast.Name)):
                continue
            end = ast.unparse(test.comparators[0])
            for division in (n for statement in node.body for n in ast.walk(statement) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div)):  # type: ignore[attr-defined]
                upward = any(isinstance(n, ast.Name) and n.id == test.left.id for n in ast.walk(division.left))
                if upward and end in (ast.unparse(n) for n in ast.walk(division.right)):
                    yield f"{ast.unparse(division)} while {ast.unparse(test)}", subject.quote(file, node)


def sets_back(subject: Subject, file: SourceFile, node: ast.Assign | ast.AugAssign) -> bool:
    """Whether a group gets the attribute as its rate that the optimizer of the same file is made with, and that is set once: a start anew, and no schedule."""
    if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute)):
        return False
    text, given = ast.unparse(node.value), {ast.unparse(k.value) for n in file.nodes if isinstance(n, ast.Call) for k in n.keywords if k.arg == "lr"}
    stores = [t for other in subject.files for n in other.nodes for t in _bound(n) if isinstance(t, ast.Attribute) and t.attr == node.value.attr]
    return text in given and len(stores) <= 1


def _bound(node: ast.AST) -> list[ast.expr]:
    """What a statement binds."""
    return node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else []


def made_anew(subject: Subject, made: list[tuple[SourceFile, str, ast.Call]]) -> Iterator[tuple[SourceFile, ast.Call, ast.expr]]:
    """(file, call, rate) of optimizers that a loop makes again with another rate: ``optimizer = SGD(net.parameters(), lr=rates[i])`` behind a step."""
    for file, name, call in made:
        around = subject.function_around(file, call) or file.tree
        held = {ast.unparse(t): n.value for n in ast.walk(around) if isinstance(n, ast.Assign) and n.value is call for t in n.targets}
        loops = [n for n in ast.walk(around) if isinstance(n, (ast.For, ast.While)) and n.lineno <= call.lineno <= (n.end_lineno or 0)]
        rate = _rate_given(name, call)
        if not held or not loops or rate is None:
            continue
        first = min(loop.lineno for loop in loops)
        before = [n.value for n in ast.walk(around) if isinstance(n, ast.Assign) and n.lineno < first and any(ast.unparse(t) in held for t in n.targets)]
        rates = [_rate_given(name, other) for _, name, other in made if other in before]
        if rates and all(other is not None and ast.unparse(other) != ast.unparse(rate) for other in rates):
            yield file, call, rate


def _rate_given(name: str, call: ast.Call) -> ast.expr | None:
    """The rate that an optimizer's call gives."""
    place = words.POSITIONAL.get(name.rpartition(".")[2], ("params", "lr")).index("lr")
    return next((k.value for k in call.keywords if k.arg == "lr"), call.args[place] if len(call.args) > place else None)


def held_schedules(subject: Subject) -> Iterator[tuple[SourceFile, str, ast.Call]]:
    """(file, name, call) of schedules that a name holds until something is called with it: ``cls = lrs.MultiStepLR``, ``register(cls, **options)``."""
    for file, use in subject.uses(*words.SCHEDULERS):
        if use.kind != "value" or subject.aside(file.relative):
            continue
        scope = subject.function_around(file, use.node) or file.tree
        names = {t.id for n in ast.walk(scope) if isinstance(n, ast.Assign) and n.value is use.node for t in n.targets if isinstance(t, ast.Name)}
        for node in ast.walk(scope):
            if isinstance(node, ast.Call) and any(isinstance(a, ast.Name) and a.id in names for a in node.args):
                yield file, use.name, node


def foreign_schedules(subject: Subject) -> Iterator[tuple[SourceFile, str, ast.Call]]:
    """(file, name, call) of what neither PyTorch nor the project defines, is called like a schedule and gets an optimizer first."""
    for file in subject.files:
        if subject.aside(file.relative):
            continue
        for node in file.nodes:
            if not (isinstance(node, ast.Call) and (node.args or node.keywords)) or subject.in_self_test(file, node):
                continue
            name = last_name(node.func)
            first = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg == "optimizer"), None)
            if first is None or not _SCHEDULE.fullmatch(normal(name)) or not _OPTIMIZER.fullmatch(normal(ast.unparse(first).rpartition(".")[2])):
                continue
            callees = v.options(subject.facts[file].value(node.func))
            known = any(isinstance(o, v.ProjectFunction) or isinstance(o, v.ProjectClass) and not _PLATEAU.search(normal(name)) or isinstance(o, v.Api) and o.name.startswith((torch_names.TORCH, *words.SCHEDULERS)) for o in callees)
            if not known and (not _defined(subject, name) or _PLATEAU.search(normal(name))):
                yield file, name, node


def chosen_schedules(subject: Subject, found: list[tuple[SourceFile, ast.ClassDef | ast.FunctionDef]], named: list[str]) -> list[tuple[SourceFile, ast.ClassDef | ast.FunctionDef]]:
    """The project's schedules without the methods of those that are classes, and without the classes beside one that a configuration names."""
    classes = {
        id(node): node for known in subject.facts.values() for node, ancestors in known.ancestors.items()
        if isinstance(node, ast.ClassDef) and any(a.startswith(words.SCHEDULERS) for a in ancestors)
    }  # fmt: skip
    methods = {id(part) for node in classes.values() for part in node.body}
    listed = any(node.name in named for node in classes.values())
    return [(file, node) for file, node in found if id(node) not in methods and not (listed and id(node) in classes and node.name not in named)]


def never_stepped(file: SourceFile, call: ast.Call, conditions: Conditions) -> str:
    """The setting that leaves out every step of a schedule that a name holds: ``if args.adjust: scheduler.step()``; nothing where one is taken, or none is seen."""
    names = {ast.unparse(t) for n in file.nodes if isinstance(n, ast.Assign) and n.value is call for t in n.targets if isinstance(t, (ast.Name, ast.Attribute))}
    steps = [n for n in file.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == _STEP and ast.unparse(n.func.value) in names]
    handed = any(isinstance(n, ast.Call) and any(ast.unparse(a) in names for a in [*n.args, *(k.value for k in n.keywords)]) for n in file.nodes) or any(isinstance(n, ast.Return) and n.value is not None and ast.unparse(n.value) in names for n in file.nodes)
    why = [conditions.off(file, step) for step in steps]
    return why[0] if why and all(why) and not handed else ""


def _defined(subject: Subject, name: str) -> bool:
    """Whether a class or function of the project has the name."""
    return any(isinstance(n, (ast.ClassDef, ast.FunctionDef)) and n.name == name for file in subject.files for n in file.nodes)


def reads_the_rate(definition: ast.ClassDef | Function) -> bool:
    """Whether what is called ``get_lr`` or ``set_lr`` computes nothing: it says what the rate is, or keeps it."""
    if isinstance(definition, Function) and all(_is_kept(statement) for statement in definition.body):
        return True
    return definition.name.startswith("get_") and isinstance(definition, Function) and not any(isinstance(n, (ast.BinOp, ast.AugAssign)) or isinstance(n, ast.Call) and _SCHEDULE.fullmatch(normal(ast.unparse(n.func).rpartition(".")[2])) and ast.unparse(n.func).rpartition(".")[2][:1].isupper() for n in ast.walk(definition))


def _is_kept(statement: ast.stmt) -> bool:
    """``self.lr_decay = lr_decay``."""
    return isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Name) and all(isinstance(t, ast.Attribute) for t in statement.targets)


def about_the_rate(file: SourceFile, definition: ast.ClassDef | Function) -> bool:
    """Whether a function called after a warm-up warms the learning rate up: other things are, too (a diffusion's noise, a loss's weight)."""
    name = definition.name
    text = " ".join(ast.unparse(inner) for inner in [definition, *(n for n in file.nodes if isinstance(n, ast.Call) and n is not definition and _gives(n, name))])
    return bool(_RATE.search(text)) or bool(_RATE.search(normal(name)))


def _gives(call: ast.Call, name: str) -> bool:
    """Whether a call hands a function on: ``LambdaLR(optimizer, lr_lambda=warmup)``."""
    return any(isinstance(inner, ast.Name) and inner.id == name for given in [*call.args, *(k.value for k in call.keywords)] for inner in ast.walk(given))
