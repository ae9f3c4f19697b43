"""What a name can stand for: tensor objects, and views that share a storage with another object."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import Literal

Origin = Literal[
    "new",        # made here: nobody else knows it
    "parameter",  # the caller has it
    "attribute",  # another object has it
    "element",    # a container has it
    "global",     # the module has it
    "view",       # part or all of `base`'s storage, in another shape
    "maybe",      # `base` itself, a view of it, or a new tensor: only a run tells
]  # fmt: skip

#: Origins that someone outside the function can reach.
OUTSIDE = frozenset(("parameter", "attribute", "element", "global"))


@dataclass(frozen=True)
class Object:
    """One tensor object, as far as the text tells objects apart: by the place where it is made."""

    origin: Origin
    key: int | str
    base: Object | None = None
    line: int = field(default=0, compare=False)
    expression: ast.expr | None = field(default=None, compare=False)  # what makes the view, where it can be made again
    relation: str = field(default="", compare=False)  # "index", "part" (parts.py), "reshape", "transpose", "detached", "passing" (a module gives back its input, if it does), "other"
    inside: Object | None = None  # the mapping that holds it under a text: another storage than what stands under other texts

    @property
    def root(self) -> Object:
        """The object whose storage it is."""
        return links(self)[-1]

    @property
    def source(self) -> Object:
        """The outermost object that leads to it: its root, or what holds that."""
        current = self.root
        while current.inside is not None:
            current = current.inside.root
        return current

    @property
    def depth(self) -> int:
        """How many views lie between it and its root."""
        return len(links(self)) - 1


def links(one: Object) -> list[Object]:
    """The object, its base, and so on to the root."""
    found = [one]
    while found[-1].base is not None:
        found.append(found[-1].base)
    return found


Objects = frozenset[Object]


def in_order(objects: Objects) -> list[Object]:
    """The objects in the order of their lines: a set's own order changes from process to process."""
    return sorted(objects, key=_places)


def _places(one: Object) -> list[tuple[int, int, str, str]]:
    """What tells objects apart in every process, down to the root."""
    return [(link.line, getattr(link.expression, "col_offset", 0), link.origin, "" if isinstance(link.key, int) else link.key) for link in links(one)]


NOTHING: Objects = frozenset()
#: What names and paths stand for at one point of a function.
Names = dict[str, Objects]


def of_arguments(arguments: ast.arguments) -> Names:
    """What a function's parameters stand for where it begins."""
    found = {one.arg: frozenset((Object("parameter", one.arg, line=one.lineno),)) for one in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]}
    stars = [star for star in (arguments.vararg, arguments.kwarg) if star is not None]
    return found | {star.arg: frozenset((Object("element", star.arg, line=star.lineno),)) for star in stars}


def is_temporary(node: ast.expr, objects: Objects) -> bool:
    """Whether an expression gives what it makes itself: no name holds it, as in ``(a - b).long()``."""
    return bool(objects) and all(one.origin == "new" and one.key == id(node) for one in objects)


def join(a: Names | None, b: Names | None) -> Names | None:
    """Either of two states; None is a state that is never reached. A path that one of them says nothing of stands for what it stood for before."""
    if a is None or b is None:
        return b if a is None else a
    return {name: a.get(name, unsaid(name)) | b.get(name, unsaid(name)) for name in {**a, **b}}


def unsaid(name: str) -> Objects:
    """What a name stands for that a function has not bound: nothing; a path: what others put there."""
    if name.isidentifier():
        return NOTHING
    return frozenset((Object("element" if name.endswith("]") else "attribute", name),))


@dataclass(frozen=True)
class Mutation:
    """One place where a tensor is changed in place, with all that is known there."""

    node: ast.AST  # the call, the augmented assignment, or the assigned subscript
    statement: ast.stmt
    kind: Literal["method", "function", "augmented", "item", "values", "layer", "passed"]
    target: ast.expr  # the expression that gives the tensor
    objects: Objects
    names: dict[str, Objects]  # names and dotted paths → what they stand for
    held: dict[Object, str]  # objects that something else keeps → what does
    detached: bool = False  # whether the text asks for a change that gradients ignore (``x.data``)
    given: Objects = NOTHING  # what ``x.data = y`` gives it


def path(node: ast.expr) -> str | None:
    """The text of a name, of attributes of a name, of what stands there under a text (``state["step"]``); None for anything else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            owner = path(value)
            return f"{owner}.{attr}" if owner else None
        case ast.Subscript(value=value, slice=ast.Constant(value=str(key))):
            owner = path(value)
            return f"{owner}[{key!r}]" if owner else None
    return None


def is_below(text: str, name: str) -> bool:
    """Whether a path leads through a name or another path."""
    return text.startswith((f"{name}.", f"{name}["))


def has_gaps(one: Object) -> bool:
    """Whether an object may not lie in one piece: a transposed view, a region of columns."""
    return any(
        link.relation in ("swap", "other", "maybe") or (isinstance(link.expression, ast.Subscript) and _leaves_gaps(link.expression.slice))
        for link in links(one)
        if link.base is not None
    )


def _leaves_gaps(index: ast.expr) -> bool:
    """Whether what an index takes has other elements in between: ``x[:, 1:]``, ``x[::2]``, ``x[:, 0]``."""
    after_slice = False
    for part in index.elts if isinstance(index, ast.Tuple) else [index]:
        whole = isinstance(part, ast.Slice) and part.lower is part.upper is part.step is None
        if (isinstance(part, ast.Slice) and part.step is not None) or (after_slice and not whole):
            return True
        after_slice = after_slice or isinstance(part, ast.Slice) or (isinstance(part, ast.Constant) and part.value is ...)
    return False


def mentions(one: Object, key: int) -> bool:
    """Whether the object, or one that it is a view of, was made at a place."""
    return any(link.key == key for link in links(one))


def older(one: Object, key: int) -> Object:
    """The object as of an earlier turn of the loop."""
    if not mentions(one, key):
        return one
    base = older(one.base, key) if one.base is not None else None
    return replace(one, base=base, key=f"{key} before" if one.key == key else one.key)


def without_cycle(base: Object, key: int) -> Object:
    """In a loop, a view of a view made at the same place counts as the first one."""
    return next((link.base for link in links(base) if link.key == key and link.base is not None), base)
