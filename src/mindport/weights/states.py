"""Which layer stores which array under which name: the catalog's state maps, by either framework's class."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from mindport import catalog
from mindport.declare import Layout as AxisLayout


@dataclass(frozen=True)
class Slot:
    """The MindSpore side of one state entry."""

    name: str
    insert_axis: int | None = None


#: torch's name inside the layer → where MindSpore keeps it (None: nowhere).
StateMap = dict[str, Slot | None]


@dataclass(frozen=True)
class StateMaps:
    """State maps by torch class ("torch.nn.Conv1d"), and by MindSpore class and vendored class name."""

    by_torch: dict[str, StateMap] = field(default_factory=dict)
    by_mindspore: dict[str, list[StateMap]] = field(default_factory=dict)
    by_vendored: dict[str, StateMap] = field(default_factory=dict)

    @classmethod
    def from_catalog(cls) -> StateMaps:
        """The maps that `layers/` declares."""
        maps = cls()
        for entry in catalog.load().entries:
            if entry.kind != "layer" or not isinstance(entry.node, ast.ClassDef):
                continue
            state: StateMap = {
                name: Slot(slot.name, slot.insert_axis) if isinstance(slot, AxisLayout)
                else Slot(slot) if slot is not None else None
                for name, slot in entry.state.items()
            }
            for name in entry.names:
                maps.by_torch[name] = state
            maps.by_vendored[entry.node.name] = state
            for base in map(ast.unparse, entry.node.bases):
                # Every cell is an nn.Cell: a layer written from nothing is known by its own name only.
                if base == "nn.Cell" or "." not in base:
                    continue
                known = maps.by_mindspore.setdefault(f"mindspore.{base}", [])
                if state not in known:
                    known.append(state)
        return maps

    def for_torch(self, classes: list[str]) -> StateMap:
        """The nearest known class's map, {} where none is known: then the names stay."""
        for name in classes:
            if (state := self.by_torch.get(documented(name))) is not None:
                return state
        return {}

    def for_mindspore(self, classes: list[str]) -> list[StateMap]:
        """The maps that a cell may have, best first: the vendored class's, then those over its MindSpore class."""
        found: list[StateMap] = []
        for name in classes:
            if name.startswith("mindspore."):
                found += self.by_mindspore.get(documented(name), [])
            elif (state := self.by_vendored.get(name.rpartition(".")[2])) is not None:
                found.append(state)
        return found


def documented(qualified: str) -> str:
    """The public name of a class: "torch.nn.modules.conv.Conv1d" is "torch.nn.Conv1d"."""
    for public, inside in (
        ("torch.nn", "torch.nn.modules."), ("mindspore.nn", "mindspore.nn."),
        ("mindspore.mint.nn", "mindspore.mint.nn."), ("torch.nn", "torch.nn."),
    ):
        if qualified.startswith(inside):
            return f"{public}.{qualified.rpartition('.')[2]}"
    return qualified
