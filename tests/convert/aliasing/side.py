"""Runs every public function of program files on one framework, and saves what it gives.

``python side.py torch|mindspore FOLDER RESULT.pickle``: each function gets the same two (2, 3) arrays and returns a
tensor or a tuple; it runs by itself, and under differentiation of a weighted sum of what it returned.
"""

from __future__ import annotations

import importlib.util
import inspect
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np

A = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.float32)
B = np.array([[0.5, -1.0, 2.0], [1.0, 0.25, -3.0]], np.float32)


def programs(folder: Path) -> dict[str, Any]:
    """The functions of all files that take a and b."""
    found: dict[str, Any] = {}
    sys.path.insert(0, str(folder))
    for path in sorted(folder.glob("*.py")):
        if path.stem == "torch_equivalents":
            continue
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)
        for name, function in vars(module).items():
            if inspect.isfunction(function) and list(inspect.signature(function).parameters)[:2] == ["a", "b"] and not name.startswith("_"):
                found[f"{path.stem}.{name}"] = function
    return found


def flat(result: Any) -> list[Any]:
    """The parts of a result."""
    return list(result) if isinstance(result, (tuple, list)) else [result]


def weights(part: Any) -> np.ndarray:
    """Weights that tell every element of a result from the others."""
    return np.linspace(0.5, 1.5, int(np.prod(part.shape)) or 1, dtype=np.float32).reshape(tuple(part.shape))


def on_torch(function: Any) -> dict[str, Any]:
    """Values and gradients on PyTorch; None for gradients where it has none."""
    import torch

    parts = flat(function(torch.tensor(A), torch.tensor(B)))
    values = [np.array(p.detach().numpy()) if isinstance(p, torch.Tensor) else p for p in parts]
    a, b = torch.tensor(A, requires_grad=True), torch.tensor(B, requires_grad=True)
    try:
        loss = sum((p * p * torch.tensor(weights(p))).sum() for p in flat(function(a, b)) if isinstance(p, torch.Tensor) and p.is_floating_point())
        loss.backward()
    except RuntimeError as error:
        return {"values": values, "gradients": None, "why": str(error)[:80]}
    return {"values": values, "gradients": [np.zeros_like(A) if t.grad is None else t.grad.numpy() for t in (a, b)]}


def on_mindspore(function: Any) -> dict[str, Any]:
    """Values and gradients on MindSpore, and the values while gradients were recorded."""
    import mindspore as ms
    from mindspore import Tensor

    def taken(p: Any) -> Any:
        return np.array(p.asnumpy()) if isinstance(p, Tensor) else p

    result: dict[str, Any] = {}
    try:
        result["values"] = [taken(p) for p in flat(function(Tensor(A), Tensor(B)))]
        recorded: list[Any] = []

        def loss(a: Tensor, b: Tensor) -> Tensor:
            parts = flat(function(a, b))
            recorded.extend(parts)
            floats = [p for p in parts if isinstance(p, Tensor) and p.dtype == ms.float32]
            return sum((p * p * Tensor(weights(p))).sum() for p in floats)

        gradients = ms.value_and_grad(loss, (0, 1))(Tensor(A), Tensor(B))[1]
        result["gradients"] = [g.asnumpy() for g in gradients]
        result["recorded"] = [taken(p) for p in recorded]
    except Exception as error:  # reported by the test, with the program's name
        result["error"] = f"{type(error).__name__}: {error}"
    return result


def main(side: str, folder: str, target: str) -> None:
    """Run one side."""
    run = on_torch if side == "torch" else on_mindspore
    results = {name: run(function) for name, function in programs(Path(folder)).items()}
    Path(target).write_bytes(pickle.dumps(results))


if __name__ == "__main__":
    main(*sys.argv[1:])
