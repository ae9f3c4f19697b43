"""Masked extremes of whole numbers, and their places, beside torch's."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.frameworks


@pytest.mark.parametrize("name", ["amax", "amin", "argmax", "argmin"])
@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8"])
def test_whole_numbers(name: str, dtype: str) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents import masked_operations

    data, shown = [[3, 5, 0], [2, 1, 7]], [[True, False, True], [False, False, False]]
    expected = getattr(torch.masked, name)(torch.tensor(data, dtype=getattr(torch, dtype)), 1, mask=torch.tensor(shown))
    made = getattr(masked_operations, f"masked_{name}")(ms.Tensor(data, getattr(ms, dtype)), 1, mask=ms.Tensor(shown))
    rows = [0] if name.startswith("arg") else [0, 1]  # which place of nothing is said is nobody's promise
    assert [made.asnumpy().tolist()[r] for r in rows] == [expected.tolist()[r] for r in rows]
    assert str(made.dtype).lower() == dtype
