"""Muon and L-BFGS where rounding is out of the way: in float64 both sides end at the same place, so what float32 shows is rounding, not another algorithm."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks

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
    begin = starts((8, 2), (5, 5), (32, 48))
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


@pytest.mark.parametrize(("name", "options"), [
    ("SGD", {"lr": 0.03}), ("SGD", {"lr": 0.03, "momentum": 0.9, "weight_decay": 1e-3}), ("SGD", {"lr": 0.01, "momentum": 0.7, "nesterov": True}),
    ("Adam", {"lr": 0.013}), ("Adam", {"lr": 0.013, "amsgrad": True, "weight_decay": 0.01}), ("AdamW", {"lr": 0.007}), ("Adamax", {"lr": 0.02}), ("NAdam", {"lr": 0.003}),
    ("RAdam", {"lr": 0.03}), ("Adagrad", {"lr": 0.03, "lr_decay": 0.01}), ("Adadelta", {"lr": 0.7}), ("RMSprop", {"lr": 0.003, "momentum": 0.3, "centered": True}),
    ("ASGD", {"lr": 0.03}), ("Rprop", {"lr": 0.003}),
])  # fmt: skip
def test_the_numbers_of_an_update_keep_their_digits(name: str, options: dict[str, Any]) -> None:
    """Beside a float64 tensor MindSpore rounds Python's floats to float32: steps of 0.013 would be 1e-8 off."""
    import torch
    from mindspore import Parameter, Tensor

    from mindport.evidence.knowledge import declaration
    from mindport.evidence.run import selected

    begin = starts((4, 3), (5,))
    theirs = [torch.nn.Parameter(torch.tensor(value)) for value in begin]
    ours = [Parameter(Tensor(value), name=f"p{number}") for number, value in enumerate(begin)]
    optimizers = getattr(torch.optim, name)(theirs, **options), declaration(selected([f"torch.optim.{name}"])[0]).target(ours, **options)
    random = np.random.default_rng(6)
    for _ in range(30):
        for p, q in zip(theirs, ours, strict=True):
            gradient = np.sin(p.detach().numpy()) + 0.1 * random.standard_normal(tuple(p.shape))
            p.grad, q.grad = torch.tensor(gradient), Tensor(gradient)
        for optimizer in optimizers:
            optimizer.step()
    assert furthest(theirs, ours) < 1e-12
