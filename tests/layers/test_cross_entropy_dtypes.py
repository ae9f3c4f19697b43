"""Cross entropy of float16, and of probabilities in float64, against torch."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_float16_is_added_up_in_float32(reduction: str) -> None:
    """As torch's own float32 gives it: torch's float16 rounds the sum of a few classes (docs/differences/whole-range.md), MindSpore's gave 0 and NaN."""
    import mindspore as ms
    import torch

    from mindport.layers.classification_losses import CrossEntropyLoss

    for logits, target in (
        (np.array([-4.4297, 18.078, 11.969], np.float16), np.array(1)),
        ((np.random.default_rng(3).normal(size=(2, 5000)) * 3).astype(np.float16), np.array([0, 4999])),
    ):
        expected = torch.nn.CrossEntropyLoss(reduction=reduction)(torch.tensor(logits).float(), torch.tensor(target)).numpy()
        found = CrossEntropyLoss(reduction=reduction)(ms.Tensor(logits), ms.Tensor(target)).asnumpy()
        assert found.dtype == np.float16
        np.testing.assert_allclose(found.astype(np.float32), expected.astype(np.float32), rtol=2e-3)


@pytest.mark.parametrize(("reduction", "shape"), list(itertools.product(["mean", "sum", "none"], [(3,), (4, 3), (2, 3, 5)])))
@pytest.mark.parametrize(("smoothing", "weighted"), [(0.0, False), (0.1, True)])
def test_probabilities_in_float64(reduction: str, shape: tuple[int, ...], smoothing: float, weighted: bool) -> None:
    """MindSpore takes them for class numbers, and raises."""
    import mindspore as ms
    import torch

    from mindport.layers.classification_losses import CrossEntropyLoss

    drawn = np.random.default_rng(5)
    logits = drawn.normal(size=shape)
    target = np.abs(drawn.normal(size=shape))
    target /= target.sum(0 if len(shape) == 1 else 1, keepdims=True)
    weight = np.array([0.5, 1.0, 2.0]) if weighted else None
    x = torch.tensor(logits, requires_grad=True)
    theirs = torch.nn.CrossEntropyLoss(None if weight is None else torch.tensor(weight), reduction=reduction, label_smoothing=smoothing)
    expected = theirs(x, torch.tensor(target))
    expected.sum().backward()
    ours = CrossEntropyLoss(None if weight is None else ms.Tensor(weight), reduction=reduction, label_smoothing=smoothing)
    found = ours(ms.Tensor(logits), ms.Tensor(target))
    gradient = ms.grad(lambda value: ours(value, ms.Tensor(target)).sum())(ms.Tensor(logits))
    assert found.dtype == ms.float64
    np.testing.assert_allclose(found.asnumpy(), expected.detach().numpy(), rtol=1e-10)
    np.testing.assert_allclose(gradient.asnumpy(), x.grad.numpy(), rtol=1e-9, atol=1e-12)
