"""What becomes of ``x.view(-1)`` where nobody knows what x is: its text, a choice made when the program runs, or a finding."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from mindport.catalog import Catalog, Entry
from mindport.convert.bind import Binding
from mindport.convert.decide import Inline, Leave, decide, depends_on_data, differences
from mindport.convert.guards import Fact
from mindport.convert.renaming import is_rename
from mindport.convert.site import Site, bind_site, site
from mindport.findings import Risk
from mindport.inference.facts import Unresolved, Use
from mindport.inference.members import MODULE
from mindport.targets import Target

TENSOR = "torch.Tensor"


@dataclass(frozen=True)
class Fate:
    """`stays`: the text means the same for everything that it may be. `chosen`: `entry` for tensors and `of_cells` for
    modules, the object's own member for all others. `left`: a tensor or module would get something else, and why;
    `risk`: whether silently, or with an error because MindSpore's tensors have no such member.
    """

    kind: Literal["stays", "chosen", "left"]
    entry: Entry | None = None
    of_cells: Entry | None = None
    why: str = ""
    risk: Risk = "silent"


def fate(catalog: Catalog, target: Target, place: Unresolved, look: Callable[[ast.expr], Fact], forced: frozenset[str]) -> Fate:
    """What becomes of a place that may be an API."""
    found = _fate(catalog, place, look, forced)
    member = place.candidates[0].rpartition(".")[2] if place.candidates else ""
    if found.kind == "left" and target.get(f"mindspore.Tensor.{member}") is None:
        return replace(found, risk="loud")
    return found


def _fate(catalog: Catalog, place: Unresolved, look: Callable[[ast.expr], Fact], forced: frozenset[str]) -> Fate:
    by_class: dict[str, Fate] = {}
    for candidate in place.candidates:
        owner, _, member = candidate.rpartition(".")
        if owner not in (TENSOR, MODULE):
            return Fate("left", why=f"{candidate} belongs to neither a tensor nor a module")
        by_class[owner] = _of_candidate(catalog, place, candidate, member, look, forced)
    fates = list(by_class.values())
    left = next((each for each in fates if each.kind == "left"), None)
    if left is not None or not fates:
        return left or Fate("left", why=place.why)
    if all(each.kind == "stays" for each in fates):
        return fates[0]
    tensors, cells = (by_class.get(owner) for owner in (TENSOR, MODULE))
    of_tensors = tensors.entry if tensors is not None else None
    of_cells = cells.entry if cells is not None and cells.kind == "chosen" else None
    if not isinstance(place.node, ast.Call) and (of_cells is not None or of_tensors is None):
        return Fate("left", fates[0].entry, why="what it means for a module is not what MindSpore's cell has")
    return Fate("chosen", of_tensors, of_cells)


def _of_candidate(
    catalog: Catalog, place: Unresolved, name: str, member: str, look: Callable[[ast.expr], Fact], forced: frozenset[str]
) -> Fate:
    call = isinstance(place.node, ast.Call)
    entries = catalog.find(name)
    if not call and any(entry.kind == "function" for entry in entries):
        return Fate("stays")  # a number or a tuple of something else: nobody reads a tensor's method and does not call it
    use = Use(place.node, name, "method" if call else "attribute", "likely", place.scope)
    taken = site(use)
    if call and entries and not any(_may_fit(taken, entry) for entry in entries):
        return Fate("stays")  # torch would raise: it is something else that has this member
    decision = decide(catalog, taken, look, forced)
    if isinstance(decision, Leave):
        return Fate("left", decision.entry, why=decision.why)
    hits = differences(decision.entry, decision.binding, look)
    hit = next((difference for difference, _ in hits if not depends_on_data(difference) and difference.risk == "silent"), None)
    if hit is not None:
        return Fate("left", decision.entry, why=hit.what)
    if isinstance(decision, Inline) and _is_text(taken, decision, member):
        return Fate("stays", decision.entry)
    if decision.entry.kind not in ("function", "attribute"):
        return Fate("left", decision.entry, why=f"{name} is no function")
    return Fate("chosen", decision.entry)


def _may_fit(place: Site, entry: Entry) -> bool:
    if entry.kind == "absent":
        return True
    binding = bind_site(place, entry)
    return isinstance(binding, Binding) or binding.star


def _is_text(place: Site, decision: Inline, member: str) -> bool:
    """Whether an equivalent is the same member with the same arguments: ``def view(self, *shape): return self.view(*shape)``."""
    called = decision.result.func if isinstance(decision.result, ast.Call) else decision.result
    return isinstance(called, ast.Attribute) and called.attr == member and is_rename(place, decision)


def says(place: Unresolved) -> str:
    """What the place may be, and why that is not known."""
    others = " or ".join(place.candidates[:3]) + (" or others" if len(place.candidates) > 3 else "")
    return f"this may be {others}: {place.why}" if others else place.why
