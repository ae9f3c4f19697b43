"""`topk` with sorted=False: the same elements in an order that torch leaves open."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.mark.frameworks
def test_the_same_elements() -> None:
    import torch
    from mindspore import Tensor

    from mindport.equivalents.sorting import topk

    x = np.random.default_rng(0).standard_normal((3, 50)).astype(np.float32)
    theirs, ours = torch.topk(torch.from_numpy(x), 8, sorted=False), topk(Tensor(x), 8, sorted=False)
    assert [set(row) for row in theirs.indices.tolist()] == [set(row) for row in ours.indices.asnumpy().tolist()]
    assert np.array_equal(np.take_along_axis(x, ours.indices.asnumpy(), 1), ours.values.asnumpy())
