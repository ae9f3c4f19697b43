"""Names of parameters, by what they are: an ``id`` alone is another object's once its own is gone."""

from __future__ import annotations

import weakref
from typing import Any


class Names:
    """The first name that each parameter got, as long as it lives."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[weakref.ref[Any], str]] = {}

    def put(self, parameter: Any, name: str) -> str:
        """Give a parameter a name, if it has none yet; the one that it has is the result."""
        if parameter not in self:
            self._found[id(parameter)] = (weakref.ref(parameter), name)
        return self.get(parameter)

    def get(self, parameter: Any, otherwise: str = "") -> str:
        """The parameter's name."""
        held, name = self._found.get(id(parameter), (None, ""))
        return name if held is not None and held() is parameter else otherwise

    def __contains__(self, parameter: Any) -> bool:
        return bool(self.get(parameter))
