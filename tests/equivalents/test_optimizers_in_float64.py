"""Muon and L-BFGS where rounding is out of the way: in float64 both sides end at the same place, so what float32 shows is rounding, not another algorithm."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = [pytest.mark.frameworks, pytest.mark.usefixtures("nothing_is_recorded")]

STEPS = 100


def starts(*shapes: tuple[int, ...]) -> list[np.ndarray]:
    random = np.random.default_rng(5)
    return [random.standard_normal(shape) for shape in shapes]


def furthest(theirs: list[Any], ours: list[Any]) -> float:
    """The largest distance, of the largest element."""
    return max(float(np.abs(p.detach().numpy() - q.asnumpy()).max() / np.abs(p.detach().numpy()).max()) for p, q in zip(theirs, ours, strict=True))


@pytest.mark.parametrize("options", [
    {"momentum": 0.75, "weight_decay": 0.125}, {"nesterov": False, "momentum": 0.25, "weight_decay": 0.0},
    {"lr": 0.01, "momentum": 0.95, "weight_decay": 0.1}, {"lr": 0.01, "momentum": 0.3, "nesterov": False, "adjust_lr_fn": "match_rms_adamw"},
])  # fmt: skip
def test_muon_without_its_rounding(monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]) -> None:
    """torch orthogonalises in bfloat16, whatever the parameters are: both sides are kept from it, from the same float32 matrix on.

    Python's factors pass through float32 beside MindSpore's float64 (docs/differences/functions.md): the last two sets, and shapes, would lose digits by that.
    """
    import torch
    from mindspore import Parameter, Tensor

    from mindport.equivalents.optimizers import factored

    monkeypatch.setattr(torch.Tensor, "bfloat16", lambda self: self.float().double())
    monkeypatch.setattr(factored, "rounded", lambda value: np.asarray(value, np.float64))
    monkeypatch.setattr(factored, "product", lambda one, two: one @ two)
    begin = starts((8, 2), (3, 8), (5, 5), (32, 48))
    theirs = [torch.nn.Parameter(torch.tensor(value)) for value in begin]
    ours = [Parameter(Tensor(value), name=f"p{number}") for number, value in enumerate(begin)]
    options = {"lr": 2**-7, **options}
    optimizers = torch.optim.Muon(theirs, **options), factored.Muon(ours, **options)
    random = np.random.default_rng(6)
    for _ in range(STEPS):
        for number, (p, q) in enumerate(zip(theirs, ours, strict=True)):
            gradient = p.detach().numpy() * (number + 1) + 0.1 * random.standard_normal(tuple(p.shape))
            p.grad, q.grad = torch.tensor(gradient), Tensor(gradient)
        for optimizer in optimizers:
            optimizer.step()
    assert furthest(theirs, ours) < 1e-9


@pytest.mark.parametrize("options", [{"lr": 0.5, "max_iter": 4}, {"line_search_fn": "strong_wolfe", "max_iter": 5, "history_size": 4}])
def test_lbfgs(options: dict[str, Any]) -> None:
    """Each side's closure computes the gradient of a function that is curved in every direction, in NumPy."""
    import torch
    from mindspore import Parameter, Tensor

    from mindport.equivalents.optimizers.lbfgs import LBFGS

    begin, slopes = starts((6, 4)), starts((50, 6), (50, 4))
    theirs, ours = [torch.nn.Parameter(torch.tensor(begin[0]))], [Parameter(Tensor(begin[0]), name="p")]

    def value(p: np.ndarray) -> tuple[float, np.ndarray]:
        rest = slopes[0] @ p - slopes[1]
        return float((np.log(np.cosh(rest))).mean()), slopes[0].T @ np.tanh(rest) / rest.size

    def torch_closure() -> Any:
        loss, gradient = value(theirs[0].detach().numpy())
        theirs[0].grad = torch.tensor(gradient)
        return torch.tensor(loss)

    def own_closure() -> Any:
        loss, gradient = value(ours[0].asnumpy())
        ours[0].grad = Tensor(gradient)
        return Tensor(loss)

    first, second = torch.optim.LBFGS(theirs, **options), LBFGS(ours, **options)
    for _ in range(STEPS):
        first.step(torch_closure)
        second.step(own_closure)
    assert furthest(theirs, ours) < 1e-9
