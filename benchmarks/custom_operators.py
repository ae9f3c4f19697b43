"""The custom operators beside PyTorch and beside what can be composed in MindSpore: how closely they agree, how long they take.

    python benchmarks/custom_operators.py

Each is generated into a new folder and compiled there. The page docs/custom-operators.md holds the table it prints.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("GLOG_v", "4")

import mindspore as ms
import numpy as np
import torch
from mindspore import ops

from mindport.report.operator import generate, operators

torch.manual_seed(0)
REPEATS = 7
LENGTHS = torch.full((128,), 16)


def composed_cdist(a: Any, b: Any) -> Any:
    """Every difference of every pair."""
    return ((a.expand_dims(1) - b.expand_dims(0)).abs() ** 1.5).sum(-1) ** (1 / 1.5)


def composed_segments(data: Any, lengths: Any) -> Any:
    """One sum a segment."""
    first, sums = 0, []
    for length in lengths.asnumpy().tolist():
        sums.append(data[first : first + length].sum(0))
        first += length
    return ops.stack(sums)


def composed_bicubic(image: Any, grid: Any) -> Any:
    """Sixteen gathers, weighted; border zeros, corners not aligned."""
    n, c, height, width = image.shape
    x, y = ((grid[..., 0] + 1) * width - 1) / 2, ((grid[..., 1] + 1) * height - 1) / 2
    left, top = ops.floor(x), ops.floor(y)

    def weights(t: Any) -> list[Any]:
        a = -0.75
        near = [((a + 2) * d - (a + 3)) * d * d + 1 for d in (t, 1 - t)]
        far = [((a * d - 5 * a) * d + 8 * a) * d - 4 * a for d in (t + 1, 2 - t)]
        return [far[0], near[0], near[1], far[1]]

    across, down = weights(x - left), weights(y - top)
    flat, total = image.reshape(n, c, -1), 0
    for i in range(4):
        for j in range(4):
            column, row = left + (j - 1), top + (i - 1)
            inside = ((column >= 0) & (column < width) & (row >= 0) & (row < height)).astype(image.dtype)
            place = (ops.clamp(row, 0, height - 1) * width + ops.clamp(column, 0, width - 1)).astype(ms.int64).reshape(n, 1, -1)
            picked = ops.gather_elements(flat, 2, ops.tile(place, (1, c, 1))).reshape(n, c, *x.shape[1:])
            total = total + picked * (inside * across[j] * down[i]).expand_dims(1)
    return total


#: By stem: inputs, the operator's call, torch's, and the composed form where there is one.
CASES: dict[str, tuple[list[torch.Tensor], Callable[..., Any], Callable[..., torch.Tensor], Callable[..., Any] | None]] = {
    "airy_ai": ([torch.linspace(-10, 10, 100_000)], lambda f, a: f(a), torch.special.airy_ai, None),
    "hash_tensor": ([torch.randn(1000, 1000)], lambda f, a: f(a, 1), lambda a: torch.hash_tensor(a, 1).view(torch.int64), None),
    "segment_reduce": (
        [torch.randn(2048, 64), LENGTHS], lambda f, a, b: f(a, "sum", lengths=b), lambda a, b: torch.segment_reduce(a, "sum", lengths=b), composed_segments,
    ),
    "cdist": ([torch.randn(512, 64), torch.randn(512, 64)], lambda f, a, b: f(a, b, 1.5), lambda a, b: torch.cdist(a, b, 1.5), composed_cdist),
    "grid_sample": (
        [torch.randn(4, 16, 64, 64), torch.rand(4, 64, 64, 2) * 2 - 1], lambda f, a, b: f(a, b, "bicubic", "zeros", False),
        lambda a, b: torch.nn.functional.grid_sample(a, b, "bicubic", "zeros", False), composed_bicubic,
    ),
}  # fmt: skip


def timed(call: Callable[[], Any]) -> float:
    """Milliseconds of a call, the median of some."""
    call()
    taken = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        call()
        taken.append((time.perf_counter() - begun) * 1000)
    return median(taken)


def main() -> None:
    """Print the table's rows."""
    torch.set_num_threads(1)
    print("| operator | gradient | largest difference (relative to the largest value) | operator, ms | composed, ms | PyTorch, ms |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for name, operator in operators().items():
        inputs, call, theirs, composed = CASES[operator.stem]
        with tempfile.TemporaryDirectory() as place:
            generate(name, Path(place))
            subprocess.run(["sh", f"{place}/build.sh"], check=True)
            sys.path.insert(0, place)
            made = getattr(importlib.import_module(operator.stem), operator.stem)
            given = [ms.Tensor(each.numpy()) for each in inputs]
            expected, found = theirs(*inputs).numpy(), call(made, *given).asnumpy()
            difference = np.abs(found.astype(np.float64) - expected.astype(np.float64)).max() / np.abs(expected.astype(np.float64)).max()
            times = [timed(lambda: call(made, *given).asnumpy())]  # noqa: B023
            if composed is not None:
                np.testing.assert_allclose(composed(*given).asnumpy(), expected, rtol=1e-3, atol=1e-4)
                times.append(timed(lambda: composed(*given).asnumpy()))  # noqa: B023
            shown = [f"{each:.1f}" for each in times] + ["none"] * (2 - len(times))
            gradient = ", ".join("ab"[each] for each in operator.gradient) or "none (torch has none)"
            print(f"| `{name}` | {gradient} | {difference:.1e} | {' | '.join(shown)} | {timed(lambda: theirs(*inputs)):.1f} |", flush=True)  # noqa: B023


if __name__ == "__main__":
    main()
