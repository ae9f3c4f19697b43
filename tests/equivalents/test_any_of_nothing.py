"""`any` over no elements is False: MindSpore's kernel leaves the result unwritten."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
ms = pytest.importorskip("mindspore", reason="this file runs MindSpore")

from mindport.equivalents.reduction import tensor_any, torch_any  # noqa: E402


@pytest.mark.parametrize("dtype", [np.bool_, np.float32, np.int64])
def test_nothing_is_not_any(dtype: type) -> None:
    for _ in range(3):
        used = [ms.Tensor(np.ones(3, np.bool_)).logical_or(ms.Tensor(np.ones(3, np.bool_))) for _ in range(20)]
        assert all(bool(one.all()) for one in used)
        del used  # memory that held True
        nothing = ms.Tensor(np.zeros((0, 3), dtype))
        assert not bool(torch_any(nothing)) and not bool(tensor_any(nothing[:, 0]))
        assert torch_any(nothing, 0).tolist() == [False] * 3
        assert tensor_any(nothing, 0, keepdim=True).tolist() == [[False] * 3]


def test_of_numbers() -> None:
    assert bool(torch_any(ms.Tensor([0, 256]))) and not bool(torch_any(ms.Tensor([0.0, 0.0])))
    assert tensor_any(ms.Tensor([[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]]), 1).tolist() == [True, False]
