"""Gradients of running products that meet zeros, of the first and of the second order."""

from __future__ import annotations

import mindspore as ms
import numpy as np
import pytest
import torch
from mindspore import ops

from mindport.equivalents.running_products import product_with_zeros

pytestmark = pytest.mark.frameworks
ZEROS = {"none": [], "first": [(0, 0)], "two in a row": [(0, 1), (0, 2)], "two apart": [(0, 0), (0, 3), (1, 4)], "last": [(2, 4)], "all": [(i, j) for i in range(3) for j in range(5)]}


def cumprod(x, dim):
    return product_with_zeros(ops.cumprod(x, dim), x, dim)


@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize("where", ZEROS.values(), ids=ZEROS.keys())
def test_gradients_behind_zeros(where: list[tuple[int, int]], dim: int) -> None:
    rng = np.random.RandomState(3)
    x, w = rng.randn(3, 5).astype("float32"), rng.randn(3, 5).astype("float32")
    for place in where:
        x[place] = 0
    theirs = torch.tensor(x, requires_grad=True)
    product = torch.cumprod(theirs, dim)
    (first,) = torch.autograd.grad((product * torch.tensor(w)).sum(), theirs, create_graph=True)
    (second,) = torch.autograd.grad(first.sin().sum(), theirs)
    weights = ms.tensor(w)

    def loss(a):
        return (cumprod(a, dim) * weights).sum()

    gradient = ms.grad(loss)

    def again(a):
        return ops.sin(gradient(a)).sum()

    np.testing.assert_allclose(cumprod(ms.tensor(x), dim).asnumpy(), product.detach().numpy(), rtol=1e-6)
    for found in (gradient(ms.tensor(x)), ms.jit(gradient)(ms.tensor(x))):
        np.testing.assert_allclose(found.asnumpy(), first.detach().numpy(), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(ms.jit(ms.grad(again))(ms.tensor(x)).asnumpy(), second.numpy(), rtol=1e-4, atol=1e-4)


def test_numbers_out_of_range_stay_those_of_the_product() -> None:
    x = ms.tensor(np.array([1e30, 1e30, 0.0, 1e-30], "float32"))
    np.testing.assert_array_equal(cumprod(x, 0).asnumpy(), ops.cumprod(x, 0).asnumpy())
