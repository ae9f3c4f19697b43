"""Every call of a layer: the shapes it was given and gave, how often, how long, in which network.

A *network* is a module that was called while no other was running; its layers are named by their paths in it.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable
from typing import Any

from mindport.trace.journal import Journal
from mindport.trace.shapes import leaves

#: Networks, layers of one network, and different shapes of one layer that are recorded.
MOST_NETWORKS, MOST_LAYERS, MOST_SHAPES = 200, 20_000, 64
#: Different shapes are counted up to here.
MOST_COUNTED = 1000


class Layer:
    """One module of a network and what was seen of it. `shapes`: signature → [number, calls, first, last iteration]."""

    __slots__ = ("calls", "number", "out_bytes", "own_seconds", "seconds", "shapes")

    def __init__(self, number: int) -> None:
        self.number = number
        self.calls = 0
        self.seconds = self.own_seconds = 0.0
        self.out_bytes = 0
        self.shapes: dict[Any, list[int]] = {}


class Networks:
    """What the calls of modules say. `about(module, path)` describes one; `work(module, outputs…)` counts its arithmetic."""

    def __init__(
        self, journal: Journal, is_tensor: Callable[[Any], bool], about: Callable[[Any], dict[str, Any]],
        work: Callable[[Any, Any, Any], int | None], parameters: Callable[[Any], int | None],
    ) -> None:
        self.journal, self.is_tensor = journal, is_tensor
        self.about, self.work, self.parameters = about, work, parameters
        self.layers: list[Layer] = []
        self.iteration = 0
        self._known: dict[int, tuple[Any, Layer]] = {}
        self._roots: list[tuple[Any, str]] = []
        self._paths: dict[tuple[int, str], Layer] = {}
        self._stack: list[list[float]] = []  # seconds of the calls inside, outermost first
        self._weighed: set[int] = set()

    @property
    def running(self) -> bool:
        """Whether a module is being called."""
        return bool(self._stack)

    def called(self, module: Any, call: Callable[[], Any], args: Any, kwargs: Any, site: tuple[str, int] | None = None) -> Any:
        """Make the call and record it. An exception of the call passes through; nothing of it is kept but the time.

        `site`: the project's line that calls a network, so that shapes are told apart by where they come from.
        """
        outermost = not self._stack
        root = self._open(module) if outermost else None
        layer = self._layer(module)
        inside = [0.0]
        self._stack.append(inside)
        began = time.perf_counter()
        try:
            result = call()
        finally:
            took = time.perf_counter() - began
            self._stack.pop()
            if self._stack:
                self._stack[-1][0] += took
        if layer is not None:
            layer.calls += 1
            layer.seconds += took
            layer.own_seconds += took - inside[0]
            self._shapes(module, layer, args, kwargs, result, site)
        if root is not None:
            self._weigh(root, module)
        return result

    def counts(self) -> dict[str, Any]:
        """Layer number → calls, seconds with and without the layers inside, bytes of the largest result, shapes."""
        return {
            str(layer.number): [
                layer.calls, round(layer.seconds, 6), round(layer.own_seconds, 6), layer.out_bytes,
                [shape[:] for shape in layer.shapes.values()],
            ]
            for layer in self.layers if layer.calls
        }  # fmt: skip

    # --- parts -------------------------------------------------------------------------------------------------

    def _open(self, root: Any) -> int | None:
        for number, (reference, _) in enumerate(self._roots):
            if reference() is root:
                return number
        kind = f"{type(root).__module__}.{type(root).__qualname__}"
        number = next((n for n, (reference, k) in enumerate(self._roots) if k == kind and reference() is None), len(self._roots))
        if number >= MOST_NETWORKS:
            return None
        if number == len(self._roots):
            self._roots.append((weakref.ref(root), kind))
            self.journal.write("network", number=number, iteration=self.iteration, **self.about(root))
        else:  # one like it was here before and is gone: what this one does is counted with that one's
            self._roots[number] = (weakref.ref(root), kind)
        for place, (path, module) in enumerate(root.named_modules()):
            if place >= MOST_LAYERS:
                break
            self._register(number, path, module)
        return number

    def _register(self, network: int, path: str, module: Any) -> Layer:
        layer = self._paths.get((network, path))
        if layer is None:
            layer = self._paths[network, path] = Layer(len(self.layers))
            self.layers.append(layer)
            self.journal.write("layer", number=layer.number, network=network, path=path, **self.about(module))
        self._known[id(module)] = (weakref.ref(module), layer)
        return layer

    def _layer(self, module: Any) -> Layer | None:
        known = self._known.get(id(module))
        if known is not None and known[0]() is module:
            return known[1]
        if not self._roots or len(self.layers) >= MOST_LAYERS:
            return None
        # Not there when its network was first called: built since then, or kept outside the tree.
        return self._register(len(self._roots) - 1, f"({type(module).__name__})", module)

    def _shapes(self, module: Any, layer: Layer, args: Any, kwargs: Any, result: Any, site: tuple[str, int] | None) -> None:
        inputs = leaves(args, self.is_tensor)
        if kwargs:
            leaves(kwargs, self.is_tensor, "", inputs)
        outputs = leaves(result, self.is_tensor)
        key = (tuple(inputs), tuple(outputs), site)
        seen = layer.shapes.get(key)
        if seen is not None:
            seen[1] += 1
            seen[3] = self.iteration
            return
        layer.out_bytes = max(layer.out_bytes, sum(_bytes(dtype, shape) for _, dtype, shape in outputs))
        if len(layer.shapes) >= MOST_COUNTED:
            return
        number = len(layer.shapes)
        layer.shapes[key] = [number, 1, self.iteration, self.iteration]
        if number < MOST_SHAPES:
            self.journal.write(
                "shapes", layer=layer.number, number=number, iteration=self.iteration, inputs=inputs, outputs=outputs,
                macs=self.work(module, args, result), training=bool(getattr(module, "training", False)),
                **({"file": site[0], "line": site[1]} if site is not None else {}),
            )  # fmt: skip

    def _weigh(self, number: int, root: Any) -> None:
        """Once the network has run: lazy layers have their parameters now. Each parameter counts where it is met first."""
        if number in self._weighed:
            return
        self._weighed.add(number)
        seen: set[int] = set()
        own: dict[str, int | None] = {}
        for path, module in root.named_modules():
            layer = self._paths.get((number, path))
            if layer is None:
                continue
            values = [p for p in module._parameters.values() if p is not None and id(p) not in seen]
            seen.update(id(p) for p in values)
            counted = [self.parameters(p) for p in values]
            if counted:
                own[str(layer.number)] = None if None in counted else sum(c for c in counted if c is not None)
        self.journal.write("parameters", network=number, own=own)


_WIDTHS = {"float64": 8, "int64": 8, "complex64": 8, "complex128": 16, "float16": 2, "bfloat16": 2, "int16": 2, "uint8": 1, "int8": 1, "bool": 1}


def _bytes(dtype: str, shape: tuple[int, ...]) -> int:
    size = _WIDTHS.get(dtype, 4)
    for n in shape:
        size *= n
    return size
