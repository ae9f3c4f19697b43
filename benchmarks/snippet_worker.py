"""Runs small programs on one side, each in its own namespace, and keeps all their variables, for docstring_examples.py.

    python snippet_worker.py torch|mindspore    # jobs on stdin: {"file", "seed", "out"}; one JSON answer a line

A program's top statements run one after the other; one that raises is noted and the next one is tried, as in
an interactive session. What the namespace holds afterwards is written to `out` in a form that knows neither framework.
Layers get the same parameters on either side (by their size alone, which all layouts share), as soon as a statement made them.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import json
import os
import pickle
import random
import sys
import traceback
import types
import warnings
from pathlib import Path
from typing import Any

import numpy as np

VENDORED = "torch_equivalents"


def main() -> None:
    """Answer jobs until stdin ends."""
    sys.path.insert(0, str(Path(__file__).parent))
    side: Any = Torch() if sys.argv[1] == "torch" else MindSpore()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what programs print must not mix with the answers
    warnings.simplefilter("ignore")
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(_job(side, json.loads(line))), file=answers, flush=True)


def _job(side: Any, job: dict[str, Any]) -> dict[str, Any]:
    path = Path(job["file"])
    random.seed(job["seed"])
    np.random.seed(job["seed"])
    side.begin(job["seed"])
    sys.path.insert(0, str(path.parent))
    sys.modules.pop(VENDORED, None)
    importlib.invalidate_caches()
    os.chdir(job["scratch"])
    try:
        answer, held = run(path, side)
        Path(job["out"]).write_bytes(pickle.dumps(held))
    finally:
        sys.path.remove(str(path.parent))
    return answer


def run(path: Path, side: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Which statements ran, what the others raised and where; the variables."""
    text = path.read_text(encoding="utf-8")
    module = types.ModuleType("example")
    module.__file__ = str(path)
    sys.modules["example"] = module
    ran: list[int] = []
    errors: list[dict[str, Any]] = []
    before = set(vars(module))
    for number, statement in enumerate(ast.parse(text).body):
        try:
            exec(compile(ast.Module([statement], []), str(path), "exec"), vars(module))  # the examples are torch's own
            ran.append(number)
        except (Exception, SystemExit) as error:
            errors.append({"statement": number, **_told(error, path, statement)})
        for name, value in list(vars(module).items()):
            if name not in before:
                with contextlib.suppress(Exception):  # a half-made layer
                    side.fill(value)
    held = {}
    for name, value in vars(module).items():
        if name in before or name == "__builtins__" or isinstance(value, (types.ModuleType, type, types.FunctionType, types.BuiltinFunctionType)):
            continue
        try:
            held[name] = side.neutral(value, 0)
        except Exception as error:
            errors.append({"statement": -1, "name": name, **_told(error, path, None)})
    return {"ran": ran, "errors": errors}, held


def _told(error: BaseException, path: Path, statement: ast.stmt | None) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if f.filename == str(path)]
    return {
        "error": type(error).__name__, "message": " ".join(str(error).split())[:300],
        "line": own[-1].lineno if own else getattr(statement, "lineno", 0),
        "first": getattr(statement, "lineno", 0), "last": getattr(statement, "end_lineno", 0),
        "vendored": bool(frames) and frames[-1].filename.endswith(f"{VENDORED}.py"),
    }  # fmt: skip


def _filling(count: int) -> np.ndarray:
    """Values of a parameter of so many numbers, near zero and different from each other."""
    return np.asarray(np.sin(1.0 + np.arange(count) * 0.7) / max(1.0, count**0.5) * 2, np.float32)


class Side:
    """What both sides have in common: values in a form that knows neither framework."""

    def __init__(self) -> None:
        self.filled: dict[int, Any] = {}

    def fill(self, value: Any) -> None:
        """Give a new layer's parameters their values."""
        if self.is_layer(value) and id(value) not in self.filled:
            self.filled[id(value)] = value
            for parameter in self.parameters(value):
                self.set(parameter)

    def neutral(self, value: Any, depth: int) -> Any:
        """A tensor's dtype, shape and numbers; containers of such; Python's own values; else the class's name."""
        if depth > 6:
            return ("deep",)
        if isinstance(value, (bool, int, float, complex, str, bytes, type(None))) and type(value).__module__ == "builtins":
            return ("value", value)
        tensor = self.tensor(value)
        if tensor is not None:
            return tensor
        if (dtype := self.dtype(value)) is not None:
            return ("dtype", dtype)
        if isinstance(value, (np.ndarray, np.generic)):
            return ("array", str(value.dtype), tuple(value.shape), np.array(value))
        if isinstance(value, (tuple, list)):
            kind = "list" if isinstance(value, list) else "tuple"
            return (kind, [self.neutral(v, depth + 1) for v in value])
        if isinstance(value, dict):
            return ("dict", [(str(k), self.neutral(v, depth + 1)) for k, v in value.items()])
        if self.is_layer(value):
            return ("layer",)
        if isinstance(value, slice):
            return ("value", repr(value))
        return ("object", type(value).__name__)


class Torch(Side):
    """PyTorch on CPU."""

    def __init__(self) -> None:
        super().__init__()
        import torch

        self.torch = torch
        self.seeding = torch.manual_seed
        torch.set_num_threads(1)

    def begin(self, seed: int) -> None:
        """Another program starts; with another seed its own seeds count for nothing, so that what is drawn shows."""
        self.filled.clear()
        self.torch.set_default_device(None)
        self.torch.set_default_dtype(self.torch.float32)
        self.torch.use_deterministic_algorithms(False)
        self.torch.set_printoptions(profile="default")
        self.torch.set_grad_enabled(True)
        self.seeding(seed)
        self.torch.manual_seed = self.seeding if seed == 0 else lambda given: self.torch.default_generator

    def is_layer(self, value: Any) -> bool:
        """Whether it has parameters to fill."""
        return isinstance(value, self.torch.nn.Module)

    def parameters(self, layer: Any) -> list[Any]:
        """The layer's parameters."""
        uninitialized = self.torch.nn.parameter.UninitializedTensorMixin
        return [p for p in layer.parameters() if p.requires_grad and not isinstance(p, uninitialized)]

    def set(self, parameter: Any) -> None:
        """Give a parameter its values."""
        if parameter.is_floating_point():
            values = self.torch.from_numpy(_filling(parameter.numel()).reshape(tuple(parameter.shape)))
            parameter.data.copy_(values)

    def tensor(self, value: Any) -> Any:
        """A tensor in neutral form."""
        torch = self.torch
        if not isinstance(value, torch.Tensor):
            return None
        if value.layout != torch.strided or value.is_quantized or value.is_meta or value.is_nested:
            return ("object", "special tensor")
        plain = value.detach().resolve_conj().resolve_neg()
        shown = plain.float() if plain.dtype == torch.bfloat16 else plain
        return ("tensor", str(value.dtype).removeprefix("torch."), tuple(value.shape), shown.numpy().copy())

    def dtype(self, value: Any) -> str | None:
        """A dtype's name."""
        return str(value).removeprefix("torch.") if isinstance(value, self.torch.dtype) else None


class MindSpore(Side):
    """MindSpore on CPU."""

    def __init__(self) -> None:
        super().__init__()
        import mindspore as ms

        self.ms = ms
        ms.set_context(mode=ms.PYNATIVE_MODE)
        ms.runtime.launch_blocking()  # else one statement's error is reported by the next one

    def begin(self, seed: int) -> None:
        """Another program starts."""
        self.filled.clear()
        self.ms.set_context(mode=self.ms.PYNATIVE_MODE)
        self.ms.set_seed(seed)

    def is_layer(self, value: Any) -> bool:
        """Whether it has parameters to fill."""
        return isinstance(value, self.ms.nn.Cell)

    def parameters(self, layer: Any) -> list[Any]:
        """The layer's parameters, without what torch counts among the buffers, and without those of lazy layers that have no size yet."""
        open_ones = {id(p) for _, cell in layer.cells_and_names() if getattr(cell, "missing", False) is True for p in cell.get_parameters()}
        return [p for p in layer.get_parameters() if p.requires_grad and 0 not in p.shape and id(p) not in open_ones]

    def set(self, parameter: Any) -> None:
        """Give a parameter its values."""
        if "Float" in str(parameter.dtype):
            self.ms.ops.assign(parameter, self.ms.Tensor(_filling(parameter.size).reshape(parameter.shape)).astype(parameter.dtype))

    def tensor(self, value: Any) -> Any:
        """A tensor in neutral form."""
        ms = self.ms
        if not isinstance(value, ms.Tensor):
            return ("object", "special tensor") if isinstance(value, (ms.COOTensor, ms.CSRTensor)) else None
        kind = str(value.dtype).lower().removeprefix("tensor[")
        shown = value.astype(ms.float32) if value.dtype == ms.bfloat16 else value
        return ("tensor", kind, tuple(value.shape), shown.asnumpy().copy())

    def dtype(self, value: Any) -> str | None:
        """A dtype's name."""
        return str(value).lower() if isinstance(value, self.ms.Type) else None


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()
