"""Padding inside compiled functions, where the widths are looked at first."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="compares with torch")
ms = pytest.importorskip("mindspore", reason="runs MindSpore")

from mindport.equivalents import padding  # noqa: E402
from mindport.evidence.vendored_copy import as_vendored  # noqa: E402


@pytest.mark.parametrize("widths", [(1, 2), (0, 0, 1, 0), (2, -1)])
@pytest.mark.parametrize("compiled", [False, True])
def test_the_values_are_torchs(widths: tuple[int, ...], compiled: bool) -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)

    pad = as_vendored(padding.pad)

    def padded(t):
        return pad(t, widths, value=0.5)

    function = ms.jit(padded) if compiled else padded
    expected = torch.nn.functional.pad(torch.from_numpy(x), widths, value=0.5).numpy()
    for _ in range(2):
        np.testing.assert_array_equal(function(ms.Tensor(x)).asnumpy(), expected)
