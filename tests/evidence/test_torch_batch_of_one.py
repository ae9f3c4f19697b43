"""BatchNorm's gradient for one image, reshaped and permuted: MindSpore has the quotients' value, torch 2.13 on CPU has not."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.mark.frameworks
def test_mindspores_gradient_is_that_of_small_steps() -> None:
    import mindspore as ms
    import torch
    from mindspore import nn, ops

    random = np.random.default_rng(0)
    x, w = random.standard_normal((1, 4, 3, 2)), random.standard_normal((1, 6, 4))

    def loss(at: np.ndarray) -> float:
        y = torch.nn.BatchNorm2d(4).double()(torch.from_numpy(at))
        return float((y.reshape(1, 4, 6).permute(0, 2, 1) * torch.from_numpy(w)).sum())

    quotients = np.empty_like(x)
    for place in np.ndindex(*x.shape):
        step = np.zeros_like(x)
        step[place] = 1e-5
        quotients[place] = (loss(x + step) - loss(x - step)) / 2e-5

    bn = nn.BatchNorm2d(4).set_train()
    weight = ms.Tensor(w, ms.float32)
    found = ms.grad(lambda t: (ops.permute(ops.reshape(bn(t), (1, 4, 6)), (0, 2, 1)) * weight).sum())(ms.Tensor(x, ms.float32))
    np.testing.assert_allclose(found.asnumpy(), quotients, atol=1e-4)
