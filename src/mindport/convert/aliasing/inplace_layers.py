"""Which layers of the project were asked to overwrite their input, and where they are called.

``self.relu = nn.ReLU(inplace=True)`` in a class makes every ``self.relu(x)`` of it, and of classes that derive from it,
a change of x. A sequence of layers changes its input when its first layer does.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Any, Literal

from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.overlays import storage
from mindport.source.walking import walk

Answer = Literal["yes", "no", "maybe"]


class InPlaceLayers:
    """Answers for one file."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def at_call(self, call: ast.Call) -> str | None:
        """Whether a call may change its argument because the layer was asked to: "yes", "maybe"; None for no."""
        if not call.args:
            return None
        func = call.func
        answers: set[Answer] = set()
        if isinstance(func, ast.Call):  # nn.ReLU(inplace=True)(x)
            answers.add(changes_input(func, self.facts))
        elif isinstance(func, ast.Attribute):
            for option in v.options(self.facts.value(func.value)):
                if isinstance(option, v.ProjectInstance):
                    made = [(value, facts) for value, facts in assigned(option.cls.scope, func.attr) if not (isinstance(value, ast.Constant) and value.value is None)]
                    answers |= {changes_input(value, facts) for value, facts in made}  # what is None is not called
        elif isinstance(func, ast.Name):
            return None
        if "yes" in answers:
            return "yes" if answers == {"yes"} else "maybe"
        return "maybe" if "maybe" in answers else None

    def first_of_several(self, call: ast.Call) -> str | None:
        """Of a called sequence whose first layer overwrites the input while later ones make something else of it: the first layer's class
        ("" where it is not one alone). None for calls that give back what they changed."""
        func = call.func
        made: list[tuple[ast.expr, Facts]] = [(func, self.facts)] if isinstance(func, ast.Call) else []
        if isinstance(func, ast.Attribute):
            options = v.options(self.facts.value(func.value))
            made = [found for o in options if isinstance(o, v.ProjectInstance) for found in assigned(o.cls.scope, func.attr)]
        firsts = [_first(value, facts) for value, facts in made]
        known = {first for first in firsts if first is not None}
        if not known:
            return None
        return known.pop() if len(known) == 1 and None not in firsts else ""

    def may_pass_on(self, call: ast.Call) -> bool:
        """Whether a called sequence may consist of layers that give back what they get; one whose layers are not
        listed counts as having a layer that makes a new tensor."""
        func = call.func
        made: list[tuple[ast.expr, Facts]] = [(func, self.facts)]
        if isinstance(func, ast.Attribute):
            options = v.options(self.facts.value(func.value))
            made = [found for o in options if isinstance(o, v.ProjectInstance) for found in assigned(o.cls.scope, func.attr)]
        for value, facts in made:
            if isinstance(value, ast.Call) and not any(isinstance(a, ast.Starred) for a in value.args):
                layers = [o for a in value.args for o in v.options(facts.value(a))]
                if all(isinstance(o, v.Instance) and storage.layer_relation(o.cls) == "passing" for o in layers):
                    return True
        return False


def assigned(cls: Any, attribute: str) -> list[tuple[ast.expr, Facts]]:
    """What methods of the class, its ancestors and descendants store into an attribute of the object."""
    found: list[tuple[ast.expr, Facts]] = []
    for one in [*cls.mro, *cls.all_subclasses()]:
        if attribute not in one.stores:
            continue
        found += [(value, one.module.facts) for name, value in _stored(one.node) if name == attribute]
    return found


@lru_cache(maxsize=4096)
def _stored(cls: ast.ClassDef) -> list[tuple[str, ast.expr]]:
    """Attribute and value of every assignment in a class."""
    found: list[tuple[str, ast.expr]] = []
    for node in walk(cls):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            names = {t.attr for t in (node.targets if isinstance(node, ast.Assign) else [node.target]) if isinstance(t, ast.Attribute)}
            found += [(name, node.value) for name in names]
    return found


def changes_input(value: ast.expr, facts: Facts) -> Answer:
    """Whether the module that an expression makes overwrites its input."""
    match value:
        case ast.Call(func=func, args=args, keywords=keywords):
            asked = next((k.value for k in keywords if k.arg == "inplace"), None)
            made = v.options(facts.value(func))
            if all(isinstance(option, v.ProjectClass) and _has_own_call(option.scope) for option in made):
                return "no"  # what its own forward does is followed
            name = next((option.name for option in made if isinstance(option, v.Api)), "")
            if name in storage.SEQUENCES_OF_LAYERS:
                first = args[0] if args else None
                return changes_input(first, facts) if first is not None and not isinstance(first, ast.Starred) else "no"
            if asked is None:
                asked = positional(name, args, "inplace")
            if asked is None:
                return "no"
            if not isinstance(asked, ast.Constant):
                return "maybe"
            return "yes" if asked.value else "no"
        case ast.IfExp(body=body, orelse=orelse):
            answers = {changes_input(body, facts), changes_input(orelse, facts)}
            return answers.pop() if len(answers) == 1 else "maybe"
    return "no"


def _first(value: ast.expr, facts: Facts) -> str | None:
    """The class of the first layer of a sequence that an expression makes, where it overwrites the input and the sequence's result is another tensor."""
    if isinstance(value, ast.IfExp):
        either = {_first(value.body, facts), _first(value.orelse, facts)}
        return None if either == {None} else ""
    if not isinstance(value, ast.Call) or not value.args or not _names(facts, value.func) & storage.SEQUENCES_OF_LAYERS:
        return None
    first = value.args[0]
    if isinstance(first, ast.Starred) or changes_input(first, facts) == "no" or all(changes_input(a, facts) == "yes" for a in value.args):
        return None
    names = _names(facts, first.func) if isinstance(first, ast.Call) else set()
    return names.pop() if len(names) == 1 else ""


def _names(facts: Facts, func: ast.expr) -> set[str]:
    return {option.name for option in v.options(facts.value(func)) if isinstance(option, v.Api)}


def _has_own_call(cls: Any) -> bool:
    """Whether the project says what a call of the class's modules does."""
    return any(method in one.methods for one in cls.mro for method in ("forward", "__call__"))


def positional(name: str, args: list[ast.expr], parameter: str) -> ast.expr | None:
    """The argument that fills a library function's or class's parameter by its place."""
    api = torchfacts.lookup(name)
    for one in api.signatures if api is not None else ():
        names = [p.name for p in one.parameters if p.kind.startswith("POSITIONAL")]
        if parameter in names and names.index(parameter) < len(args) and not any(isinstance(a, ast.Starred) for a in args):
            return args[names.index(parameter)]
    return None
