"""The words in which `equivalents/` and `layers/` state what they know.

Requirements that shape this file:

* The knowledge is read in two ways: *imported* (by the evidence run, where
  MindSpore is installed) and *parsed* (by `catalog.py`, on machines that have
  neither framework). So every argument of a declaration is a literal or one of
  the calls below, and this file imports nothing but the standard library.
* A declaration never states an outcome. Outcomes are measured by
  `mindport evidence` and stored apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

Risk = Literal["blocker", "silent", "loud", "style"]
Rung = Literal["equivalent", "packaged", "custom operator", "community"]
T = TypeVar("T", bound=Callable[..., Any])

#: Everything declared so far, by torch name; overloads stand in a list.
DECLARED: dict[str, list[Declaration]] = {}


class Refused(NotImplementedError):
    """An argument combination that the equivalent does not compute.

    The message is a sentence for the user: what is refused, and what to write instead.
    """


@dataclass(frozen=True)
class Difference:
    """A real difference between torch and the equivalent that cannot be removed.

    `when` is an expression over the entry's parameters in the body language
    (``"training and p == 1"``), for a layer also over the tuple ``inputs`` that it is called
    with (``"not ms.isfinite(inputs[0]).all()"``); None means that every call is affected.
    """

    what: str
    when: str | None = None
    risk: Risk = "silent"
    zh: str = ""


@dataclass(frozen=True)
class Layout:
    """A state entry whose array is stored with one more axis than in torch."""

    name: str
    insert_axis: int


@dataclass(frozen=True)
class Declaration:
    """One declared piece of knowledge, with the Python object that holds it."""

    names: tuple[str, ...]
    kind: Literal["function", "attribute", "constant", "layer", "absent"]
    target: Any
    drops: Mapping[str, str] = field(default_factory=dict)
    differs: Sequence[Difference] = ()
    view: bool = False
    random: bool = False
    opinfo: str | None = None
    state: Mapping[str, str | Layout | None] = field(default_factory=dict)
    attributes: Mapping[str, str] = field(default_factory=dict)
    why: str = ""
    rung: Rung | None = None
    base_suffices: bool = False


def _declare(declaration: Declaration) -> None:
    for name in declaration.names:
        DECLARED.setdefault(name, []).append(declaration)


def difference(
    what: str, *, when: str | None = None, risk: Risk = "silent", zh: str = ""
) -> Difference:
    """Declare a difference that stays; see `Difference`."""
    return Difference(what, when, risk, zh)


def insert_axis(name: str, axis: int) -> Layout:
    """The MindSpore parameter `name` holds torch's array with a length-1 axis inserted at `axis`."""
    return Layout(name, axis)


def equivalent(
    *names: str,
    drops: Mapping[str, str] | None = None,
    differs: Sequence[Difference] = (),
    view: bool = False,
    random: bool = False,
    opinfo: str | None = None,
) -> Callable[[T], T]:
    """The decorated function computes what the torch callables `names` compute.

    Its signature is torch's: names, order, kinds and defaults. For a
    ``torch.Tensor`` method the first parameter is ``self``, or ``input`` where one
    function serves both forms.

    * ``drops``: parameters that change nothing in MindSpore, each with the reason.
    * ``differs``: differences that stay.
    * ``view``: torch returns a view of the first argument's storage.
    * ``random``: results are compared by distribution, not by value.
    * ``opinfo``: the OpInfo entry's name where it is not derived from the torch name.
    """

    def register(function: T) -> T:
        _declare(
            Declaration(
                names, "function", function, drops or {}, differs, view, random, opinfo
            )
        )
        return function

    return register


def attribute(
    *names: str, differs: Sequence[Difference] = (), view: bool = False
) -> Callable[[T], T]:
    """The decorated function of ``self`` computes what reading the torch attribute gives."""

    def register(function: T) -> T:
        _declare(Declaration(names, "attribute", function, differs=differs, view=view))
        return function

    return register


def constant(name: str, value: Any, *, differs: Sequence[Difference] = ()) -> None:
    """A torch name that stands for a value or type: the second argument's *text* replaces it."""
    _declare(Declaration((name,), "constant", value, differs=differs))


def layer(
    *names: str,
    state: Mapping[str, str | Layout | None] | None = None,
    attributes: Mapping[str, str] | None = None,
    drops: Mapping[str, str] | None = None,
    differs: Sequence[Difference] = (),
    base_suffices: bool = False,
) -> Callable[[T], T]:
    """The decorated class is the torch module class `names`, written over a MindSpore cell.

    Its ``__init__`` has torch's signature and ends in one ``super().__init__(...)``.
    A class that defines nothing else can be inlined: the call of the torch class becomes
    the call of the MindSpore base class with the arguments that ``super().__init__`` gets.

    * ``state``: torch parameter or buffer name → MindSpore name, `insert_axis(...)`,
      or None where MindSpore keeps no counterpart.
    * ``attributes``: torch attribute → MindSpore attribute, where they differ.
    * ``base_suffices``: the class defines methods of its own, and none of them is needed on
      the paths of ``__init__`` that guards alone decide: there the base class alone is the
      layer, and the call may be inlined. The other paths hold statements outside the body
      language, which vendors the class.
    """

    def register(cls: T) -> T:
        _declare(
            Declaration(
                names, "layer", cls, drops or {}, differs, state=state or {}, attributes=attributes or {},
                base_suffices=base_suffices,
            )
        )
        return cls

    return register


def absent(*names: str, why: str, rung: Rung = "community") -> None:
    """MindSpore offers nothing to build `names` from; `why` is a sentence for the user."""
    _declare(Declaration(names, "absent", None, why=why, rung=rung))
