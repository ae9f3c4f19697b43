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

_BINDING = "functools.partial"


def called_by_name(subject: Subject, follower: Follower) -> Iterator[Found]:
    """(file, name, call) of calls of what ``getattr`` takes out of the package of optimizers, where the name is known."""
    package = words.OPTIMIZERS[0]
    known = {name.rpartition(".")[2] for name in torchfacts.public_names() if name.rpartition(".")[0] + "." == package}
    for file, facts in subject.facts.items():
        if subject.aside(file.relative):
            continue
        for node in file.nodes:
            taken = node.func if isinstance(node, ast.Call) else None
            if not (isinstance(node, ast.Call) and isinstance(taken, ast.Call) and isinstance(taken.func, ast.Name) and taken.func.id == "getattr" and len(taken.args) > 1):
                continue
            if not any(isinstance(o, v.Api) and o.name + "." == package for o in v.options(facts.value(taken.args[0]))):
                continue
            followed = follower.follow(file, taken.args[1])
            yield from ((file, package + name, node) for name in (part.strip("\"' ") for part in followed.text.split(" or ")) if name in known)


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
