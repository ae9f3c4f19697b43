"""Negative widths of a border crop, in every call: MindSpore's own padding left memory unwritten from the second call on."""

from __future__ import annotations

import numpy as np
import pytest

WIDTHS = [(-1, 0), (0, -1, 1, 1), (2, -1), (1, 1, -1, -1, 1, -1), (-1, -1)]


@pytest.mark.frameworks
@pytest.mark.parametrize("widths", WIDTHS)
def test_every_call_gives_torchs_values(widths: tuple[int, ...]) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.padding import constant_pad_nd, pad

    x = np.random.default_rng(0).standard_normal((2, 3, 4, 5)).astype(np.float32)
    for turn in range(4):
        expected = torch.nn.functional.pad(torch.from_numpy(x + turn), widths, value=0.5).numpy()
        given = ms.Tensor(x + turn)
        np.testing.assert_array_equal(pad(given, widths, value=0.5).asnumpy(), expected)
        np.testing.assert_array_equal(constant_pad_nd(given, widths, 0.5).asnumpy(), expected)
