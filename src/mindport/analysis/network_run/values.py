"""What the interpreter computes with, beside Python's own numbers, texts and containers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from mindport.inference.facts import Facts
from mindport.inference.scopes import ClassScope

Shape = tuple[int, ...]


class Undecided(Exception):
    """The run cannot go on; the message is half a sentence, `line` where in which file."""

    def __init__(self, why: str, place: str = "") -> None:
        super().__init__(why)
        self.why, self.place = why, place


@dataclass(frozen=True)
class Unknown:
    """A value that is not computed. `plain`: it is certainly no module and holds none."""

    why: str
    plain: bool = False


class Tensor:
    """A tensor: its shape (None: not known), and for small constant ones the numbers (one axis)."""

    def __init__(self, shape: Shape | None, data: tuple[Any, ...] | None = None) -> None:
        self.shape, self.data = shape, data

    @property
    def size(self) -> int | None:
        """How many elements."""
        if self.shape is None:
            return None
        size = 1
        for n in self.shape:
            size *= n
        return size


class Parameter(Tensor):
    """A tensor that is trained; compared by identity, so that a shared one counts once."""


@dataclass(frozen=True)
class Outside:
    """A name outside the project: ``torch.nn.Conv2d``, ``math.sqrt``, ``builtins.range``."""

    name: str


@dataclass(frozen=True, eq=False)
class Class:
    """A class of the project."""

    scope: ClassScope

    @property
    def facts(self) -> Facts:
        """The facts of the file it stands in."""
        return self.scope.module.facts


@dataclass(eq=False)
class Scope:
    """The names of a running function. `owner`: the class whose method it is, for `super()`."""

    facts: Facts
    path: str
    names: dict[str, Any] = field(default_factory=dict)
    local: frozenset[str] = frozenset()
    around: Scope | None = None
    owner: ClassScope | None = None
    own: Any = None


@dataclass(frozen=True, eq=False)
class Function:
    """A function or lambda of the project, with the scope it was defined in."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    facts: Facts
    path: str
    around: Scope | None = None
    owner: ClassScope | None = None
    changed: str = ""  # a decorator that may change what a call gives


@dataclass(frozen=True, eq=False)
class Bound:
    """A method of something: of the project's (`function`), or by its name."""

    receiver: Any
    name: str
    function: Function | None = None


@dataclass(frozen=True, eq=False)
class Partial:
    """functools.partial."""

    function: Any
    args: tuple[Any, ...]
    keywords: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Super:
    """``super()``: what comes after `owner` among the classes of `receiver`."""

    owner: ClassScope
    receiver: Instance


class Instance:
    """An instance of one of the project's classes, or a library's layer.

    `layer` is the library's class that it is or derives from, once that one's constructor ran, and `arguments` what the
    constructor got. `module`: it is an nn.Module, so that what is set on it is registered.
    """

    def __init__(self, cls: ClassScope | None, layer: str = "", module: bool = True) -> None:
        self.cls, self.layer, self.module = cls, layer, module
        self.arguments: dict[str, Any] = {}
        self.attributes: dict[str, Any] = {}
        self.own: dict[str, Parameter] | None = None  # the layer's parameters, once somebody asks
        self.unknown: list[str] = []  # why its parameters are not all known
        self.calls = 0
        self.outputs: list[Any] = []  # what its calls gave
        self.macs: int | None = 0  # of its own calls, not of those inside

    @property
    def kind(self) -> str:
        """The class's name."""
        return self.cls.name if self.cls is not None else self.layer.rpartition(".")[2]

    def children(self) -> Iterator[tuple[str, Instance]]:
        """(attribute, module) of what is registered, in the order of registration."""
        if self.module:
            for name, value in self.attributes.items():
                if isinstance(value, Instance) and value.module:
                    yield name, value

    def walk(self, path: str = "", seen: set[int] | None = None) -> Iterator[tuple[str, Instance]]:
        """(path, module) of itself and all inside, each once, as torch's ``named_modules``."""
        seen = set() if seen is None else seen
        if id(self) in seen:
            return
        seen.add(id(self))
        yield path, self
        for name, child in self.children():
            yield from child.walk(f"{path}.{name}" if path else name, seen)


def shown(value: Any) -> str:
    """A value in a few words, for reasons."""
    if isinstance(value, Unknown):
        return value.why
    return type(value).__name__
