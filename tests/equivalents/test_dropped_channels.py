"""feature_alpha_dropout drops whole channels, as many as torch, and leaves the others as torch does."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = [pytest.mark.frameworks, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from mindport.equivalents.dropout import feature_alpha_dropout  # noqa: E402


@pytest.mark.parametrize("p", [0.2, 0.5, 0.8])
def test_whole_channels_go(p: float) -> None:
    torch.manual_seed(2)
    ms.set_seed(2)
    x = torch.randn(300, 200, 2)
    theirs = torch.nn.functional.feature_alpha_dropout(x, p, True).numpy()
    ours = feature_alpha_dropout(ms.Tensor(x.numpy()), p, True).asnumpy()
    scale = ((1 - p) * (1 + p * 1.7580993408473766**2)) ** -0.5
    dropped = [np.isclose(y, (p - 1) * 1.7580993408473766 * scale, atol=1e-5) for y in (theirs, ours)]
    assert (dropped[1][..., 0] == dropped[1][..., 1]).mean() > 0.9998
    assert abs(dropped[1][..., 0].mean() - p) < 5 * (p * (1 - p) / 60000) ** 0.5
    assert np.where(dropped[0] | dropped[1], 0, theirs - ours).__abs__().max() < 1e-5
