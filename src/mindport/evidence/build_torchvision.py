"""Writes ``inference/data/torchvision-<version>.json.gz``: which models torchvision has, and what they hold.

``python -m mindport.evidence.build_torchvision`` runs where torch is installed and torchvision unpacked (``make
build/torchvision/installed``). Each builder makes its models without weights, on torch's "meta" device; what their modules hold gives
the types of attributes. Records as in `mindport.inference.build_stubs`; a container's type says what it holds: ``Sequential[Linear | ReLU]``.
"""

from __future__ import annotations

import contextlib
import gzip
import importlib
import inspect
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import torch

from mindport import inference
from mindport.evidence.torchvision_source import torchvision

_PLAIN = {bool: "bool", int: "int", float: "float", str: "str", type(None): "None"}
#: What every module has.
_COMMON = frozenset(vars(torch.nn.Module()))


class Models:
    """Types of the attributes of torchvision's modules, class by class."""

    def __init__(self) -> None:
        self.package = torchvision()
        self.models = importlib.import_module("torchvision.models")
        self.public = {id(value): f"torchvision.models.{name}" for name, value in vars(self.models).items() if inspect.isclass(value) or inspect.isfunction(value)}
        for part in ("models.detection", "models.segmentation", "models.video", "models.optical_flow", "models.quantization", "ops"):
            module = importlib.import_module(f"torchvision.{part}")
            for name, value in vars(module).items():
                if inspect.isclass(value) or inspect.isfunction(value):
                    self.public.setdefault(id(value), f"{module.__name__}.{name}")
        self.names: dict[str, str] = {}
        self.aliases: dict[str, str] = {}
        self.held: dict[type, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))

    def name(self, value: Any) -> str:
        """The name under which torch or torchvision documents a class or function."""
        module = str(value.__module__)
        if module.startswith("torch.nn."):
            return f"torch.nn.{value.__qualname__}"
        return self.public.get(id(value), f"{module}.{value.__qualname__}")

    def type_of(self, value: Any) -> str:
        """A value's type as an annotation, "" where none says it."""
        if isinstance(value, torch.nn.Parameter):
            return "Parameter"
        if isinstance(value, torch.Tensor):
            return "Tensor"
        if isinstance(value, (torch.nn.Sequential, torch.nn.ModuleList)) and type(value) in (torch.nn.Sequential, torch.nn.ModuleList):
            held = sorted({self.type_of(child) for child in value})
            return f"{self.name(type(value))}[{' | '.join(held)}]" if held else self.name(type(value))
        if isinstance(value, torch.nn.Module):
            return self.name(type(value))
        return _PLAIN.get(type(value), "")

    def see(self, model: torch.nn.Module) -> None:
        """Take note of what a model's modules hold."""
        for module in model.modules():
            if not type(module).__module__.startswith("torchvision."):
                continue
            named = {} if isinstance(module, torch.nn.ModuleDict) else module._modules  # those of a dictionary are no attributes
            for name, value in {**vars(module), **module._parameters, **module._buffers, **named}.items():
                if name not in _COMMON and name.isidentifier():
                    self.held[type(module)][name].add(self.type_of(value))

    def _made(self, builder: Any) -> torch.nn.Module:
        words = {name: None for name in inspect.signature(builder).parameters if name.startswith("weights")}
        with torch.device("meta"), contextlib.suppress(NotImplementedError):  # of a model that computes its widths by tensors
            return builder(**words)
        return builder(**words)

    def build(self) -> dict[str, Any]:
        """The whole file's content."""
        for name in self.models.list_models():
            builder = self.models.get_model_builder(name)
            with contextlib.suppress(TypeError, ValueError):
                model = self._made(builder)
                self.see(model)
                self._function(builder, self.name(type(model)))
        for cls, attributes in self.held.items():
            self._class(cls, attributes)
        for kind in filter(inspect.isclass, vars(self.models).values()):
            if issubclass(kind, self.models.WeightsEnum):
                self._weights(kind)
        return {"version": self.package.__version__.split("+")[0], "aliases": self.aliases, "names": self.names}

    def _known(self, value: Any) -> str:
        full, raw = self.name(value), f"{value.__module__}.{value.__qualname__}"
        if raw != full:
            self.aliases[raw] = full
        return full

    def _function(self, builder: Any, result: str) -> None:
        keywords = [name for name, p in inspect.signature(builder).parameters.items() if p.kind is p.KEYWORD_ONLY]
        self.names[self._known(builder)] = f"f({', '.join(f'{name}=None' for name in keywords)}, **kwargs) -> {result}"

    def _weights(self, kind: Any) -> None:
        full = self._known(kind)
        self.names[full] = "c" if kind is self.models.WeightsEnum else f"c{self.name(self.models.WeightsEnum)}"
        for member in kind.__members__:
            self.names[f"{full}.{member}"] = f"a{full}"
        if kind is self.models.WeightsEnum:
            self.names |= {f"{full}.url": "astr", f"{full}.meta": "adict", f"{full}.transforms": "f()", f"{full}.get_state_dict": "f() -> dict[str, Tensor]"}

    def _class(self, cls: type, attributes: dict[str, set[str]]) -> None:
        full = self._known(cls)
        self.names[full] = "c" + ",".join(self.name(base) for base in cls.__bases__ if base is not object)
        for base in cls.__mro__[1:]:
            if base.__module__.startswith("torchvision.") and base not in self.held:
                self.names.setdefault(self._known(base), "c" + ",".join(self.name(b) for b in base.__bases__ if b is not object))
        for name, types in attributes.items():
            self.names[f"{full}.{name}"] = "a" + ("" if "" in types or types == {"None"} else " | ".join(sorted(types)))


def main() -> None:
    """Build the file of the unpacked torchvision."""
    content = Models().build()
    path = Path(inference.__file__).parent / "data" / f"torchvision-{content['version'].rpartition('.')[0]}.json.gz"
    encoded = json.dumps(content, separators=(",", ":"), sort_keys=True).encode()
    path.write_bytes(gzip.compress(encoded, 9, mtime=0))
    print(f"{path}: {len(content['names'])} names, {len(content['aliases'])} aliases, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
