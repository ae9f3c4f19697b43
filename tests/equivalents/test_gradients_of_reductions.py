"""Gradients that MindSpore's operators get wrong without an error: factors that meet at one place, and shifts that are taken again."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="compares with torch")
ms = pytest.importorskip("mindspore", reason="runs MindSpore")

from mindport.equivalents import fourier, indexing, scatter_reduction  # noqa: E402


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("zeros", [0, 1, 2])
def test_products_of_what_meets(include_self: bool, zeros: int) -> None:
    drawn = np.random.RandomState(zeros)
    x, factors, weights = drawn.randn(3, 4), drawn.randn(3, 5), drawn.randn(3, 4)
    x[1, :zeros] = 0
    factors[2, :zeros] = 0
    index = np.array([[0, 1, 1, 3, 1], [2, 2, 2, 2, 0], [1, 1, 3, 0, 1]])
    theirs = [torch.tensor(x, requires_grad=True), torch.tensor(factors, requires_grad=True)]
    product = theirs[0].scatter_reduce(1, torch.tensor(index), theirs[1], "prod", include_self=include_self)
    (product * torch.tensor(weights)).sum().backward()

    def loss(x: ms.Tensor, factors: ms.Tensor) -> ms.Tensor:
        found = scatter_reduction.scatter_reduce(x, 1, ms.Tensor(index), factors, "prod", include_self=include_self)
        return (found * ms.Tensor(weights)).sum()

    ours = ms.grad(loss, (0, 1))(ms.Tensor(x), ms.Tensor(factors))
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.grad.numpy(), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
def test_a_shift_over_all_axes_is_right_again(name: str) -> None:
    for seed in range(3):
        x = np.random.RandomState(seed).randn(5, 6).astype(np.float32)
        there = torch.tensor(x, requires_grad=True)
        (getattr(torch.fft, name)(there) ** 3).sum().backward()
        found = ms.grad(lambda x: (getattr(fourier, name)(x) ** 3).sum())(ms.Tensor(x))
        np.testing.assert_allclose(found.asnumpy(), there.grad.numpy(), rtol=1e-4, atol=1e-5)


def test_a_parameter_that_something_is_put_into_keeps_its_gradient() -> None:
    weight = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="weight")

    def loss() -> ms.Tensor:
        return (indexing.index_put(weight, (ms.Tensor([0]),), ms.Tensor([5.0])) ** 2).sum()

    (found,) = ms.grad(loss, None, [weight])()
    assert found.asnumpy().tolist() == [0.0, 4.0, 6.0]
