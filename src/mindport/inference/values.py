"""What an expression can be. Unknown is a value; joins are unions.

Every value is immutable and hashable. `Unknown` carries why, so that a report can say
what would make the place certain.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mindport.inference.scopes import ClassScope, FunctionScope, ModuleScope

Dim = int | str | None  # a number, a symbol ("B"), or unknown


@dataclass(frozen=True)
class Unknown:
    """Nothing is known; `why` is half a sentence ("parameter x has no annotation").

    `origin` is the outside API that made the value, where that is known ("numpy.load"). `of_tensors`: something unknown
    made it from a tensor, as ``criterion(logits, labels)`` makes a loss.
    """

    why: str = ""
    origin: str = ""
    of_tensors: bool = False


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
    """An instance of an outside class (`cls` is its canonical name), or of a class that derives
    from it, other than Tensor. `element`: what a container module (``nn.ModuleList``) holds;
    of ``numpy.ndarray`` its dtype, where that is known."""

    cls: str
    likely: bool = False
    element: Value | None = None


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

    type: str  # "list", "deque", "tuple", "set", "iterator", "torch.Size"
    items: tuple[Value, ...] | None = None
    element: Value = Unknown()


@dataclass(frozen=True)
class Mapping:
    """A dict; `items` for constant keys where all are known, else `element` for the values, but for the keys of `named`."""

    items: tuple[tuple[Any, Value], ...] | None = None
    element: Value = Unknown()
    named: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True)
class Partial:
    """functools.partial of `function`."""

    function: Value
    args: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True)
class Transformed:
    """What ``torch.func.grad(f)`` and its kin make of `function`; `numbers`: the arguments that they take it by, the axes that they map over."""

    function: Value
    transform: str
    numbers: Value
    has_aux: bool = False


@dataclass(frozen=True)
class Returning:
    """Something that can be called and gives `result`: an annotation ``Callable[..., nn.Module]``."""

    result: Value


@dataclass(frozen=True, eq=False)
class OneOf:
    """Two or more alternatives; never nested, never holding duplicates.

    They stand in the order in which they were met, so that a report reads the same in every run (a set's order
    hangs on addresses); two unions of the same alternatives are equal whatever their order.
    """

    options: tuple[Value, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OneOf) and self._set == other._set

    def __hash__(self) -> int:
        return hash(self._set)

    @cached_property
    def _set(self) -> frozenset[Value]:
        return frozenset(self.options)


Value = (
    Unknown | Const | Builtin | TensorValue | Api | Instance | ProjectModule | ProjectClass | ProjectInstance
    | ProjectFunction | Bound | Sequence | Mapping | Partial | Transformed | Returning | OneOf
)  # fmt: skip

NONE = Const.of(None)

#: More alternatives than this are forgotten: a union of twenty says nothing.
MOST_OPTIONS = 8
#: More constants than this become their types.
MOST_CONSTANTS = 4
#: The element of an empty container, the result of a function that is being followed: no value, yet.
NOTHING: Value = Unknown("nothing is known to be here")


def options(value: Value) -> tuple[Value, ...]:
    """The alternatives of a value; a plain value is its own only alternative."""
    return value.options if isinstance(value, OneOf) else (value,)


def join(*values: Value) -> Value:
    """The union of what the values can be.

    Tensors become one tensor that keeps what they agree on, sequences of one type one
    sequence; constants stay apart until there are too many.
    """
    first = values[0] if values else None
    for value in values:
        if value is not first:
            break
    else:
        return first if first is not None else Unknown("no value reaches here")
    merged = list(dict.fromkeys(option for value in values for option in options(value)))
    if len(merged) > 1:
        merged = _merged(merged)
    if len(merged) == 1:
        return merged[0]
    if len(merged) > MOST_OPTIONS:
        return Unknown("more alternatives than can be followed")
    return OneOf(tuple(merged))


def _merged(values: list[Value]) -> list[Value]:
    groups: dict[object, Value] = {}
    constants = 0
    for value in values:
        if value is NOTHING:
            continue  # an empty list, a call that is still being followed: the others say what it can be
        if isinstance(value, Const):
            constants += 1
            groups[value] = value
            continue
        key = _group(value)
        other = groups.get(key)
        groups[key] = value if other is None else _one(other, value)
    if constants > MOST_CONSTANTS:
        return list(dict.fromkeys(widen(value) for value in groups.values()))
    return list(groups.values()) or [NOTHING]


def _group(value: Value) -> object:
    """Values with the same key are merged into one."""
    if isinstance(value, (TensorValue, Unknown, Mapping, Returning)):
        return type(value)
    if isinstance(value, (Instance, ProjectInstance)):
        return (type(value), value.cls)
    if isinstance(value, Sequence):
        return (Sequence, value.type)
    return value


def _one(a: Any, b: Any) -> Value:
    if isinstance(a, TensorValue):
        shape = None
        if a.shape is not None and b.shape is not None and len(a.shape) == len(b.shape):
            shape = tuple(x if x == y else None for x, y in zip(a.shape, b.shape, strict=False))
        return TensorValue(
            a.dtype if a.dtype == b.dtype else None, shape, a.parameter and b.parameter, a.likely or b.likely
        )
    if isinstance(a, Unknown):
        told = a if a.origin or (not b.origin and a.why <= b.why) else b
        return told if a.origin == b.origin else Unknown(told.why, "", told.of_tensors)  # the other may come from anywhere
    if isinstance(a, Instance) and a.cls == "numpy.ndarray":  # an array's element is its dtype, which either may not have
        return Instance(a.cls, a.likely or b.likely, a.element if a.element == b.element else None)
    if isinstance(a, Instance):
        element = b.element if a.element is None else a.element if b.element is None else join(a.element, b.element)
        return Instance(a.cls, a.likely or b.likely, element)
    if isinstance(a, ProjectInstance):
        return a if a.likely else b
    if isinstance(a, Returning):
        return Returning(join(a.result, b.result))
    if isinstance(a, Mapping):
        return Mapping(None, join(values_of(a), values_of(b)))
    if a.items is not None and b.items is not None and len(a.items) == len(b.items):
        return Sequence(a.type, tuple(join(x, y) for x, y in zip(a.items, b.items, strict=False)))
    return Sequence(a.type, None, join(element_of(a), element_of(b)))


def element_of(sequence: Sequence) -> Value:
    """What the elements of a sequence can be; an empty one says nothing."""
    if sequence.items is None:
        return sequence.element
    return join(*sequence.items) if sequence.items else NOTHING


def values_of(mapping: Mapping) -> Value:
    """What the values of a dict can be."""
    if mapping.items is None:
        return mapping.element
    return join(*(value for _, value in mapping.items)) if mapping.items else NOTHING


def widen(value: Value) -> Value:
    """The type of a constant, the value itself otherwise."""
    if isinstance(value, Const) and value.value is not None and value.kind in (bool, int, float, str, bytes, complex):
        return Builtin(value.kind.__name__)
    if isinstance(value, OneOf):
        return join(*(widen(option) for option in value.options))
    return value


def is_tensor(value: Value) -> bool:
    """True where every alternative (None aside) is a tensor and there is at least one."""
    kinds = [option for option in options(value) if option != NONE]
    return bool(kinds) and all(isinstance(option, TensorValue) for option in kinds)


def is_int(value: Value) -> bool:
    """Whether it is one of Python's whole numbers, whatever way leads here; truth values are none."""
    kinds = options(value)
    return bool(kinds) and all(isinstance(kind, Const) and kind.kind is int or isinstance(kind, Builtin) and kind.type == "int" for kind in kinds)


def is_array(value: Value) -> bool:
    """Whether it is an array or a number of NumPy's."""
    return isinstance(value, Instance) and value.cls == "numpy.ndarray"


def expression_type(node: ast.expr) -> str:
    """A short name of an expression's form, for messages."""
    return type(node).__name__.lower()
