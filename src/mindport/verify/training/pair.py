"""Both sides' recordings, torch's other runs, and the maps of names between the models."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import msgspec
import numpy as np

from mindport.verify.compare import wide
from mindport.verify.recordings import CaseRecord
from mindport.verify.training.recorded import Run, Step
from mindport.weights.layout import Entry, Layout


class Pair:
    """What the rungs compare. `layouts` belong to the models by number; `others` are torch's perturbed and float64 runs."""

    def __init__(self, torch: Run, mindspore: Run, others: list[Run], layouts: dict[int, Layout]) -> None:
        self.torch, self.mindspore, self.others, self.layouts = torch, mindspore, others, layouts

    @cached_property
    def layout(self) -> Layout:
        """All models' maps in one; names carry the model's number, as in "0/conv.weight"."""
        entries: dict[str, Entry] = {}
        extra: list[str] = []
        for number, layout in self.layouts.items():
            for name, entry in layout.entries.items():
                renamed = None if entry.name is None else f"{number}/{entry.name}"
                entries[f"{number}/{name}"] = msgspec.structs.replace(entry, name=renamed)
            extra += [f"{number}/{name}" for name in layout.mindspore_only]
        return Layout(entries, extra)

    def counterpart(self, name: str) -> Entry:
        """MindSpore's entry for one of torch's names; a tensor outside of any model keeps its name."""
        found = self.layout.entries.get(name)
        return found if found is not None else Entry(name, [])

    def matched(
        self, torch: dict[str, np.ndarray], mindspore: dict[str, np.ndarray], prefix: str = ""
    ) -> Iterator[tuple[str, np.ndarray, np.ndarray | None]]:
        """torch's arrays with MindSpore's in torch's shape (None: missing)."""
        for name, mine in torch.items():
            entry = self.counterpart(prefix + name)
            if entry.name is None:
                continue
            theirs = mindspore.get(entry.name.removeprefix(prefix))
            if theirs is None and prefix + name not in self.layout.entries:
                theirs = _joined_later(mindspore, name, mine)
            axis = entry.insert_axis
            if theirs is not None and axis is not None and theirs.ndim == mine.ndim + 1 and theirs.shape[axis] == 1:
                theirs = np.squeeze(theirs, axis)
            yield name, mine, theirs

    def case(self, what: str, number: int) -> tuple[CaseRecord, CaseRecord] | None:
        """Both sides' full records, torch's with the noise of its other runs; None where a side has none."""
        torch, mindspore = self.torch.records(what, number), self.mindspore.records(what, number)
        if torch is None or mindspore is None:
            return None
        for other in self.others:
            found = other.records(what, number)
            values = {(r.role, r.name): r.values for r in found.records} if found else {}
            for record in torch.records:
                theirs = values.get((record.role, record.name))
                if record.values is None or theirs is None or theirs.shape != record.values.shape:
                    continue
                if np.issubdtype(record.values.dtype, np.inexact):
                    difference = np.abs(wide(theirs) - record.values)
                    record.oracle = max(record.oracle, float(np.max(difference[np.isfinite(difference)], initial=0.0)))
        return torch, mindspore

    def first_steps(self) -> Iterator[tuple[int, Step, Step | None]]:
        """Each optimizer's first step on both sides."""
        for step in self.torch.steps:
            if step.n == 1:
                theirs = next((s for s in self.mindspore.steps if s.n == 1 and s.optimizer == step.optimizer), None)
                yield step.optimizer, step, theirs

    def paired(self) -> list[tuple[Step, Step]]:
        """The steps that both sides took, in order."""
        return list(zip(self.torch.steps, self.mindspore.steps, strict=False))


def value(step: Step) -> float:
    """A step's loss as one number: the sum of what was differentiated for it."""
    return float(np.sum(step.losses)) if step.losses else float("nan")


def _joined_later(arrays: dict[str, np.ndarray], name: str, mine: np.ndarray) -> np.ndarray | None:
    """The array of a module that took a place in the model after the map was made: the only one whose name ends alike, and of this shape.

    The name of a MindSpore parameter begins where its model does, which may be above the model that torch's name begins at (``online.head.weight``).
    """
    found = [array for key, array in arrays.items() if key.endswith(f".{name}") and array.shape == mine.shape]
    return found[0] if len(found) == 1 else None
