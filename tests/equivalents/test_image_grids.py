"""Grids of images beside torchvision's own, number by number, and the files that they are written to."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.corpus.torchvision_wheel import folder

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from mindport.equivalents import image_grids  # noqa: E402

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def theirs() -> Any:
    """torchvision.utils, imported from its sources."""
    home = folder()
    if home is None:
        pytest.skip("torchvision's sources cannot be had here")
    sys.path.insert(0, str(home))
    kept = runpy.run_path(str(ROOT / "examples" / "torchvision_prelude.py"))
    import torchvision.utils

    yield torchvision.utils, kept
    sys.path.remove(str(home))


@pytest.mark.parametrize(
    ("shape", "arguments"),
    [
        ((5, 1, 4, 6), {}), ((7, 3, 4, 4), {"nrow": 3, "padding": 1, "pad_value": 0.5}), ((1, 3, 4, 4), {}), ((4, 5), {}), ((1, 4, 5), {}),
        ((3, 4, 5), {}), ((6, 3, 4, 4), {"normalize": True}), ((6, 1, 4, 4), {"normalize": True, "scale_each": True}),
        ((6, 3, 4, 4), {"normalize": True, "value_range": (-1, 1)}),
    ],
)  # fmt: skip
def test_grid_and_file_are_the_same(theirs: Any, tmp_path: Path, shape: tuple[int, ...], arguments: dict[str, Any]) -> None:
    images = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    expected = theirs[0].make_grid(torch.from_numpy(images), **arguments).numpy()
    np.testing.assert_allclose(image_grids.make_grid(ms.Tensor(images), **arguments).asnumpy(), expected, rtol=1e-6, atol=1e-6)
    theirs[0].save_image(torch.from_numpy(images), tmp_path / "theirs.png", **arguments)
    image_grids.save_image(ms.Tensor(images), tmp_path / "ours.png", **arguments)
    assert (tmp_path / "ours.png").read_bytes() == (tmp_path / "theirs.png").read_bytes()


def test_a_list_is_a_batch(theirs: Any) -> None:
    images = np.random.default_rng(0).random((3, 3, 4, 4), dtype=np.float32)
    expected = theirs[0].make_grid(list(torch.from_numpy(images))).numpy()
    np.testing.assert_array_equal(image_grids.make_grid(list(ms.Tensor(images))).asnumpy(), expected)
