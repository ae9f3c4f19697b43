"""Lazy transposed convolutions can be trained: their operators learn the number of channels with the first input."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="compares with torch")
ms = pytest.importorskip("mindspore", reason="runs MindSpore")

from mindport.layers import lazy  # noqa: E402


@pytest.mark.parametrize("shape", [(2, 4, 6), (2, 4, 6, 5), (2, 4, 3, 4, 5)])
def test_gradients_after_the_first_input(shape: tuple[int, ...]) -> None:
    axes = len(shape) - 2
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    layer = getattr(lazy, f"LazyConvTranspose{axes}d")(6, 3, padding=1)
    layer(ms.Tensor(x))
    weight, bias = (p.asnumpy() for p in layer.trainable_params())
    plain = getattr(torch.nn, f"ConvTranspose{axes}d")(4, 6, 3, padding=1)
    plain.weight.data, plain.bias.data = torch.from_numpy(weight.reshape(plain.weight.shape)), torch.from_numpy(bias)
    given = torch.from_numpy(x).requires_grad_()
    (plain(given) ** 2).sum().backward()
    of_input, (of_weight, of_bias) = ms.grad(lambda t: (layer(t) ** 2).sum(), 0, layer.trainable_params())(ms.Tensor(x))
    np.testing.assert_allclose(of_input.asnumpy(), given.grad.numpy(), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(of_weight.asnumpy().reshape(weight.reshape(plain.weight.shape).shape), plain.weight.grad.numpy(), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(of_bias.asnumpy(), plain.bias.grad.numpy(), rtol=1e-4, atol=1e-4)
