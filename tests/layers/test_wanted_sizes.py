"""Transposed convolutions that are told the size of their output when they are called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="compares with torch")
ms = pytest.importorskip("mindspore", reason="runs MindSpore")

from mindport.layers.transposed_convolution import ConvTranspose1d, ConvTranspose2d  # noqa: E402

pytestmark = pytest.mark.frameworks

ROWS: list[tuple[dict[str, Any], tuple[int, ...], tuple[int, ...]]] = [
    ({"stride": 2, "padding": 1}, (2, 4, 5, 4), (10, 8)),
    ({"stride": 2, "padding": 1}, (2, 4, 5, 4), (9, 7)),
    ({"stride": 2, "padding": 1, "output_padding": 1}, (2, 4, 5, 4), (2, 3, 9, 8)),
    ({"stride": (3, 2), "padding": (0, 1), "output_padding": (2, 0), "groups": 2, "bias": False}, (2, 4, 5, 4), (16, 8)),
    ({"stride": 2, "dilation": 2}, (4, 5, 4), (3, 13, 12)),
    ({"stride": 3, "padding": 1}, (2, 4, 5), (14,)),
    ({"stride": 3, "padding": (1,), "output_padding": 1, "bias": False}, (4, 5), (3, 13)),
]


@pytest.mark.parametrize(("options", "shape", "size"), ROWS)
def test_the_size_is_met(options: dict[str, Any], shape: tuple[int, ...], size: tuple[int, ...]) -> None:
    kinds = (torch.nn.ConvTranspose2d, ConvTranspose2d) if len(size) > 1 and shape[-1] == 4 else (torch.nn.ConvTranspose1d, ConvTranspose1d)
    channels = (4, 6 if options.get("groups") else 3, 3)
    theirs, ours = (kind(*channels, **options) for kind in kinds)
    rng = np.random.default_rng(3)
    x = rng.standard_normal(shape).astype(np.float32)
    for one, other in zip(theirs.parameters(), ours.get_parameters(), strict=True):
        values = rng.standard_normal(one.shape).astype(np.float32)
        one.data.copy_(torch.from_numpy(values))
        other.set_data(ms.Tensor(values.reshape(other.shape)))
    expected = theirs(torch.from_numpy(x), output_size=list(size))
    np.testing.assert_allclose(ours(ms.Tensor(x), size).asnumpy(), expected.detach().numpy(), rtol=1e-4, atol=1e-5)
    with pytest.raises(ValueError, match="is not within"):
        ours(ms.Tensor(x), (99,) * len(size))
