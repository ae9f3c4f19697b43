"""Derives the layout from recorded module trees: MindSpore's alone, or both.

With both trees each torch layer's class decides what its tensors are called in MindSpore.
With MindSpore's alone the cell's class does, and what torch calls them follows backwards;
a layer without a state map keeps its names.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence

from mindport.convert.rewrites.cell_names import as_torch
from mindport.weights.array import WeightError
from mindport.weights.layout import Entry, Layout
from mindport.weights.states import Slot, StateMap, StateMaps
from mindport.weights.tree import Tensor, Tree


def derive(mindspore: Tree, torch: Tree | None = None, states: StateMaps | None = None) -> Layout:
    """The layout of one model. Raises `WeightError` naming every torch tensor that has no counterpart."""
    if mindspore.framework != "mindspore" or (torch is not None and torch.framework != "torch"):
        raise WeightError("the trees are swapped: the first must be MindSpore's, the second torch's")
    states = StateMaps.from_catalog() if states is None else states
    layout = _from_cells(mindspore, states) if torch is None else _from_both(mindspore, torch, states)
    used = {entry.name for entry in layout.entries.values()}
    rest = list(dict.fromkeys(t.name for t in mindspore.tensors if t.name not in used))
    return Layout(layout.entries, rest)


def nearest(name: str, names: Iterable[str]) -> str:
    """The end of a sentence: which of `names` may have been meant."""
    close = difflib.get_close_matches(name, list(names), n=3, cutoff=0.5)
    return f" (nearest: {', '.join(close)})" if close else ""


#: What a parametrization, or a normalisation that is computed before each call, keeps in place of a parameter.
_ORIGINAL = re.compile(r"parametrizations\.(?P<parametrized>\w+)\.original\d*|(?P<computed>\w+)_(?:g|v|orig)")


def _original(tensor: Tensor, path: str, owners: Mapping[str, Sequence[StateMap]]) -> Slot | None:
    """The slot of what a layer computes a parameter from: it lies in memory as the parameter would, under its own name."""
    parts = path.split(".")
    for depth in range(len(parts)):
        match = _ORIGINAL.fullmatch(".".join(parts[depth:]))
        for state in owners.get(".".join(parts[:depth]), ()) if match else ():
            of = state.get(match["parametrized"] or match["computed"]) if match else None
            if of is not None and of.insert_axis is not None and _has_axis(tensor, of.insert_axis):
                return Slot(tensor.name, of.insert_axis)
    return None


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _has_axis(tensor: Tensor, axis: int | None) -> bool:
    """Whether there is a length-1 axis to take out; the magnitude of a whole weight is one number, without axes."""
    return axis is None or (-len(tensor.shape) <= axis < len(tensor.shape) and tensor.shape[axis] == 1)


def _entry(tensor: Tensor, slot: Slot) -> Entry:
    shape = list(tensor.shape)
    if slot.insert_axis is not None:
        axis = slot.insert_axis
        if not _has_axis(tensor, axis):
            raise WeightError(f"{tensor.path}: its shape {shape} has no axis of length 1 at {axis}")
        del shape[axis]
    path = tensor.path if tensor.path != tensor.name else None
    return Entry(tensor.name, shape, slot.insert_axis, path, tensor.kind)


class _Cells:
    """The MindSpore tensors by place, as torch names it, and by the layer that owns them."""

    def __init__(self, tree: Tree) -> None:
        self.tensors = {as_torch(tensor.path): tensor for tensor in tree.tensors}

    def find(self, layer: str, name: str) -> Tensor | None:
        """The tensor that the layer at `layer` calls `name`: by place, or by the parameter's own name."""
        if (found := self.tensors.get(_join(layer, name))) is not None:
            return found
        # A parameter kept in a list inside the layer has the layer's path as its owner and its own name.
        own = [
            t for p, t in self.tensors.items() if p.startswith(_join(layer, "")) and t.name == _join(layer, name)
        ]
        return own[0] if len(own) == 1 else None


def _from_cells(tree: Tree, states: StateMaps) -> Layout:
    cells = _Cells(tree)
    entries: dict[str, Entry] = {}
    claimed: set[str] = set()
    for module in tree.modules:
        place = as_torch(module.path)
        fitting = _fitting(states.for_mindspore(module.classes), place, cells)
        for name, slot in fitting.items():
            if slot is None:
                entries.setdefault(_join(place, name), Entry(None))
                continue
            tensor = cells.find(place, slot.name)
            if tensor is not None and tensor.path not in claimed:
                claimed.add(tensor.path)
                entries[_join(place, name)] = _entry(tensor, slot)
    owners = {as_torch(module.path): states.for_mindspore(module.classes) for module in tree.modules}
    for tensor in tree.tensors:
        if tensor.path not in claimed:
            place = as_torch(tensor.path)
            entries.setdefault(place, _entry(tensor, _original(tensor, place, owners) or Slot(tensor.name)))
    inner = {path for path in entries if entries[path].name is None and _inside_claimed(path, tree, entries)}
    return Layout({name: entry for name, entry in entries.items() if name not in inner})


def _fitting(candidates: list[StateMap], path: str, cells: _Cells) -> StateMap:
    """The first map of which the cell has a tensor; {} where none fits or the map says nothing."""
    for state in candidates:
        if any(slot is not None and cells.find(path, slot.name) is not None for slot in state.values()):
            return state
    return {}


def _inside_claimed(name: str, tree: Tree, entries: dict[str, Entry]) -> bool:
    """Whether `name` belongs to a cell inside a layer, none of whose tensors torch sees at that place."""
    layer = name.rpartition(".")[0]
    return not any(
        entry.name is not None and torch.rpartition(".")[0] == layer for torch, entry in entries.items()
    )


def _from_both(mindspore: Tree, torch: Tree, states: StateMaps) -> Layout:
    cells = _Cells(mindspore)
    owners = {module.path: states.for_torch(module.classes) for module in torch.modules}
    maps = {path: [state] for path, state in owners.items()}
    entries: dict[str, Entry] = {}
    problems: list[str] = []
    for tensor in torch.tensors:
        slot_found, layer = _slot(tensor.path, owners)
        if slot_found is None:
            entries[tensor.path] = Entry(None, list(tensor.shape), kind=tensor.kind)
            continue
        found = cells.find(layer, slot_found.name)
        if found is None and slot_found.name != tensor.path[len(_join(layer, "")) if layer else 0 :]:
            # A hand port may have kept torch's name where the map would change it.
            found = cells.find("", tensor.path)
            same = found is not None and found.shape == tensor.shape
            slot_found = Slot(tensor.path, None if same else slot_found.insert_axis)
        if found is None:
            hint = nearest(_join(layer, slot_found.name), cells.tensors)
            problems.append(f"{tensor.path}: MindSpore's model has no counterpart{hint}")
            continue
        if slot_found.insert_axis is None:
            slot_found = _original(found, tensor.path, maps) or slot_found
        entry = _entry(found, slot_found)
        if entry.shape != list(tensor.shape):
            problems.append(
                f"{tensor.path}: torch's shape is {list(tensor.shape)}, MindSpore's {found.name} has {found.shape}"
            )
        entries[tensor.path] = entry
    if problems:
        raise WeightError("the two models do not match:\n  " + "\n  ".join(problems))
    return Layout(entries)


def _slot(path: str, owners: dict[str, StateMap]) -> tuple[Slot | None, str]:
    """The MindSpore side of one torch tensor, and the layer that decides: the outermost whose map names it."""
    parts = path.split(".")
    for depth in range(len(parts)):
        layer, name = ".".join(parts[:depth]), ".".join(parts[depth:])
        state = owners.get(layer, {})
        if name in state:
            return state[name], layer
    return Slot(parts[-1]), ".".join(parts[:-1])
