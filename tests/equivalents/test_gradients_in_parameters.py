"""Clipping, loss scaling and optimizers work on `parameter.grad` as torch does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks

torch = pytest.importorskip("torch", reason="compares with torch")
ms = pytest.importorskip("mindspore", reason="runs MindSpore")

from mindport.equivalents.gradient_clipping import (  # noqa: E402
    clip_grad_norm_,
    clip_grad_value_,
    parameters_to_vector,
    vector_to_parameters,
)
from mindport.equivalents.kept_gradients import apart  # noqa: E402
from mindport.equivalents.loss_scaling import GradScaler, autocast  # noqa: E402
from mindport.equivalents.optimizers.adam import Adam  # noqa: E402
from mindport.equivalents.optimizers.sgd import SGD  # noqa: E402


def pair(scale: float = 3.0) -> tuple[list[Any], list[Any]]:
    """The same parameters and gradients on both sides; the last has no gradient."""
    random = np.random.default_rng(5)
    theirs, ours = [], []
    for number, shape in enumerate([(4, 3), (3,), (2,)]):
        value, grad = (random.standard_normal(shape).astype(np.float32) for _ in range(2))
        p, q = torch.nn.Parameter(torch.tensor(value)), ms.Parameter(ms.Tensor(value), name=f"p{number}")
        if number < 2:
            p.grad, q.grad = torch.tensor(grad * scale), ms.Tensor(grad * np.float32(scale))
        theirs.append(p)
        ours.append(q)
    return theirs, ours


@pytest.mark.parametrize("norm", [2.0, 1.0, float("inf"), 3.0, 0.5])
def test_clipping_by_norm(norm: float) -> None:
    theirs, ours = pair()
    expected = torch.nn.utils.clip_grad_norm_(theirs, 0.7, norm)
    assert float(clip_grad_norm_(ours, 0.7, norm)) == pytest.approx(float(expected), rel=1e-6)
    for p, q in zip(theirs[:2], ours[:2], strict=True):
        np.testing.assert_allclose(q.grad.asnumpy(), p.grad.numpy(), rtol=2e-6)


def test_clipping_by_value() -> None:
    theirs, ours = pair()
    torch.nn.utils.clip_grad_value_(theirs, 0.5)
    clip_grad_value_(ours, 0.5)
    assert all((q.grad.asnumpy() == p.grad.numpy()).all() for p, q in zip(theirs[:2], ours[:2], strict=True))


def test_infinite_norm_is_an_error_where_asked() -> None:
    _, ours = pair(float("inf"))
    with pytest.raises(RuntimeError, match="non-finite"):
        clip_grad_norm_(ours, 1.0, error_if_nonfinite=True)


def test_parameters_as_one_vector() -> None:
    theirs, ours = pair()
    vector = parameters_to_vector(ours)
    assert (vector.asnumpy() == torch.nn.utils.parameters_to_vector(theirs).detach().numpy()).all()
    vector_to_parameters(vector * 2, ours)
    assert (ours[0].asnumpy() == theirs[0].detach().numpy() * 2).all()


def test_scaled_steps_skip_infinite_gradients() -> None:
    theirs, ours = pair()
    one, two = torch.optim.SGD(theirs, lr=0.1), SGD(ours, lr=0.1)
    left = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=2)
    right = GradScaler("cpu", init_scale=1024.0, growth_interval=2)
    for number in range(6):
        factor = np.float32(np.inf if number == 1 else left.get_scale())
        for p, q in zip(theirs[:2], ours[:2], strict=True):
            values = np.full(p.shape, 0.5, np.float32) * factor
            p.grad, q.grad = torch.tensor(values), ms.Tensor(values)
        for scaler, optimizer in ((left, one), (right, two)):
            scaler.scale(torch.ones(()) if scaler is left else ms.Tensor(1.0))
            scaler.unscale_(optimizer)
            scaler.step(optimizer)
            scaler.update()
        assert right.get_scale() == left.get_scale()
        assert right.state_dict() == left.state_dict()
        for p, q in zip(theirs, ours, strict=True):
            np.testing.assert_allclose(q.asnumpy(), p.detach().numpy(), rtol=1e-6)


def test_autocast_changes_nothing() -> None:
    with autocast("cpu", ms.bfloat16):
        assert (ms.ops.ones((2, 2)) @ ms.ops.ones((2, 2))).dtype == ms.float32


def test_gradients_by_hand_leave_grad_alone() -> None:
    _, ours = pair()
    optimizer = Adam(ours, lr=0.1)
    kept, before = ours[0].grad.asnumpy(), ours[2].asnumpy().copy()
    optimizer((None, None, ms.ops.ones((2,))))
    assert (ours[0].grad.asnumpy() == kept).all() and ours[2].grad is None  # where the tape is on, grad is a new object each time
    np.testing.assert_allclose(ours[2].asnumpy(), before - 0.1, rtol=1e-5)
    optimizer.zero_grad()
    assert all(p.grad is None for p in optimizer.parameters)


def test_what_torch_refuses_is_refused() -> None:
    _, ours = pair()
    with pytest.raises(ValueError, match="more than one"):
        SGD([{"params": ours}, {"params": ours[:1]}], lr=0.1)
    with pytest.raises(ValueError, match="lr"):
        SGD(ours, lr=-1.0)
    with pytest.raises(TypeError, match="Parameters"):
        SGD([ms.Tensor(1.0)], lr=0.1)


@pytest.mark.parametrize("options", [{"weight_decay": 0.1}, {"weight_decay": 0.1, "momentum": 0.9}])
def test_frozen_parameters_stay_as_they_are(options: dict[str, float]) -> None:
    """torch gives a frozen parameter no gradient; MindSpore hands zeros to the optimizer, and neither decay nor momentum may act."""
    _, ours = pair()
    ours[0].requires_grad = False
    before = [p.asnumpy().copy() for p in ours]
    SGD(ours, lr=0.5, **options)([ms.ops.zeros_like(p) for p in ours])
    np.testing.assert_array_equal(ours[0].asnumpy(), before[0])
    assert not np.array_equal(ours[1].asnumpy(), before[1])


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "complex64"])
def test_gradients_that_share_memory_come_apart(dtype: str) -> None:
    """One gradient for two parameters, and a transposed one: each can be changed in place, and the others stay."""
    numbers = np.arange(6.0).reshape(2, 3)
    shared = ms.Tensor(numbers.astype(np.float32)).astype(getattr(ms, dtype))
    first, second, turned = apart([shared, shared, ms.Tensor(numbers.astype(np.float32)).astype(getattr(ms, dtype)).T])
    for changed in (second, turned):
        assert changed.is_contiguous()
        changed.copy_(ms.ops.zeros_like(changed))
    assert first is shared
    assert np.array_equal(first.astype(ms.float32).asnumpy(), numbers)
    assert not second.astype(ms.float32).asnumpy().any()
    assert not turned.astype(ms.float32).asnumpy().any()
