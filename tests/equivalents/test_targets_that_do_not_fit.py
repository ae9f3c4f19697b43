"""CTC where a target does not fit into its row's steps: MindSpore's kernel ended the process, or gave infinity where 0 was asked for."""

from __future__ import annotations

import numpy as np
import pytest

LOGITS = np.random.RandomState(0).randn(4, 3, 5).astype(np.float32)
TARGETS = np.array([[1, 2, 3, 1, 2], [1, 1, 1, 0, 0], [1, 2, 0, 0, 0]])  # too long; too long by its repetitions; one that fits
TIMES, SIZES = np.array([3, 4, 4]), np.array([5, 3, 2])


@pytest.mark.frameworks
@pytest.mark.parametrize("zero", [True, False])
@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_values_and_gradients(zero: bool, reduction: str) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.multi_class_losses import ctc_loss
    from mindport.layers.classification_losses import CTCLoss

    probabilities = torch.tensor(LOGITS).log_softmax(-1)
    given = [torch.tensor(a) for a in (TARGETS, TIMES, SIZES)]
    expected = torch.nn.functional.ctc_loss(probabilities, *given, reduction=reduction, zero_infinity=zero)
    ours = ms.Tensor(probabilities.numpy())
    taken = [ms.Tensor(a) for a in (TARGETS, TIMES, SIZES)]
    for loss in (ctc_loss(ours, *taken, reduction=reduction, zero_infinity=zero), CTCLoss(reduction=reduction, zero_infinity=zero)(ours, *taken)):
        np.testing.assert_allclose(loss.asnumpy(), expected.numpy(), rtol=1e-5)
    wanted = probabilities.requires_grad_()
    torch.nn.functional.ctc_loss(wanted, *given, reduction="sum", zero_infinity=zero).backward()
    assert wanted.grad is not None
    gradient = ms.grad(lambda p: ctc_loss(p, *taken, reduction="sum", zero_infinity=zero))(ours).asnumpy()
    finite = np.isfinite(wanted.grad.numpy()).all(axis=(0, 2))
    assert (np.isfinite(gradient).all(axis=(0, 2)) == finite).all()
    np.testing.assert_allclose(gradient[:, finite], wanted.grad.numpy()[:, finite], rtol=1e-4, atol=1e-6)
