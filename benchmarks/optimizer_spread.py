"""How far apart torch's own runs of an optimizer end on one machine, beside mindport's distance from torch.

    GLOG_v=3 python benchmarks/optimizer_spread.py [--steps 100]

torch has several kernels of one operator and chooses by the processor: ``ATEN_CPU_CAPABILITY`` and ``ONEDNN_MAX_CPU_ISA``
choose others. What moves by as much between two of torch's kernels is not a property of the conversion. Every run has
the same data: three matrices, each fitted by gradients of mean((tanh(x pᵀ) - y)²) written out in NumPy, so that the
optimizer alone is compared; L-BFGS minimises the quadratic mean((x p - y)²) by its closure.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

KERNELS = {
    "torch": {},
    "torch, again": {},
    "torch, AVX2 kernels of ATen": {"ATEN_CPU_CAPABILITY": "avx2"},
    "torch, ATen without vectors": {"ATEN_CPU_CAPABILITY": "default"},
    "torch, AVX2 kernels of oneDNN": {"ONEDNN_MAX_CPU_ISA": "AVX2"},
    "mindport": {},
}
CASES: dict[str, dict[str, Any]] = {
    "Muon": {"lr": 0.01},
    "LBFGS": {"lr": 0.5, "max_iter": 4},
    "Adam": {"lr": 0.01},
    "Adafactor": {"lr": 0.01},
}
SHAPES = ((32, 48), (16, 16), (64, 64))


def problem() -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Start, inputs and targets of each matrix."""
    random = np.random.default_rng(0)
    draw = lambda *shape: random.standard_normal(shape).astype(np.float32)  # noqa: E731
    return [(draw(*shape), draw(200, shape[1]), draw(200, shape[0])) for shape in SHAPES]


def gradient(p: np.ndarray, x: np.ndarray, y: np.ndarray, linear: bool) -> tuple[float, np.ndarray]:
    """The loss and its gradient, computed in float64 and rounded once."""
    p, x, y = (value.astype(np.float64) for value in (p, x, y))
    z = x @ p.T if linear else np.tanh(x @ p.T)
    back = (z - y) * (2 / z.size)
    return float(((z - y) ** 2).mean()), ((back if linear else back * (1 - z * z)).T @ x).astype(np.float32)


def run(name: str, side: str, steps: int) -> list[np.ndarray]:
    """The matrices after `steps` steps on one side."""
    data, linear = problem(), name == "LBFGS"
    if side.startswith("torch"):
        import torch

        torch.set_num_threads(1)
        members: list[Any] = [torch.nn.Parameter(torch.tensor(start)) for start, _, _ in data]
        as_tensor: Any = torch.tensor
        read: Any = lambda p: p.detach().numpy()  # noqa: E731
        optimizer = getattr(torch.optim, name)(members, **CASES[name])
    else:
        from mindspore import Parameter, Tensor

        from mindport.equivalents.optimizers.adam import Adam
        from mindport.equivalents.optimizers.factored import Adafactor, Muon
        from mindport.equivalents.optimizers.lbfgs import LBFGS

        ours: dict[str, Any] = {"Muon": Muon, "LBFGS": LBFGS, "Adam": Adam, "Adafactor": Adafactor}
        members = [Parameter(Tensor(start), name=f"p{i}") for i, (start, _, _) in enumerate(data)]
        as_tensor, read = Tensor, lambda p: p.asnumpy()
        optimizer = ours[name](members, **CASES[name])

    def closure() -> Any:
        total = 0.0
        for p, (_, x, y) in zip(members, data, strict=True):
            loss, grad = gradient(read(p), x, y, linear)
            p.grad = as_tensor(grad)
            total += loss
        return as_tensor(np.float32(total))

    for _ in range(steps):
        if linear:
            optimizer.step(closure)
        else:
            closure()
            optimizer.step()
    return [read(p) for p in members]


def main() -> None:
    """Prints the table; ``--one NAME SIDE FILE`` is a single run in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        name, side, file = asked.one
        np.savez(file, *run(name, side, asked.steps))
        return
    found: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in CASES:
            ends: dict[str, list[np.ndarray]] = {}
            for side, environment in KERNELS.items():
                file = str(Path(folder) / "end.npz")
                command = [sys.executable, __file__, "--steps", str(asked.steps), "--one", name, side, file]
                subprocess.run(command, env={**os.environ, **environment}, check=True)
                with np.load(file) as stored:
                    ends[side] = [stored[key] for key in stored.files]
            first = ends.pop("torch")
            found[name] = {
                side: max(float(np.abs(a - b).max() / np.abs(a).max()) for a, b in zip(first, end, strict=True))
                for side, end in ends.items()
            }
            print(name, {side: f"{value:.1e}" for side, value in found[name].items()}, flush=True)
    results = Path(__file__).parent / "results" / "optimizer-spread.json"
    results.write_text(json.dumps({"steps": asked.steps, "of the largest element": found}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
