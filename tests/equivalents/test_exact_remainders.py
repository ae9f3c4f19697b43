"""Remainders of large numbers, and quantiles of thin tails, where MindSpore's own functions lose all digits."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.frameworks


@pytest.mark.parametrize("scale", [1.0, 1e3, 1e5, 1e8])
@pytest.mark.parametrize("name", ["remainder", "fmod"])
def test_remainders_are_torchs(name: str, scale: float) -> None:
    import mindspore as ms
    import numpy as np
    import torch

    from mindport.equivalents import arithmetic, inplace

    drawn = np.random.RandomState(3)
    above, below = (drawn.randn(200) * scale).astype(np.float32), np.where(drawn.rand(200) < 0.5, -2.5, np.float32(2 * np.pi)).astype(np.float32)
    expected = getattr(torch, name)(torch.tensor(above), torch.tensor(below)).numpy()
    ours = getattr(arithmetic, name)(ms.Tensor(above), ms.Tensor(below)), getattr(inplace, f"{name}_")(ms.Tensor(above), ms.Tensor(below))
    for made in ours:
        np.testing.assert_array_equal(made.asnumpy(), expected)
    number = getattr(arithmetic, name)(ms.Tensor(above), 2.5)
    np.testing.assert_array_equal(number.asnumpy(), getattr(torch, name)(torch.tensor(above), 2.5).numpy())


def test_quantiles_of_thin_tails() -> None:
    import mindspore as ms
    import numpy as np
    import torch

    from mindport.equivalents.probability_functions import ndtri

    areas = np.array([0, 1e-38, 1e-20, 2.9e-8, 1e-6, 1e-3, 0.0242, 0.0243, 0.4, 0.98, 0.9999999, 1], np.float32)
    np.testing.assert_allclose(ndtri(ms.Tensor(areas)).asnumpy(), torch.special.ndtri(torch.tensor(areas)).numpy(), rtol=1e-6)
