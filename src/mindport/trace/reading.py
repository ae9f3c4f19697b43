"""A trace file → what the run showed. Reads what is there: a file that was cut off is a shorter trace."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from mindport.trace.journal import VERSION

#: Name in the arguments or the result, dtype, shape (-1: not a plain number).
Tensor = tuple[str, str, tuple[int, ...]]


class TraceError(Exception):
    """A file that is no trace, or one of a format that this version does not read; the message is for the user."""


class Shapes(msgspec.Struct):
    """One combination of shapes that a layer was called with. `macs`: multiply-adds of one such call, where the layer's kind says them.

    `file`, `line`: of a network's own call, where the project calls it.
    """

    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    calls: int = 1
    first: int = 0
    last: int = 0
    macs: int | None = None
    training: bool = False
    file: str | None = None
    line: int | None = None


class Layer(msgspec.Struct):
    """A module: its path in its network, its class, and all that was seen of its calls.

    `parameters`: its own, without those of the layers inside and those that a layer before it shares; None where the
    network never ran to its end. `distinct`: different shapes, of which `shapes` holds the first ones.
    """

    network: int
    path: str
    cls: str
    file: str | None = None
    line: int | None = None
    parameters: int | None = None
    calls: int = 0
    seconds: float = 0.0
    own_seconds: float = 0.0
    out_bytes: int = 0
    distinct: int = 0
    shapes: list[Shapes] = []


class Network(msgspec.Struct):
    """A module that was called on its own. `parameters`: of the whole, each counted once; None where it is not known."""

    number: int
    cls: str
    file: str | None = None
    line: int | None = None
    parameters: int | None = None
    layers: list[Layer] = []

    @property
    def top(self) -> Layer | None:
        """The network itself, as a layer."""
        return next((layer for layer in self.layers if not layer.path), None)


class Call(msgspec.Struct):
    """A function of PyTorch that a line of the project called. `count`: in the iterations that were watched."""

    name: str
    file: str
    line: int
    first: int
    count: int = 1


class Place(msgspec.Struct):
    """An operation on a line of a network's code: different results, and the most of them for inputs of one combination of shapes.

    `most` above 1: a shape begins to change here. `outputs`: the first different results, each the shapes of its tensors.
    """

    name: str
    file: str
    line: int
    calls: int = 1
    distinct: int = 1
    most: int = 1
    outputs: list[tuple[tuple[int, ...], ...]] = []


class Batch(msgspec.Struct):
    """One combination of shapes that a loader gave."""

    tensors: tuple[Tensor, ...]
    count: int = 1
    first: int = 0
    last: int = 0


class Loader(msgspec.Struct):
    """A data loader: the line that iterated over it, and what it gave. `distinct`: different shapes."""

    dataset: str
    batch_size: int | None
    file: str
    line: int
    workers: int = 0
    drop_last: bool = False
    waited: float = 0.0
    distinct: int = 0
    batches: list[Batch] = []


class Trace(msgspec.Struct):
    """A whole trace. `ended`: finished, steps, an exception's name; None where the process was killed.

    `unit` says what an iteration is: ``optimizer steps``, or ``calls`` of the busiest network where nothing trains.
    """

    version: int
    torch: str = ""
    python: str = ""
    device: str = "cpu"
    started: str = ""
    command: list[str] = []
    roots: list[str] = []
    networks: list[Network] = []
    calls: list[Call] = []
    places: list[Place] = []
    loaders: list[Loader] = []
    losses: list[tuple[int, float | str]] = []
    iterations: int = 0
    watched: int = 0
    unit: str = "optimizer steps"
    seconds: float = 0.0
    memory: dict[str, int] = {}
    full: bool = False
    ended: str | None = None

    @property
    def layers(self) -> list[Layer]:
        """Every layer of every network."""
        return [layer for network in self.networks for layer in network.layers]


def read(path: Path) -> Trace:
    """The trace in a file. Raises TraceError; OSError where there is none."""
    lines = path.read_bytes().split(b"\n")
    events: list[dict[str, Any]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found = msgspec.json.decode(line)
        except msgspec.DecodeError:
            if number == len(lines):
                break  # the process died while it wrote this one
            raise TraceError(f"{path}, line {number}: not JSON; this is no trace of mindport trace") from None
        if not isinstance(found, dict) or (not events and found.get("event") != "trace"):
            raise TraceError(f"{path} is no trace of mindport trace: its first line has no event \"trace\"")
        events.append(found)
    if not events:
        raise TraceError(f"{path} is empty: the program recorded nothing")
    if events[0].get("version") != VERSION:
        raise TraceError(f"{path} has format {events[0].get('version')}, and this mindport reads {VERSION}: record it again")
    try:
        return _trace(events)
    except (KeyError, TypeError, IndexError, msgspec.ValidationError) as error:
        raise TraceError(f"{path} is damaged: {type(error).__name__}: {error}") from None


def _trace(events: list[dict[str, Any]]) -> Trace:
    trace = Trace(**{k: events[0][k] for k in Trace.__struct_fields__ if k in events[0]})
    layers: dict[int, Layer] = {}
    networks: dict[int, Network] = {}
    counts: Mapping[str, Any] | None = None
    for event in events[1:]:
        match event["event"]:
            case "network":
                networks[event["number"]] = Network(event["number"], event["class"], event.get("file"), event.get("line"))
            case "layer":
                layer = layers[event["number"]] = Layer(event["network"], event["path"], event["class"], event.get("file"), event.get("line"))
                networks[event["network"]].layers.append(layer)
            case "parameters":
                _weigh(networks[event["network"]], layers, event["own"])
            case "shapes":
                _shapes(layers[event["layer"]], event)
            case "api":
                trace.calls.append(Call(event["name"], event["file"], event["line"], event["iteration"]))
            case "place":
                trace.places.append(Place(event["name"], event["file"], event["line"]))
            case "result":
                place = trace.places[event["place"]]
                place.outputs.append(tuple(tuple(shape) for _, shape in event["outputs"]))
                place.distinct = max(place.distinct, len(place.outputs))
            case "loader":
                trace.loaders.append(Loader(*(event[k] for k in ("dataset", "batch_size", "file", "line", "workers", "drop_last"))))
            case "batch":
                loader = trace.loaders[event["loader"]]
                loader.batches.append(Batch(_tensors(event["tensors"]), 1, event["iteration"], event["iteration"]))
                loader.distinct = max(loader.distinct, event["number"] + 1)
            case "loss":
                trace.losses.append((event["iteration"], event["value"]))
                trace.iterations = max(trace.iterations, event["iteration"])
            case "counts" | "end":
                counts = event
                trace.ended = event.get("why")
    trace.networks = [networks[number] for number in sorted(networks)]
    if counts is not None:
        _count(trace, layers, counts)
    return trace


def _tensors(found: list[Any]) -> tuple[Tensor, ...]:
    return tuple((name, dtype, tuple(shape)) for name, dtype, shape in found)


def _shapes(layer: Layer, event: Mapping[str, Any]) -> None:
    at = event["iteration"]
    layer.shapes.append(Shapes(_tensors(event["inputs"]), _tensors(event["outputs"]), 1, at, at, event["macs"], event["training"], event.get("file"), event.get("line")))
    layer.distinct = max(layer.distinct, event["number"] + 1)
    layer.calls = max(layer.calls, 1)


def _weigh(network: Network, layers: Mapping[int, Layer], own: Mapping[str, int | None]) -> None:
    for layer in network.layers:
        layer.parameters = 0
    for number, count in own.items():
        layers[int(number)].parameters = count
    counted = [layer.parameters for layer in network.layers]
    network.parameters = None if None in counted else sum(c for c in counted if c is not None)


def _count(trace: Trace, layers: Mapping[int, Layer], counts: Mapping[str, Any]) -> None:
    for name in ("iterations", "unit", "watched", "seconds", "memory", "full"):
        setattr(trace, name, counts[name])
    for number, (calls, seconds, own, size, shapes) in counts["layers"].items():
        layer = layers.get(int(number))
        if layer is None:
            continue  # recorded when the file was full
        layer.calls, layer.seconds, layer.own_seconds, layer.out_bytes = calls, seconds, own, size
        layer.distinct = max(layer.distinct, len(shapes))
        for place, count, first, last in shapes:
            if place < len(layer.shapes):
                layer.shapes[place].calls, layer.shapes[place].first, layer.shapes[place].last = count, first, last
    for number, count in counts["apis"].items():
        if int(number) < len(trace.calls):
            trace.calls[int(number)].count = count
    for number, (calls, distinct, most) in counts.get("places", {}).items():
        if int(number) < len(trace.places):
            place = trace.places[int(number)]
            place.calls, place.distinct, place.most = calls, distinct, most
    for loader, (waited, batches) in zip(trace.loaders, counts["loaders"], strict=False):
        loader.waited, loader.distinct = waited, max(loader.distinct, len(batches))
        for place, count, first, last in batches:
            if place < len(loader.batches):
                loader.batches[place].count, loader.batches[place].first, loader.batches[place].last = count, first, last
