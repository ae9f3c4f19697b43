"""What constants that reach a call by other names show: that it is refused when it runs, or hits a declared difference.

What a call *becomes* goes by its own text (`decide`), for a constant that inference carries may be a default that some caller
overrides. What is *said* of it may take them: ``momentum = None`` … ``nn.BatchNorm1d(10, momentum=momentum)`` keeps its class,
which refuses None, and that is announced.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from mindport.catalog import Entry, KnowledgeModule
from mindport.convert.bind import Binding
from mindport.convert.decide import differences, frozen
from mindport.convert.dtypes import DTYPES
from mindport.convert.guards import Fact, Known, Typed, fact
from mindport.convert.guards import decide as decide_guard
from mindport.convert.site import Site, bind_site
from mindport.convert.specialise import refusal_text
from mindport.declare import Difference
from mindport.inference import values as v

#: Ways of binding that are looked at: more constants than these may reach one call from many callers.
_MOST = 16

#: What is said before the sentence of a refusal.
REFUSED = "what reaches it here is refused when it runs"

Look = Callable[[ast.expr], Fact]


def shown(place: Site, entry: Entry, look: Look, value_of: Callable[[ast.expr], v.Value]) -> list[Difference]:
    """The declared differences that carried constants show, and the refusal that they lead to, as one that is loud."""
    found = _binding(place, entry, value_of)
    if found is None:
        return []
    binding, spread = found
    hit: list[Difference] = []
    for reading in _readings(binding, look, value_of, spread):
        hit += [difference for difference, certain in differences(entry, binding, reading) if certain and difference.when is not None]
        if sentence := _refused(entry.module, entry.callable.body if entry.callable else [], binding, reading, set()):
            hit.append(Difference(f"{REFUSED}: {sentence}", risk="loud"))
    return list(dict.fromkeys(hit))


def _binding(place: Site, entry: Entry, value_of: Callable[[ast.expr], v.Value]) -> tuple[Binding, dict[int, v.Value]] | None:
    """The binding with ``*items`` and ``**options`` spread where all that is in them is known, and the values of what was spread."""
    spread: dict[int, v.Value] = {}
    args: list[ast.expr] = []
    keywords: list[ast.keyword] = []
    for argument in place.args:
        items = value_of(argument.value) if isinstance(argument, ast.Starred) else None
        if isinstance(items, v.Sequence) and items.items is not None:
            args += [_standing_for(item, spread) for item in items.items]
        else:
            args.append(argument)
    for keyword in place.keywords:
        options = value_of(keyword.value) if keyword.arg is None else None
        if isinstance(options, v.Mapping) and options.items is not None and all(isinstance(name, str) for name, _ in options.items):
            keywords += [ast.keyword(name, _standing_for(value, spread)) for name, value in options.items]
        else:
            keywords.append(keyword)
    binding = bind_site(Site(place.use, place.node, place.receiver, tuple(args), tuple(keywords)), entry)
    return (binding, spread) if isinstance(binding, Binding) else None


def _standing_for(value: v.Value, spread: dict[int, v.Value]) -> ast.expr:
    node = ast.Name("_", ast.Load())
    spread[id(node)] = value
    return node


def _readings(binding: Binding, look: Look, value_of: Callable[[ast.expr], v.Value], spread: dict[int, v.Value]) -> Iterator[Look]:
    """Looks at a call's arguments that take the constants carried to them; several where several may reach one of them."""
    several: list[tuple[ast.expr, v.Value]] = []

    def first(node: ast.expr) -> Fact:
        if id(node) in spread:
            return fact(spread[id(node)])
        known = look(node)
        if isinstance(known, Known):
            return known
        carried = fact(value_of(node))
        return carried if isinstance(carried, Known) or (isinstance(carried, Typed) and carried.constant is not None) else known

    yield first
    for node in binding.given.values():
        options = v.options(spread[id(node)] if id(node) in spread else value_of(node))
        several += [(node, option) for option in options if isinstance(option, v.Const) or (isinstance(option, v.Api) and option.name in DTYPES)] if len(options) > 1 else []
    for node, option in several[:_MOST]:
        yield lambda other, node=node, option=option: fact(option) if other is node else first(other)  # type: ignore[misc]


def _refused(module: KnowledgeModule, body: list[ast.stmt], binding: Binding, look: Look, rebound: set[str]) -> str:
    def parameter(node: ast.expr) -> Fact:
        if not isinstance(node, ast.Name) or node.id in rebound:
            return None
        if node.id in binding.given:
            return look(binding.given[node.id])
        if node.id not in binding.defaults:
            return None
        try:
            return Known(frozen(ast.literal_eval(binding.defaults[node.id])))
        except (ValueError, TypeError):
            return None

    for statement in body:
        match statement:
            case ast.Raise(exc=ast.Call(func=ast.Name(id="Refused"), args=[sentence])):
                return refusal_text(module, sentence)
            case ast.If(test=test, body=then, orelse=otherwise):
                truth = decide_guard(test, parameter)
                if truth is None:
                    rebound |= _bound_in(statement)
                    if any(isinstance(part, ast.Return) for part in ast.walk(statement)):
                        return ""  # what stands below may not be reached
                    continue
                if found := _refused(module, then if truth else otherwise, binding, look, rebound):
                    return found
                if any(isinstance(part, ast.Return) for part in (then if truth else otherwise)):
                    return ""
            case ast.Return():
                return ""
            case _:
                if any(isinstance(part, ast.Return) for part in ast.walk(statement)):
                    return ""  # a loop that may find something
                rebound |= _bound_in(statement)
    return ""


def _bound_in(statement: ast.stmt) -> set[str]:
    return {part.id for part in ast.walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
