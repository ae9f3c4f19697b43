"""Rounding to tens and thousands: halves go to the even one, as they do where the power of ten is a float."""

from __future__ import annotations

import pytest
import torch
from mindspore import Tensor

from mindport.equivalents.pointwise import tensor_round, torch_round

VALUES = torch.tensor([1234.5, 5678.9, 500.0, 1500.0, 2500.0, -3500.0, 4500.0, 8500.0, 15.0, 25.0, 0.125, 0.375])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("decimals", [-3, -2, -1, 0, 2])
def test_rounded_as_torch_rounds(decimals: int, dtype: torch.dtype) -> None:
    values = VALUES.to(dtype)
    expected = torch.round(values, decimals=decimals).tolist()
    given = Tensor(values.numpy())
    assert torch_round(given, decimals=decimals).tolist() == tensor_round(given, decimals=decimals).tolist() == expected
