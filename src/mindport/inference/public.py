"""Every public callable of torch and torchvision that the catalog owes a verdict: shipped data, one name a line."""

from __future__ import annotations

from functools import cache
from pathlib import Path

DATA = Path(__file__).parent / "data" / "public-2.13.txt"


@cache
def public_callables() -> tuple[str, ...]:
    """The canonical names, sorted; written by `build_public`."""
    return tuple(DATA.read_text("utf-8").split())
