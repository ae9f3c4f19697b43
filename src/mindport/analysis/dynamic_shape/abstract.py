"""What an expression's value and shape can depend on.

The lattice of *levels* says how a value differs between training steps: not at all (a constant, configuration, the
shape of an input), from turn to turn of one loop, at random, or with the data. A shape is fixed unless it has a
*source*: a place of the project where a level above `SHAPE` became a size.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Literal

from mindport.source.file import SourceFile

Cause = Literal["input", "values", "size", "axis", "turn", "growth", "branch", "loop", "batch", "list"]
#: The shape of a tensor as far as branches are compared: where it is from and the steps that changed it.
Form = tuple[object, ...]
#: The step that makes one number of everything.
WHOLE = ("reduce", "all")
#: Longer derivations are forgotten.
MOST_STEPS = 6


class Level(IntEnum):
    """How a value differs between steps; the join of two levels is the greater one."""

    CONSTANT = 0
    CONFIGURATION = 1
    SHAPE = 2  # read from a shape: fixed as long as that shape is
    TURN = 3  # counts the turns of a loop: as many values as turns, the same in every step
    RANDOM = 4
    DATA = 5


@dataclass(eq=False, repr=False)
class Source:
    """A place where a shape stops being fixed. `used`: something other than counting elements depends on it; `of_file`: a file is read in its own size."""

    code: str
    cause: Cause
    file: SourceFile
    node: ast.AST
    message: str
    row: str = ""
    origin: Origin | None = None
    likely: bool = False
    in_data: bool = False
    used: bool = False
    of_file: bool = False
    downstream: dict[tuple[str, int], str] = field(default_factory=dict)
    fixed_by: dict[tuple[str, int], str] = field(default_factory=dict)


@dataclass(frozen=True)
class Origin:
    """Where a changing value comes from: the expression that reads data, draws, or counts."""

    file: SourceFile
    node: ast.AST


@dataclass(frozen=True)
class Abstract:
    """An expression's value: its level, and what its shape (a tensor's), length (a list's) or extent hangs on.

    `shape`: sources of the shape; of a number, sources of the shapes it was read from. `length`: how the number of
    elements of a Python container differs; `extent`: the sources among `shape` that this number follows from; `added`: how
    many elements were appended since it was written out, None where a loop of fixed length did. `sample`: one item of a data
    set inside a collation; `picked`: by a constant index, so its size stands for all. `fixed`: a tensor or
    array whose values are the same in every step, by what made it. `text`: a text, or a part of one.
    `loader`: gives the batches of a data set. `draws`: a generator of random numbers, and the module whose functions its methods are like.
    `ordered`: samples in the order of their lengths, the first being the longest or shortest of this batch.
    `rows`: the sources among `shape` that change the first axis and no other. `opaque`: what another library made of data (`opaque`).
    """

    level: Level = Level.CONFIGURATION
    tensor: bool = False
    mask: bool = False
    shape: frozenset[Source] = frozenset()
    form: Form | None = None
    items: tuple[Abstract, ...] | None = None
    element: Abstract | None = None
    keyed: tuple[tuple[object, Abstract], ...] | None = None
    length: Level = Level.CONSTANT
    array: bool = False
    sample: bool = False
    extent: frozenset[Source] = frozenset()
    added: int | None = 0
    picked: bool = False
    fixed: bool = False
    text: bool = False
    loader: bool = False
    origin: Origin | None = None
    draws: str = ""
    ordered: bool = False
    rows: frozenset[Source] = frozenset()
    opaque: bool = False

    @property
    def decided_by_data(self) -> bool:
        """Whether a condition on it may turn out otherwise at the next step."""
        return self.level >= Level.RANDOM or bool(self.shape)

    @property
    def changes(self) -> bool:
        """Whether the value may be another one at the next step, other than by a known changing shape."""
        return self.level >= Level.TURN and (self.tensor or not self.shape or self.level == Level.TURN)


CONSTANT = Abstract(Level.CONSTANT)
UNKNOWN = Abstract(Level.CONFIGURATION)
#: What a function gives that has not been analysed yet: joined with anything, it says nothing.
NOTHING = Abstract(Level.CONSTANT, origin=None, items=None, length=Level.CONSTANT, keyed=())
TENSOR = Abstract(Level.DATA, True)
#: A loader and its batch: what that holds is data.
BATCH = Abstract(Level.DATA, True, loader=True)
BATCHES = Abstract(element=BATCH, added=None, loader=True)


def join(*values: Abstract) -> Abstract:
    """What holds whichever of the values it is."""
    if not values:
        return CONSTANT
    first = values[0]
    for other in values[1:]:
        if first is NOTHING:
            first = other
        elif other is not NOTHING and other is not first and other != first:
            first = _two(first, other)
    return first


def _two(a: Abstract, b: Abstract) -> Abstract:
    items = None
    if a.items is not None and b.items is not None and len(a.items) == len(b.items):
        items = tuple(join(x, y) for x, y in zip(a.items, b.items, strict=True))
    parts = [*(a.items or ()), *(b.items or ())] if items is None else []
    elements = [e for e in (a.element, b.element, *parts) if e is not None]
    return Abstract(
        max(a.level, b.level), a.tensor or b.tensor, a.mask or b.mask, a.shape | b.shape,
        a.form if a.form == b.form else None, items, join(*elements) if elements else None, merged_fields(a, b),
        max(a.length, b.length), a.array or b.array, a.sample or b.sample,
        a.extent | b.extent, count_of(a) if items is None and count_of(a) == count_of(b) else None, a.picked and b.picked, a.fixed and b.fixed, a.text and b.text, a.loader and b.loader,
        a.origin if a.level >= b.level and a.origin else b.origin or a.origin, a.draws or b.draws, a.ordered or b.ordered,
        (a.rows | b.rows) - (a.shape - a.rows) - (b.shape - b.rows), a.opaque or b.opaque,
    )  # fmt: skip


def merged_fields(a: Abstract, b: Abstract) -> tuple[tuple[object, Abstract], ...] | None:
    """The entries of whichever of two dictionaries or records it is."""
    if a.keyed is None or b.keyed is None:
        return None
    one, other = dict(a.keyed), dict(b.keyed)
    return tuple((name, join(*(held[name] for held in (one, other) if name in held))) for name in {**one, **other})


def all_fixed(*parts: Abstract) -> bool:
    """Whether what is computed from the parts has constant values: tensors and arrays of constants, and numbers; a comparison of something unknown is none."""
    held = [part for part in parts if part.tensor or part.array]
    return bool(held) and all(part.fixed for part in held) and all(part in held or part.level <= Level.CONFIGURATION and not part.mask for part in parts)


def number(*parts: Abstract) -> Abstract:
    """A Python number computed from the parts."""
    top = max(parts, key=lambda part: part.level, default=CONSTANT)
    shape = frozenset(s for part in parts for s in part.shape)
    sample = any(part.sample for part in parts)
    return Abstract(top.level, shape=shape, origin=top.origin, sample=sample)


def container(items: tuple[Abstract, ...]) -> Abstract:
    """A list or tuple that is written out."""
    top = max(items, key=lambda item: item.level, default=CONSTANT)
    shape = frozenset(s for item in items for s in item.shape)
    return Abstract(
        top.level, shape=shape, items=items, element=join(*items) if items else None, origin=top.origin,
        sample=any(item.sample for item in items),
    )  # fmt: skip


def count_of(value: Abstract) -> int | None:
    """How many elements a container that the code writes out or fills has; None where nothing fixed is known."""
    return len(value.items) if value.items is not None else value.added


def element_of(value: Abstract) -> Abstract:
    """What iterating gives; a row of a tensor whose number of rows changes is of fixed shape."""
    if value.tensor:
        return Abstract(value.level, True, value.mask, loader=value.loader, origin=value.origin)
    if value.element is not None:
        return value.element
    return replace(value, shape=frozenset(), extent=frozenset(), items=None, keyed=None, length=Level.CONSTANT, form=None)


def truth(value: Abstract) -> Abstract:
    """A value as a condition: of a container only its length decides."""
    held = value.items is not None or value.element is not None
    return replace(value, level=value.length, shape=value.extent) if held and not (value.tensor or value.array or value.sample or value.text or value.loader) else value


def turns(value: Abstract) -> Level:
    """How the number of turns of a loop over a value differs: a tensor's rows change where its shape does."""
    return Level.DATA if value.tensor and value.shape or of_unknown_parts(value) else value.length


def of_unknown_parts(value: Abstract) -> bool:
    """Whether nothing is known of a thing but that data made it: as many parts as they say."""
    return value.opaque and value.items is None and value.element is None and value.keyed is None and not value.tensor and not value.array


def stepped(kind: str, base: Form | None, text: str) -> Form | None:
    """The form after a step that changes the shape; `text` tells steps apart."""
    depth, inner = 0, base
    while inner is not None and inner[0] == "step":
        depth, inner = depth + 1, inner[1]  # type: ignore[assignment]
    return None if base is None or depth >= MOST_STEPS else ("step", base, kind, text)


def root(form: Form) -> Form:
    """The tensor that a form is derived from."""
    while form[0] == "step":
        form = form[1]  # type: ignore[assignment]
    return form


def differ(a: Abstract, b: Abstract, by_shape: bool = False) -> bool:
    """Whether the two certainly have different shapes, or one has a changing shape that the other has not.

    `by_shape`: a changing shape decided, not values: often one branch pads what the other cuts, and the source of
    that shape is reported already.
    """
    if not (a.tensor and b.tensor) or by_shape:
        return False
    if bool(a.shape) != bool(b.shape):
        return True
    if a.shape or a.form is None or b.form is None or a.form == b.form:
        return False
    if a.form[2:] == b.form[2:] == WHOLE:
        return False  # one number each
    return root(a.form) == root(b.form)


def one_of_ragged(value: Abstract) -> bool:
    """What a tree finds within a distance, as an index: that of one place, as lists of their own lengths are no index."""
    return value.array and value.element is not None and value.element.array and value.element.length >= Level.RANDOM
