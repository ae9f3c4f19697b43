"""Gradients where formulas have corners: at zero vectors, equal elements, saturated probabilities, bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="compares with torch")
ms = pytest.importorskip("mindspore", reason="runs MindSpore")

from mindport.equivalents import (  # noqa: E402
    activation,
    arithmetic,
    bessel,
    complex_numbers,
    exponential,
    linalg,
    losses,
    matrix,
    multi_class_losses,
    order_statistics,
    pointwise,
    pooling,
    powers,
    softmax,
    spread,
)
from mindport.layers import activation as layers  # noqa: E402
from mindport.layers import classification_losses as loss_layers  # noqa: E402
from mindport.layers import pooling as pooling_layers  # noqa: E402

F = torch.nn.functional
ROWS = np.array([[0, 0, 0], [1, -2, 0.5], [0, 3, 0], [2, 2, 2]], np.float32)
OTHER = np.array([[0, 0, 0], [1, -2, 0.5], [1, 1, 0], [0, 0, 0]], np.float32)
PROBABILITIES = np.array([[0, 0, 1], [1, 0.5, 1], [0, 1, 0.25], [1, 1, 0]], np.float32)
TARGETS = np.array([[0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 0]], np.float32)

CASES: dict[str, tuple[Any, Any]] = {
    "normalize": (lambda x: F.normalize(x, dim=1), lambda x: softmax.normalize(x, dim=1)),
    "normalize, p=3": (lambda x: F.normalize(x, p=3, dim=1), lambda x: softmax.normalize(x, p=3, dim=1)),
    "normalize, p=inf": (lambda x: F.normalize(x, p=float("inf")), lambda x: softmax.normalize(x, p=float("inf"))),
    **{
        f"norm, p={p}, dim={dim}": (lambda x, p=p, dim=dim: torch.norm(x, p, dim), lambda x, p=p, dim=dim: matrix.norm(x, p, dim))
        for p in (1, 1.5, 2, 3, float("inf"), -float("inf")) for dim in (1, None, (0, 1))
    },
    "var": (lambda x: x.var(1), lambda x: spread.var(x, 1)),
    "var of all": (lambda x: x.var(), spread.var),
    "std": (lambda x: x.std(1), lambda x: spread.std(x, 1)),
    "std of numbers that are equal": (lambda x: (x * 0).std(), lambda x: spread.std(x * 0)),
    "std, not corrected": (lambda x: x.std((0, 1), unbiased=False, keepdim=True), lambda x: spread.std(x, (0, 1), False, True)),
    "leaky_relu": (lambda x: F.leaky_relu(x, 0.1), lambda x: activation.leaky_relu(x, 0.1)),
    "LeakyReLU": (torch.nn.LeakyReLU(), layers.LeakyReLU()),
    "selu": (F.selu, activation.selu), "SELU": (torch.nn.SELU(), layers.SELU()),
    "celu": (F.celu, activation.celu), "CELU": (torch.nn.CELU(0.5), layers.CELU(0.5)),
    "elu": (lambda x: F.elu(x, 0.7), lambda x: activation.elu(x, 0.7)), "ELU": (torch.nn.ELU(0.7), layers.ELU(0.7)),
    "hardtanh": (lambda x: F.hardtanh(x, 0, 1), lambda x: activation.hardtanh(x, 0, 1)),
    "Hardtanh": (torch.nn.Hardtanh(-2, 2), layers.Hardtanh(-2, 2)),
    "logaddexp": (
        lambda x: torch.logaddexp(x, torch.from_numpy(OTHER)), lambda x: arithmetic.logaddexp(x, ms.Tensor(OTHER)),
    ),
    "logaddexp2 of itself": (lambda x: torch.logaddexp2(x, x), lambda x: arithmetic.logaddexp2(x, x)),
    "adaptive_max_pool2d": (lambda x: F.adaptive_max_pool2d(x[None], (2, 1)), lambda x: pooling.adaptive_max_pool2d(x[None], (2, 1))),
    "adaptive_max_pool1d": (lambda x: F.adaptive_max_pool1d(x[None], 2), lambda x: pooling.adaptive_max_pool1d(x[None], 2)),
    "cdist": (lambda x: torch.cdist(x, x, p=1), lambda x: linalg.cdist(x, x, p=1)),
    "atan2 of the origin": (lambda x: torch.atan2(x, x * 0), lambda x: arithmetic.atan2(x, x * 0)),
    "polar of nothing": (lambda x: torch.polar(x, x + 1).real, lambda x: ms.ops.real(complex_numbers.polar(x, x + 1))),
    "i1": (torch.special.i1, bessel.i1), "erfinv": (lambda x: torch.erfinv(x / 4), lambda x: exponential.erfinv(x / 4)),
    "powers of 0 that are 0": (
        lambda x: torch.pow(x, torch.tensor([0.0, 1, 2])) + x.relu().pow(0) + torch.float_power(x, torch.arange(3)),
        lambda x: powers.torch_pow(x, ms.Tensor([0.0, 1, 2])) + powers.tensor_pow(ms.ops.relu(x), 0) + powers.float_power(x, ms.ops.arange(3)),
    ),
    "clamp_min and clamp_max of tensors": (
        lambda x: torch.clamp_min(x, x * 2 - x) + torch.clamp_max(x, torch.from_numpy(OTHER)),
        lambda x: pointwise.clamp_min(x, x * 2 - x) + pointwise.clamp_max(x, ms.Tensor(OTHER)),
    ),
    "logit": (lambda x: torch.logit(x / 4 + 0.5, 0.1), lambda x: exponential.logit(x / 4 + 0.5, 0.1)),
    "dist of equal tensors": (lambda x: torch.dist(x, x.detach()), lambda x: linalg.dist(x, ms.ops.stop_gradient(x))),
    "cdist, p=0.5": (lambda x: torch.cdist(x, torch.from_numpy(OTHER), 0.5), lambda x: linalg.cdist(x, ms.Tensor(OTHER), 0.5)),
    "nanmedian of ties": (torch.nanmedian, order_statistics.nanmedian),
    "multilabel_soft_margin_loss": (
        lambda x: F.multilabel_soft_margin_loss(x, torch.from_numpy(TARGETS[:, :3])), lambda x: multi_class_losses.multilabel_soft_margin_loss(x, ms.Tensor(TARGETS[:, :3])),
    ),
    "triplet_margin_loss of distances that are equal": (
        lambda x: F.triplet_margin_loss(x, x * 0.5, x * 0.5, swap=True, reduction="none"), lambda x: losses.triplet_margin_loss(x, x * 0.5, x * 0.5, swap=True, reduction="none"),
    ),
    "LPPool1d of zeros": (lambda x: torch.nn.LPPool1d(2, 2)(x.relu()[None]), lambda x: pooling_layers.LPPool1d(2, 2)(ms.ops.relu(x)[None])),
    "BCELoss of probabilities that are right": (
        lambda x: torch.nn.BCELoss()((x > 0).float() + x - x.detach(), torch.from_numpy((ROWS > 0).astype(np.float32))),
        lambda x: loss_layers.BCELoss()((x > 0).astype(ms.float32) + x - ms.ops.stop_gradient(x), ms.Tensor((ROWS > 0).astype(np.float32))),
    ),
    "binary_cross_entropy of a saturated sigmoid": (
        lambda x: F.binary_cross_entropy(torch.sigmoid(200 * x), torch.from_numpy(TARGETS)),
        lambda x: losses.binary_cross_entropy(ms.ops.sigmoid(200 * x), ms.Tensor(TARGETS)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_gradient_is_torchs(name: str) -> None:
    theirs, ours = CASES[name]
    x = torch.from_numpy(ROWS.copy()).requires_grad_(True)
    y = theirs(x)
    weights = np.arange(1, y.numel() + 1, dtype=np.float32).reshape(tuple(y.shape))
    (y * torch.from_numpy(weights)).sum().backward()
    found, gradient = ms.value_and_grad(lambda x: (ours(x) * ms.Tensor(weights)).sum())(ms.Tensor(ROWS))
    np.testing.assert_allclose(found.asnumpy(), (y.detach().numpy() * weights).sum(), rtol=1e-5)
    np.testing.assert_allclose(gradient.asnumpy(), x.grad.numpy(), rtol=1e-5, atol=1e-6)


def test_saturated_losses_have_values() -> None:
    found = losses.binary_cross_entropy(ms.Tensor(PROBABILITIES), ms.Tensor(TARGETS), reduction="none")
    expected = F.binary_cross_entropy(torch.from_numpy(PROBABILITIES), torch.from_numpy(TARGETS), reduction="none")
    np.testing.assert_allclose(found.asnumpy(), expected.numpy(), rtol=1e-6)


def test_the_gradient_of_logit_leaves_the_process_alive() -> None:
    """MindSpore's kernel of it writes where it should not: the process died at the second or third call."""
    x = np.linspace(0.01, 0.99, 200, dtype=np.float32)
    for _ in range(12):
        gradient = ms.grad(lambda x: exponential.logit(x).sum())(ms.Tensor(x))
        np.testing.assert_allclose(gradient.asnumpy(), 1 / (x * (1 - x)), rtol=1e-4)


def test_the_mean_slope_of_rrelu_begins_at_zero() -> None:
    """`ops.leaky_relu` has the mean of both slopes there."""
    at = torch.tensor([-1.0, 0.0, 1.0], requires_grad=True)
    F.rrelu(at).sum().backward()
    for function in (activation.rrelu, layers.RReLU().set_train(False)):
        np.testing.assert_allclose(ms.grad(lambda x: function(x).sum())(ms.Tensor([-1.0, 0.0, 1.0])).asnumpy(), at.grad.numpy(), rtol=1e-6)  # noqa: B023
