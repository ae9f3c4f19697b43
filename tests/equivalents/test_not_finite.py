"""`nan_to_num` of every dtype that holds what is not finite, beside torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128", "int64", "bool"])
@pytest.mark.parametrize("given", [{}, {"nan": 1.5, "posinf": 7.25, "neginf": -8.5}, {"nan": None, "posinf": 3.0}])
def test_of_every_dtype(dtype: str, given: dict[str, Any]) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.pointwise import nan_to_num

    values = [[NAN, INF], [-INF, 2.5]] if dtype.startswith("float") else [[complex(NAN, 1), complex(1, INF)], [complex(-INF, NAN), 2 + 3j]] if dtype.startswith("complex") else [[0, 1], [2, 3]]
    array = np.array(values).astype(dtype)
    expected = torch.nan_to_num(torch.tensor(array), **given).numpy()
    made = nan_to_num(ms.Tensor(array), **given).asnumpy()
    assert made.dtype == expected.dtype and made.tolist() == expected.tolist()
