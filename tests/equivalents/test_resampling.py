"""Every mode, size and factor of `interpolate`, the ones included that MindSpore's operator gets wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks

GEOMETRIES: list[dict[str, Any]] = [
    {"size": (11, 5)},
    {"size": (3, 4)},
    {"scale_factor": 1.3},
    {"scale_factor": (0.6, 2.7)},
    {"scale_factor": 1.3, "recompute_scale_factor": True},
    {"scale_factor": 2},
]
MODES: list[dict[str, Any]] = [
    {"mode": "nearest"},
    {"mode": "nearest-exact"},
    {"mode": "area"},
    *({"mode": mode, "align_corners": corners, "antialias": smooth}
      for mode in ("bilinear", "bicubic") for corners in (None, True) for smooth in (False, True)),
]  # fmt: skip


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_every_geometry_agrees_with_torch(mode: dict[str, Any]) -> None:
    import mindspore as ms
    import torch

    from mindport.equivalents.resampling import interpolate

    picture = np.random.default_rng(0).normal(size=(2, 3, 7, 9)).astype(np.float32)
    for geometry in GEOMETRIES:
        wanted = torch.nn.functional.interpolate(torch.tensor(picture), **geometry, **mode).numpy()
        found = interpolate(ms.Tensor(picture), **geometry, **mode).asnumpy()
        assert found.shape == wanted.shape, geometry
        np.testing.assert_allclose(found, wanted, atol=3e-6, rtol=1e-5, err_msg=str(geometry))
