"""`Tensor.unfold` against NumPy's sliding windows."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks


@pytest.mark.parametrize(("axis", "size", "step"), [(0, 2, 1), (1, 3, 2), (-1, 4, 4), (2, 1, 3), (-2, 5, 1)])
def test_windows_stand_where_torch_puts_them(axis: int, size: int, step: int) -> None:
    import mindspore as ms

    from mindport.equivalents.sliding_windows import unfold

    x = np.arange(3 * 5 * 8, dtype=np.float32).reshape(3, 5, 8)
    every = np.lib.stride_tricks.sliding_window_view(x, size, axis)
    expected = np.take(every, range(0, every.shape[axis % 3], step), axis % 3)
    found = unfold(ms.Tensor(x), axis, size, step).asnumpy()
    assert found.shape == expected.shape and (found == expected).all()


def test_windows_that_do_not_fit_are_an_error() -> None:
    import mindspore as ms

    from mindport.equivalents.sliding_windows import unfold

    with pytest.raises(ValueError):
        unfold(ms.Tensor(np.zeros((3, 4), np.float32)), 1, 5, 1)
