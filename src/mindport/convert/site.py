"""One place where the project uses an API: the call (or attribute) with its receiver and arguments."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from mindport.catalog import Entry
from mindport.convert.bind import Binding, Unbound, bind
from mindport.convert.retarget import Given
from mindport.convert.specialise import PREFIX
from mindport.forms import public
from mindport.inference.facts import Use
from mindport.inference.overlays.names import STATIC
from mindport.inference.torchfacts import numpy_names


@dataclass(frozen=True)
class Site:
    """A use, taken apart. `receiver` is the object of a method call or attribute."""

    use: Use
    node: ast.expr
    receiver: ast.expr | None
    args: tuple[ast.expr, ...]
    keywords: tuple[ast.keyword, ...]

    @property
    def call(self) -> ast.Call | None:
        """The call, where the use is one."""
        return self.node if isinstance(self.node, ast.Call) else None


def site(use: Use) -> Site:
    """Take a use apart."""
    node = use.node
    if isinstance(node, ast.Call) and use.kind in ("call", "method", "with", "decorator"):
        method = use.kind == "method" and use.name not in STATIC
        receiver = node.func.value if method and isinstance(node.func, ast.Attribute) else None
        return Site(use, node, receiver, tuple(node.args), tuple(node.keywords))
    receiver = node.value if use.kind in ("attribute", "store") and isinstance(node, ast.Attribute) else None
    return Site(use, node, receiver, (), ())


def bind_site(place: Site, entry: Entry) -> Binding | Unbound:
    """Bind the site's receiver and arguments to the entry's signature."""
    arguments = entry.arguments
    if arguments is None:
        return Unbound("the equivalent has no signature", star=True)
    receiver = [place.receiver] if place.receiver is not None else []
    return bind(arguments, [*receiver, *place.args], list(place.keywords), numpy_names(public(place.use.name)))


def written_out(place: Site, entry: Entry) -> Binding | None:
    """What a call with ``**options`` shows of its arguments: those that are written out, which the options cannot hold once more."""
    if entry.arguments is None or any(isinstance(a, ast.Starred) for a in place.args) or all(k.arg is not None for k in place.keywords):
        return None
    receiver = [place.receiver] if place.receiver is not None else []
    names = [a.arg for a in (*entry.arguments.posonlyargs, *entry.arguments.args)]
    return Binding({**dict(zip(names, [*receiver, *place.args], strict=False)), **{k.arg: k.value for k in place.keywords if k.arg is not None}})


def renamed_keywords(place: Site, entry: Entry) -> list[tuple[ast.keyword, str]]:
    """The call's keywords that are NumPy's names for parameters (``axis``), each with the entry's own."""
    if place.call is None or entry.arguments is None:
        return []
    own = {a.arg for a in [*entry.arguments.args, *entry.arguments.kwonlyargs]}
    other = numpy_names(public(place.use.name))
    return [(k, other[k.arg]) for k in place.keywords if k.arg is not None and k.arg not in own and other.get(k.arg) in own]


def collected_keyword(place: Site, entry: Entry) -> ast.keyword | None:
    """The keyword that fills what ``*parameter`` collects (``size=(2, 3)`` of torch's ``*size``); Python's own calls have none."""
    if entry.arguments is None or entry.arguments.vararg is None:
        return None
    return next((k for k in place.keywords if k.arg == entry.arguments.vararg.arg), None)


def given(place: Site, binding: Binding) -> list[Given]:
    """The user's arguments, in order, with their marks; the receiver is left out."""
    by_node: dict[int, str] = {id(node): PREFIX + name for name, node in binding.given.items()}
    for name, extra in binding.extra.items():
        by_node |= {id(node): f"{PREFIX}{name}@{i}" for i, node in enumerate(extra)}
    for name, keywords in binding.keywords.items():
        by_node |= {id(k.value): f"{PREFIX}{name}@{i}" for i, k in enumerate(keywords)}
    found = [Given(by_node[id(a)], a, None) for a in place.args]
    found += [Given(by_node[id(k.value)], k.value, k) for k in place.keywords]
    return found


def evaluation_order(place: Site, binding: Binding) -> list[tuple[str, ast.expr]]:
    """(mark, expression) of receiver and arguments in the order Python evaluates them."""
    order = [(g.mark, g.value.value if isinstance(g.value, ast.Starred) else g.value) for g in given(place, binding)]
    if place.receiver is not None:
        mark = next((PREFIX + n for n, node in binding.given.items() if node is place.receiver), None)
        if mark is None:
            mark = next(f"{PREFIX}{n}@{i}" for n, e in binding.extra.items() for i, x in enumerate(e) if x is place.receiver)
        order.insert(0, (mark, place.receiver))
    return order
