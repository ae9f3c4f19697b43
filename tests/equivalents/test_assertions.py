"""assert_close beside torch's: what passes there passes here, what raises there raises here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
NUMBERS = np.array([1.0, 2.0, 3.0], np.float32)
PAIRS: list[tuple[Any, Any, dict[str, Any]]] = [
    (NUMBERS, NUMBERS + np.float32(1e-6), {}), (NUMBERS, NUMBERS + np.float32(1e-3), {}), (NUMBERS, NUMBERS.astype(np.float64), {}),
    (NUMBERS, NUMBERS.astype(np.float64), {"check_dtype": False}), (NUMBERS, NUMBERS[:2], {}), (NUMBERS, NUMBERS + 1, {"rtol": 0.0, "atol": 2.0}),
    ([NUMBERS, 1.0], [NUMBERS, 1.0 + 1e-9], {}), ({"a": NUMBERS}, {"b": NUMBERS}, {}), ({"a": NUMBERS}, {"a": NUMBERS * 2}, {}),
    (np.array([np.nan]), np.array([np.nan]), {}), (np.array([np.nan]), np.array([np.nan]), {"equal_nan": True}), (1, 2, {}), (3, 3, {}),
    (np.array([1, 2]), np.array([1, 3]), {}), ([NUMBERS], [NUMBERS, NUMBERS], {}), (NUMBERS, NUMBERS, {"rtol": 1e-3}),
]  # fmt: skip


def _outcome(function: Any, make: Any, pair: tuple[Any, Any, dict[str, Any]]) -> str:
    def of(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return make(value.copy())
        if isinstance(value, list):
            return [of(v) for v in value]
        return {k: of(v) for k, v in value.items()} if isinstance(value, dict) else value

    try:
        function(of(pair[0]), of(pair[1]), **pair[2])
    except (AssertionError, ValueError) as error:
        return type(error).__name__
    return ""


@pytest.mark.parametrize("pair", PAIRS, ids=map(str, range(len(PAIRS))))
def test_beside_torch(pair: tuple[Any, Any, dict[str, Any]]) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.assertions import assert_close

    assert _outcome(assert_close, ms.Tensor, pair) == _outcome(torch.testing.assert_close, torch.from_numpy, pair)
