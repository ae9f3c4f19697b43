"""What a tolerance cannot see: the next number, and norms of float64 by singular values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks


def test_the_next_number_is_another_one() -> None:
    import mindspore as ms

    from mindport.equivalents.arithmetic import nextafter

    one, other = np.float32([1, 2, -1]), np.float32([2, 1, 0])
    found = nextafter(ms.Tensor(one), ms.Tensor(other)).asnumpy()
    assert found.dtype == np.float32
    assert found.tolist() == np.nextafter(one, other).tolist()


@pytest.mark.parametrize("order", [2, -2, "nuc"])
@pytest.mark.parametrize("options", [{}, {"dim": (0, 2)}, {"dim": (2, 0), "keepdim": True}])
def test_norms_of_float64(order: Any, options: dict[str, Any]) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.matrix import linalg_norm, matrix_norm

    given = np.random.default_rng(1).standard_normal((3, 4, 5) if options else (3, 4))
    expected = torch.linalg.matrix_norm(torch.from_numpy(given), order, **options).numpy()
    for norm in (matrix_norm, linalg_norm):
        found = norm(ms.Tensor(given), order, **options).asnumpy()
        assert found.dtype == np.float64
        assert found.shape == expected.shape
        np.testing.assert_allclose(found, expected, rtol=1e-9)
