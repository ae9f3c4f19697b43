"""Values that are put at one place: torch's CPU keeps the last, where MindSpore's threads keep any."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.frameworks


def test_the_last_of_several_values_is_kept() -> None:
    import mindspore as ms
    import numpy as np
    import torch

    from mindport.equivalents.indexing import scatter
    from mindport.equivalents.inplace_indexing import scatter_

    rng = np.random.RandomState(0)
    for _ in range(60):
        index, values = rng.randint(0, 4, size=(8, 2)), rng.randn(8, 2).astype(np.float32)
        kept = np.zeros((5, 2), np.float32)
        for axis, start in ((0, kept), (1, kept.T[:, :4].copy())):
            here, given = (index, values) if axis == 0 else (index.T, values.T)
            expected = torch.from_numpy(start).scatter(axis, torch.from_numpy(here.copy()), torch.from_numpy(given.copy())).numpy()
            assert np.array_equal(scatter(ms.Tensor(start), axis, ms.Tensor(here.copy()), ms.Tensor(given.copy())).asnumpy(), expected)
            changed = ms.Tensor(start)
            scatter_(changed, axis, ms.Tensor(here.copy()), ms.Tensor(given.copy()))
            assert np.array_equal(changed.asnumpy(), expected)
