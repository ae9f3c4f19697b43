"""``tuple(v for k, v in nn.__dict__.items() if "Norm" in k)``: what a module of torch's holds, chosen by its name. The members are written out.

The tests may only compare the name with texts that are written there, so that the text decides them.
"""

from __future__ import annotations

import ast

from mindport.catalog import Entry
from mindport.convert.context import Context, Files
from mindport.convert.module_values import members
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Facts, Use

#: Python's containers that are made of an iterable, and how one of written values is made.
_CONTAINERS = {"tuple": "({})", "list": "[{}]", "set": "{{{}}}"}


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the tuple, list or set of the members."""
    for node in context.file.nodes:
        place, form, listing = _container(node)
        if listing is not None and (entries := _entries(context, listing)):
            context.claim(place)
            context.plan(place, lambda p=place, f=form, e=entries: _write(context, p, f, e), last=True)  # type: ignore[misc]


def lists_layers(project: Files) -> bool:
    """Whether a project lists layers' classes so: they are handed on as values."""
    listings = [(facts, listing) for file, facts in project for node in file.nodes if (listing := _container(node)[2]) is not None]
    return any(torchfacts.MODULE in torchfacts.ancestors(name) for facts, listing in listings for name in _chosen(facts, listing))


def _container(node: ast.AST) -> tuple[ast.expr, str, ast.GeneratorExp | ast.ListComp | ast.SetComp | None]:
    match node:
        case ast.Call(func=ast.Name(id=name), args=[ast.GeneratorExp() as listing], keywords=[]) if name in _CONTAINERS:
            return node, _CONTAINERS[name], listing
        case ast.ListComp():
            return node, _CONTAINERS["list"], node
        case ast.SetComp():
            return node, _CONTAINERS["set"], node
    return ast.Constant(None), "", None


def _entries(context: Context, listing: ast.GeneratorExp | ast.ListComp | ast.SetComp) -> list[Entry]:
    """The equivalents of the members, in the order of their names; none where not all of them have one."""
    names = _chosen(context.facts, listing)
    short = {name.rpartition(".")[2] for name in names}
    found = members(context.shared.catalog, names[0].rpartition(".")[0], frozenset(short)) if names else {}
    return [found[name] for name in sorted(found)] if short == found.keys() else []


def _chosen(facts: Facts, listing: ast.GeneratorExp | ast.ListComp | ast.SetComp) -> list[str]:
    """The full names of the members; none where the text does not decide which they are."""
    match listing.generators, listing.elt:
        case [ast.comprehension(target=ast.Tuple(elts=[ast.Name(id=key), ast.Name(id=value)]), iter=iterated, ifs=[_, *_] as tests)], ast.Name(id=element) if element == value != key:
            module = _module(facts, iterated)
        case _:
            return []
    names = [full for full in sorted(torchfacts.public_names()) if module and full.rpartition(".")[0] == module]
    decided = {full: [_holds(test, key, full.rpartition(".")[2]) for test in tests] for full in names}
    shown = all(answer is not None for answers in decided.values() for answer in answers)
    return [full for full, answers in decided.items() if shown and all(answers)]


def _module(facts: Facts, iterated: ast.expr) -> str:
    match iterated:
        case ast.Call(func=ast.Attribute(value=ast.Attribute(value=owner, attr="__dict__") | ast.Call(func=ast.Name(id="vars"), args=[owner]), attr="items"), args=[], keywords=[]):
            value = facts.value(owner)
            return value.name if isinstance(value, v.Api) else ""
    return ""


def _holds(test: ast.expr, key: str, name: str) -> bool | None:
    """What a test says of a member's name; None where the text does not show it."""
    match test:
        case ast.Compare(left=ast.Constant(value=str(part)), ops=[ast.In()], comparators=[ast.Name(id=asked)]) if asked == key:
            return part in name
        case ast.Compare(left=ast.Constant(value=str(part)), ops=[ast.NotIn()], comparators=[ast.Name(id=asked)]) if asked == key:
            return part not in name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=asked), attr="startswith" | "endswith" as method), args=[ast.Constant(value=str(part))], keywords=[]) if asked == key:
            return bool(getattr(name, method)(part))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _holds(operand, key, name)
            return None if inner is None else not inner
        case ast.BoolOp(op=op, values=values):
            answers = [_holds(one, key, name) for one in values]
            return None if None in answers else (all(answers) if isinstance(op, ast.And) else any(answers))
    return None


def _write(context: Context, place: ast.expr, form: str, entries: list[Entry]) -> None:
    texts = [context.vendored_name(entry) if entry.expression is None else ast.unparse(entry.expression) for entry in entries]
    text = ", ".join(texts) + ("," if len(texts) == 1 and form == _CONTAINERS["tuple"] else "")
    context.editing.replace(*context.editing.span(place), form.format(text))
