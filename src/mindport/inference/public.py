"""Every public callable of torch and torchvision that the catalog owes a verdict: shipped data, one name a line."""

from __future__ import annotations

from functools import cache
from pathlib import Path

DATA = Path(__file__).parent / "data" / "public-2.13.txt"


@cache
def public_callables() -> tuple[str, ...]:
    """The canonical names, sorted; written by `build_public`."""
    return tuple(DATA.read_text("utf-8").split())


@cache
def _of_modules() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name in public_callables():
        module, _, last = name.rpartition(".")
        found.setdefault(module, set()).add(last)
    return {module: frozenset(names) for module, names in found.items()}


def is_public(name: str) -> bool:
    """Whether a name is one of them."""
    module, _, last = name.rpartition(".")
    return last in _of_modules().get(module, ())


def has_public_names(module: str) -> bool:
    """Whether it is known what a module's public names are."""
    return module in _of_modules()
