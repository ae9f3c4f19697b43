"""Norms of windows that have none: roots of negative numbers are NaN, as in torch; windows of zeros have no gradient."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.frameworks


@pytest.mark.parametrize("power", [1.5, 2.0])
def test_values_and_gradients(power: float) -> None:
    import mindspore as ms
    import numpy as np
    import torch

    from mindport.equivalents.norm_pooling import lp_pool2d

    rows = np.zeros((1, 1, 2, 6), np.float32)
    rows[..., 2:4], rows[..., 4:] = [[1, 2], [3, 4]], [[-1, 2], [3, -4]]
    x = torch.tensor(rows, requires_grad=True)
    expected = torch.nn.functional.lp_pool2d(x, power, 2)
    np.testing.assert_allclose(lp_pool2d(ms.Tensor(rows), power, 2).asnumpy(), expected.detach().numpy(), rtol=1e-6)
    expected[..., :2].sum().backward()
    gradient = ms.grad(lambda x: lp_pool2d(x, power, 2)[..., :2].sum())(ms.Tensor(rows))
    np.testing.assert_allclose(gradient.asnumpy()[..., :4], x.grad.numpy()[..., :4], rtol=1e-5)
