"""What calls pass to the parameters of functions.

A call that is known to be one of a function at first, and may be one of something else once more is known (``self.net.encode(x)``
where `net` has too many alternatives), passes what it passed no longer: what is left of it would pass for all that the parameter holds.
"""

from __future__ import annotations

from mindport.inference.scopes import FunctionScope
from mindport.inference.values import Unknown, Value

#: Calls of one function whose arguments are noted.
MOST_SITES = 24

_GONE = Unknown("what a call passes that may be one of something else")
Note = tuple[FunctionScope, str, int]


class Passed:
    """The notes, by the function whose calls they are."""

    def __init__(self) -> None:
        self._of: dict[FunctionScope, dict[Note, None]] = {}
        self._now: dict[Note, None] = {}

    def note(self, scope: FunctionScope, name: str, value: Value, site: int) -> bool:
        """Note an argument; whether that says more about the parameter."""
        sites = scope.sites.setdefault(name, {})
        if site in sites or len(sites) < MOST_SITES:
            self._now[(scope, name, site)] = None
        if sites.get(site) == value or (site not in sites and len(sites) >= MOST_SITES):
            return False
        known = site not in sites and any(other == value for other in sites.values())
        sites[site] = value
        return not known

    def begin(self) -> dict[Note, None]:
        """A function's body is followed from here on; give `end` what this gives."""
        before, self._now = self._now, {}
        return before

    def end(self, caller: FunctionScope, before: dict[Note, None]) -> list[FunctionScope]:
        """The functions of which the calls in the body no longer say what they pass."""
        gone = [note for note in self._of.get(caller, ()) if note not in self._now]
        self._of[caller], self._now = self._now, before
        for scope, name, site in gone:
            scope.sites[name][site] = _GONE
        return list(dict.fromkeys(scope for scope, _, _ in gone))
