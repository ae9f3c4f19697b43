"""A trace beside the project: whose lines its places are, and what a run says about a shape that the code leaves open."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from mindport.analysis.dynamic_shape.abstract import Source
from mindport.source.file import SourceFile
from mindport.trace.reading import Layer, Place, Shapes, Trace

#: confirmed: the shape changed. not seen: the line ran, and gave one shape. not visible: it ran outside of the networks'
#: calls, where shapes are not recorded. not exercised: no operation of it ran.
Seen = Literal["confirmed", "not seen", "not visible", "not exercised"]


@dataclass(frozen=True)
class Witness:
    """What the run says about one place: `shapes` is how many different ones were seen (0: none could be)."""

    seen: Seen
    shapes: int
    said: str


def by_line(layer: Layer) -> list[list[Shapes]]:
    """The shapes of a network's calls, apart by the line that called it."""
    found: dict[tuple[str | None, int | None], list[Shapes]] = {}
    for shapes in layer.shapes:
        found.setdefault((shapes.file, shapes.line), []).append(shapes)
    return list(found.values()) or [[]]


def different(layer: Layer) -> int:
    """How many different inputs one line of the project called a network with, at most."""
    return max(len({shapes.inputs for shapes in group}) for group in by_line(layer))


class Traced:
    """One trace, its places found again in the project's files."""

    def __init__(self, trace: Trace, files: tuple[SourceFile, ...]) -> None:
        self.trace = trace
        self._files = files

    @cached_property
    def _by_path(self) -> dict[str, SourceFile]:
        return {os.path.realpath(file.path): file for file in self._files}

    def file(self, path: str) -> SourceFile | None:
        """The project's file of a traced path: the same file, or that at the same place below the trace's roots."""
        found = self._by_path.get(os.path.realpath(path))
        if found is not None:
            return found
        for root in self.trace.roots:
            if path.startswith(os.path.join(root, "")):
                relative = Path(os.path.relpath(path, root)).as_posix()
                alike = [file for file in self._files if str(file.relative) == relative]
                if len(alike) == 1:
                    return alike[0]
        return None

    @cached_property
    def places(self) -> dict[SourceFile, list[Place]]:
        """The operations of networks, by file."""
        found: dict[SourceFile, list[Place]] = {}
        for place in self.trace.places:
            file = self.file(place.file)
            if file is not None:
                found.setdefault(file, []).append(place)
        return found

    def starting(self) -> Iterator[tuple[SourceFile, Place]]:
        """Operations that gave different shapes for inputs of the same shapes."""
        for file, places in self.places.items():
            for place in places:
                if place.most > 1:
                    yield file, place

    def inputs(self) -> list[Layer]:
        """The networks that were called, largest first; losses and other layers without layers inside are left out."""
        tops = [network.top for network in self.trace.networks if network.top is not None and len(network.layers) > 1]
        return sorted((top for top in tops if top.shapes), key=lambda layer: -layer.calls)

    def of_source(self, source: Source) -> Witness:
        """What the run says about a place where the code lets a shape begin to change."""
        if source.in_data or source.code == "MP201":
            return self._of_data(source)
        first, last = getattr(source.node, "lineno", 0), getattr(source.node, "end_lineno", 0) or 0
        if isinstance(source.node, (ast.If, ast.For, ast.While, ast.FunctionDef, ast.IfExp)):
            return self._of_block(source, first, last)
        here = [place for place in self.places.get(source.file, []) if first <= place.line <= last]
        if not here and self.called(source):
            return Witness("not visible", 0, "its function ran outside of the networks' calls, where shapes are not recorded")
        if not here:
            return Witness("not exercised", 0, "no operation of this line ran while the trace looked")
        most = max(here, key=lambda place: (place.most, place.distinct))
        calls = max(place.calls for place in here)
        if most.most > 1:
            return Witness("confirmed", most.distinct, f"{most.distinct} different shapes in {most.calls} calls")
        if most.distinct > 1:
            return Witness("confirmed", most.distinct, f"{most.distinct} different shapes in {most.calls} calls, each decided by the input's shape")
        return Witness("not seen", 1, f"one shape in {calls} calls")

    def _of_block(self, source: Source, first: int, last: int) -> Witness:
        """A branch or loop: what runs in it, and how what follows differs."""
        inside = [place for place in self.places.get(source.file, []) if first <= place.line <= last]
        if not inside:
            return Witness("not exercised", 0, "nothing of it ran while the trace looked")
        changing = [place for place in self._after(source, first) if place.most > 1]
        if changing:
            most = max(changing, key=lambda place: place.distinct)
            return Witness("confirmed", most.distinct, f"{most.distinct} different shapes at line {most.line}")
        return Witness("not seen", 1, f"one shape for each input in {max(place.calls for place in inside)} calls")

    def _after(self, source: Source, first: int) -> list[Place]:
        end = next(
            (node.end_lineno or 0 for node in ast.walk(source.file.tree)
             if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno <= first <= (node.end_lineno or 0)), 10**9,
        )  # fmt: skip
        return [place for place in self.places.get(source.file, []) if first <= place.line <= end]

    @cached_property
    def ran(self) -> frozenset[SourceFile]:
        """The files of which something ran."""
        paths = {*(c.file for c in self.trace.calls), *(p.file for p in self.trace.places), *(loader.file for loader in self.trace.loaders)}
        paths |= {layer.file for layer in self.trace.layers if layer.file is not None and layer.calls}
        return frozenset(file for file in map(self.file, paths) if file is not None)

    def called(self, source: Source) -> bool:
        """Whether a function of PyTorch was called from the function that the source stands in, or from its lines."""
        line = getattr(source.node, "lineno", 0)
        first, last = line, getattr(source.node, "end_lineno", 0) or 0
        for node in ast.walk(source.file.tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno <= line <= (node.end_lineno or 0) and node.lineno <= first:
                first, last = node.lineno, node.end_lineno or 0
        return any(first <= call.line <= last and self.file(call.file) is source.file for call in self.trace.calls)

    def beyond_batch(self) -> list[tuple[Layer, int]]:
        """Networks whose inputs from one line changed in more than the first axis, with the number of such shapes."""
        return [
            (layer, most) for layer in self.inputs()
            if (most := max(len({tuple((name, shape[1:]) for name, _, shape in s.inputs) for s in shapes}) for shapes in by_line(layer))) > 1
        ]  # fmt: skip

    def _of_data(self, source: Source) -> Witness:
        if source.file not in self.ran:
            return Witness("not exercised", 0, "nothing of this file ran while the trace looked")
        batches = [loader.distinct for loader in self.trace.loaders]
        given = [layer.distinct for layer in self.inputs()]
        if not batches and not given:
            return Witness("not exercised", 0, "no loader and no network ran while the trace looked")
        most = max([*batches, *map(different, self.inputs())])
        if most > 1:
            return Witness("confirmed", most, f"{most} different shapes of batches or inputs in {self.trace.iterations} iterations")
        return Witness("not seen", 1, f"one shape in {self.trace.iterations} iterations")
