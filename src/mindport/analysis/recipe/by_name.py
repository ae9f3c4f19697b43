"""Optimizers that a setting chooses: ``getattr(torch.optim, cfg.NAME)(…)``, and the one of ``if cfg.name == "Adam": … elif …`` that every configuration names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.analysis.recipe import vocabulary as words
from mindport.analysis.recipe.calls import Found
from mindport.analysis.recipe.conditions import Conditions
from mindport.analysis.recipe.following import Follower
from mindport.analysis.subject import Subject
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.source.file import SourceFile

_BINDING = "functools.partial"


def called_by_name(subject: Subject, follower: Follower) -> Iterator[Found]:
    """(file, name, call) of calls of what ``getattr`` takes out of the package of optimizers, where the name is known."""
    package = words.OPTIMIZERS[0]
    known = {name.rpartition(".")[2] for name in torchfacts.public_names() if name.rpartition(".")[0] + "." == package}
    for file, facts in subject.facts.items():
        if subject.aside(file.relative):
            continue
        bound = [n for n in file.nodes if isinstance(n, ast.Assign) and chosen(n.value) is not None]
        for node in file.nodes:
            if not isinstance(node, ast.Call) or (taken := chosen(node.func) or (_held(subject, file, node, bound) if bound else None)) is None:
                continue
            if not any(isinstance(o, v.Api) and o.name + "." == package for o in v.options(facts.value(taken[0]))):
                continue
            followed = follower.follow(file, taken[1])
            yield from ((file, package + name, node) for name in (part.strip("\"' ") for part in followed.text.split(" or ")) if name in known)


def _held(subject: Subject, file: SourceFile, call: ast.Call, bound: list[ast.Assign]) -> tuple[ast.expr, ast.expr] | None:
    """What a name of the same function holds that is called: ``kind = getattr(torch.optim, opt.algo)``, ``kind(parameters)``; nothing where it is chosen twice."""
    if not isinstance(call.func, ast.Name):
        return None
    name = call.func.id
    around = subject.function_around(file, call)
    here = [n for n in bound if isinstance(target := n.targets[0], ast.Name) and target.id == name and subject.function_around(file, n) is around]
    return chosen(here[0].value) if len(here) == 1 else None


def chosen(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """(module, name) of a member that a text chooses: ``getattr(models, arch)``, ``models.__dict__[arch]``, ``vars(models)[arch]``."""
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[module, name, *_]):
            return module, name
        case ast.Subscript(value=ast.Attribute(value=module, attr="__dict__"), slice=name) | ast.Subscript(value=ast.Call(func=ast.Name(id="vars"), args=[module]), slice=name):
            return module, name
    return None


def handed_package(subject: Subject) -> Iterator[tuple[SourceFile, ast.Call]]:
    """(file, call) of functions that get the package of optimizers: ``get_instance(torch.optim, "optimizer", config, groups)``."""
    package = words.OPTIMIZERS[0].rstrip(".")
    for file, facts in subject.facts.items():
        for node in file.nodes if not subject.aside(file.relative) else ():
            if isinstance(node, ast.Call) and any(facts.value(a) == v.Api(package) for a in node.args) and not (isinstance(node.func, ast.Name) and node.func.id == "getattr"):
                yield file, node


def bound_early(subject: Subject) -> Iterator[Found]:
    """(file, name, call) of ``partial(optim.Adam, betas=…)``, which a function of the project calls later."""
    for file, facts in subject.facts.items():
        if subject.aside(file.relative):
            continue
        for node in file.nodes:
            if isinstance(node, ast.Call) and node.args and facts.value(node.func) == v.Api(_BINDING):
                for option in v.options(facts.value(node.args[0])):
                    if isinstance(option, v.Api) and option.name.startswith(words.OPTIMIZERS) and not option.name.startswith(words.SCHEDULERS):
                        yield file, option.name, node


def asked_for(found: list[Found], conditions: Conditions, otherwise: bool = True) -> list[Found]:
    """Those that no setting leaves out; all where none is left, unless `otherwise` is False: something else was found to run."""
    return [each for each in found if not conditions.left_out(each[0], each[2])] or (found if otherwise else [])
