"""Scenarios of what distributions of a project's own are written with."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

P = "torch.distributions.utils."
X = torch.linspace(0.05, 0.95, 12).reshape(2, 3, 2)
EDGES = torch.tensor([[0.0, 1.0, 0.5], [1e-9, 1 - 1e-7, 0.25]])


@scenario(f"{P}_sum_rightmost")
def summed(side: Side) -> Any:
    """Over none, one, all axes; gradients."""
    found = [side.call(side.value(X), count) for count in range(4)]
    return [*found, side.gradients(lambda x: side.call(x, 2) ** 2, X)]


@scenario(f"{P}broadcast_all")
def broadcast(side: Side) -> Any:
    """Tensors of several shapes, numbers beside them, numbers alone."""
    found: list[Any] = []
    for values in ((X, X[0, 0]), (X[0], 2.0), (1.0, 2), (X.double(), 3), (torch.tensor(1.5), X)):
        found += list(side.call(*(side.value(v) if isinstance(v, torch.Tensor) else v for v in values)))
    return found


@scenario(f"{P}clamp_probs", f"{P}probs_to_logits", f"{P}logits_to_probs")
def converted(side: Side) -> Any:
    """Of probabilities at and near the ends, in three dtypes, for two classes and for several."""
    flags: tuple[tuple[bool, ...], ...] = ((),) if side.name.endswith("clamp_probs") else ((), (True,))
    values = (X, EDGES, EDGES.double(), X.half()) if "logits_to" not in side.name else (X * 8 - 4, (X * 8 - 4).double())
    found = [side.call(side.value(v), *flag) for v in values for flag in flags]
    return [*found, *(side.gradients(lambda x, flag=flag: side.call(x, *flag) ** 2, X) for flag in flags)]


@scenario(f"{P}lazy_property")
def computed_once(side: Side) -> Any:
    """A property that is computed when it is read, once."""
    calls: list[int] = []

    class Holder:
        @side.call
        def logits(self) -> Any:
            calls.append(1)
            return len(calls)

    holder = Holder()
    return [holder.logits, holder.logits, len(calls), Holder().logits, "logits" in vars(holder)]


@scenario(f"{P}_standard_normal")
def drawn(side: Side) -> Any:
    """Shape and dtype, and numbers of about that distribution."""
    found = [side.call(shape, dtype=side.named(dtype), device="cpu") for shape in ((40, 60), (), (3,)) for dtype in ("torch.float32", "torch.float64")]
    large = found[0]
    return [[(tuple(one.shape), side.dtype(one)) for one in found], bool(abs(large.mean()) < 0.1), bool(abs(large.std() - 1) < 0.1)]
