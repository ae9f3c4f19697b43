"""Ranges of whole numbers between numbers with fractions, and of truth values, beside torch's."""

from __future__ import annotations

import itertools

import pytest

pytestmark = pytest.mark.frameworks

STARTS, ENDS, STEPS = (2.1, -1.5, 0.0, 3, 0.9), (2.5, -2.9, 7.999, 5, 0.5), (1.0, -1.0, 1.7, -2.2, 2)


@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8"])
def test_whole_numbers_between_fractions(dtype: str) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.ranges import arange_from

    compared = 0
    for start, end, step in itertools.product(STARTS, ENDS, STEPS):
        try:
            expected = torch.arange(start, end, step, dtype=getattr(torch, dtype))
        except RuntimeError:
            continue
        made = arange_from(start, end, step, dtype=getattr(ms, dtype))
        assert made.asnumpy().tolist() == expected.tolist(), (start, end, step)
        compared += 1
    assert compared > 50


def test_half_of_a_number() -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.ranges import arange

    assert arange(5 / 2, dtype=ms.int64).asnumpy().tolist() == torch.arange(5 / 2, dtype=torch.int64).tolist() == [0, 1]


def test_truth_values() -> None:
    import torch

    from mindport.equivalents.ranges import arange_from

    made = arange_from(False, True, True)
    assert made.asnumpy().tolist() == torch.arange(False, True, True).tolist()
    assert str(made.dtype) == "Int64"
