"""What a name can stand for: tensor objects, and views that share a storage with another object."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
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
    relation: str = field(default="", compare=False)  # "index", "reshape", "transpose", "detached", "passing" (a module gives back its input, if it does), "other"

    @property
    def root(self) -> Object:
        """The object whose storage it is."""
        current = self
        while current.base is not None:
            current = current.base
        return current

    @property
    def depth(self) -> int:
        """How many views lie between it and its root."""
        return 0 if self.base is None else 1 + self.base.depth


Objects = frozenset[Object]


def in_order(objects: Objects) -> list[Object]:
    """The objects in the order of their lines: a set's own order changes from process to process."""
    return sorted(objects, key=lambda one: (one.line, one.depth, one.origin, "" if isinstance(one.key, int) else one.key))


NOTHING: Objects = frozenset()


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


def path(node: ast.expr) -> str | None:
    """The dotted text of a name or of attributes of a name; None for anything else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            owner = path(value)
            return f"{owner}.{attr}" if owner else None
    return None
