"""What an expression can be. Unknown is a value; joins are unions.

Every value is immutable and hashable. `Unknown` carries why, so that a report can say
what would make the place certain.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mindport.inference.scopes import ClassScope, FunctionScope, ModuleScope

Dim = int | str | None  # a number, a symbol ("B"), or unknown


@dataclass(frozen=True)
class Unknown:
    """Nothing is known; `why` is half a sentence ("parameter x has no annotation")."""

    why: str = ""


@dataclass(frozen=True)
class Const:
    """A Python constant. `kind` keeps True, 1 and 1.0 apart under equality and hashing."""

    value: Any
    kind: type = type(None)

    @staticmethod
    def of(value: Any) -> Const:
        return Const(value, type(value))


@dataclass(frozen=True)
class Builtin:
    """An instance of a builtin type whose value is not known: ``int``, ``float``, ``bool``, ``str``."""

    type: str


@dataclass(frozen=True)
class TensorValue:
    """A tensor; dtype is a canonical name ("torch.float32"). `likely` when assumed, not derived."""

    dtype: str | None = None
    shape: tuple[Dim, ...] | None = None
    parameter: bool = False
    likely: bool = False


@dataclass(frozen=True)
class Api:
    """A reference to something outside the project, by its canonical dotted name.

    ``torch.nn.Conv2d`` (a class), ``torch.relu`` (a function), ``torch.float32``, ``numpy.asarray``.
    """

    name: str


@dataclass(frozen=True)
class Instance:
    """An instance of an outside class (`cls` is its canonical name) other than Tensor."""

    cls: str
    likely: bool = False


@dataclass(frozen=True, eq=False)
class ProjectModule:
    """A module of the project."""

    scope: ModuleScope


@dataclass(frozen=True, eq=False)
class ProjectClass:
    """A class that the project defines."""

    scope: ClassScope


@dataclass(frozen=True)
class ProjectInstance:
    """An instance of a class that the project defines."""

    cls: ProjectClass
    likely: bool = False


@dataclass(frozen=True, eq=False)
class ProjectFunction:
    """A function or lambda that the project defines."""

    scope: FunctionScope


@dataclass(frozen=True)
class Bound:
    """A method looked up on a receiver. `function` is an `Api` or a `ProjectFunction`."""

    receiver: Value
    function: Value


@dataclass(frozen=True)
class Sequence:
    """A list, tuple, set or iterator. `items` when the length is known, else `element`."""

    type: str  # "list", "tuple", "set", "iterator", "torch.Size"
    items: tuple[Value, ...] | None = None
    element: Value = Unknown()


@dataclass(frozen=True)
class Mapping:
    """A dict; `items` for constant keys where all are known, else `element` for the values."""

    items: tuple[tuple[Any, Value], ...] | None = None
    element: Value = Unknown()


@dataclass(frozen=True)
class Partial:
    """functools.partial of `function`."""

    function: Value
    args: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True)
class OneOf:
    """Two or more alternatives; never nested, never holding duplicates."""

    options: frozenset[Value]


Value = (
    Unknown | Const | Builtin | TensorValue | Api | Instance | ProjectModule | ProjectClass | ProjectInstance
    | ProjectFunction | Bound | Sequence | Mapping | Partial | OneOf
)  # fmt: skip

NONE = Const.of(None)

#: More alternatives than this are forgotten: a union of twenty says nothing.
MOST_OPTIONS = 8


def options(value: Value) -> frozenset[Value]:
    """The alternatives of a value; a plain value is its own only alternative."""
    return value.options if isinstance(value, OneOf) else frozenset((value,))


def join(*values: Value) -> Value:
    """The union of what the values can be."""
    merged: set[Value] = set()
    for value in values:
        merged |= options(value)
    if len(merged) == 1:
        return merged.pop()
    if not merged:
        return Unknown("no value reaches here")
    if len(merged) > MOST_OPTIONS:
        return Unknown("more alternatives than can be followed")
    return OneOf(frozenset(merged))


def is_tensor(value: Value) -> bool:
    """True where every alternative (None aside) is a tensor and there is at least one."""
    kinds = [option for option in options(value) if option != NONE]
    return bool(kinds) and all(isinstance(option, TensorValue) for option in kinds)


def expression_type(node: ast.expr) -> str:
    """A short name of an expression's form, for messages."""
    return type(node).__name__.lower()
