"""The tensors in what a layer is given and gives back: their names, dtypes and shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: One tensor: where it stands in the arguments or the result, its dtype, its shape.
Leaf = tuple[str, str, tuple[int, ...]]
#: A call with more tensors than this is recorded with its first ones.
MOST_LEAVES = 32
_MOST_DEEP = 6


def leaves(value: Any, is_tensor: Callable[[Any], bool], name: str = "", found: list[Leaf] | None = None, deep: int = 0) -> list[Leaf]:
    """The tensors inside tuples, lists, dictionaries and objects with ``__dataclass_fields__``, in order.

    A dimension that is no plain number (a symbolic size) is -1.
    """
    found = [] if found is None else found
    if len(found) >= MOST_LEAVES or deep > _MOST_DEEP:
        return found
    if is_tensor(value):
        shape = tuple([n if type(n) is int else -1 for n in value.shape])
        found.append((name, str(value.dtype).rpartition(".")[2], shape))
    elif isinstance(value, (tuple, list)):
        for place, item in enumerate(value[:MOST_LEAVES]):
            leaves(item, is_tensor, f"{name}.{place}" if name else str(place), found, deep + 1)
    elif isinstance(value, dict):
        for key, item in list(value.items())[:MOST_LEAVES]:
            leaves(item, is_tensor, f"{name}.{key}" if name else str(key), found, deep + 1)
    elif hasattr(type(value), "__dataclass_fields__"):
        for key in type(value).__dataclass_fields__:
            leaves(getattr(value, key, None), is_tensor, f"{name}.{key}" if name else key, found, deep + 1)
    return found
