"""float16 over more classes than float16 counts, against torch."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks


@pytest.mark.parametrize("count", [65504, 66000, 300000])
def test_softmax_of_more_numbers_than_float16_counts(count: int) -> None:
    """MindSpore's kernel adds up in float16: the sum is infinite, and everything 0."""
    import mindspore as ms
    import torch

    from mindport.equivalents.softmax import torch_softmax

    expected = torch.softmax(torch.zeros(count, dtype=torch.float16), 0).numpy()
    found = torch_softmax(ms.Tensor(np.zeros(count, np.float16)), 0).asnumpy()
    assert found.dtype == np.float16
    np.testing.assert_allclose(found.astype(np.float32), expected.astype(np.float32), rtol=1e-2)
