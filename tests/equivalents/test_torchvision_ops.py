"""torchvision's compiled operators, against loops over scalars that follow its definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks

DRAWN = np.random.default_rng(0)
PICTURES = DRAWN.normal(size=(2, 2, 10, 13)).astype(np.float32)
#: Boxes within, across and wholly beyond the border, and one of hardly any size.
BOXES = np.array(
    [[0, 8, 16, 60, 70], [1, -30, -20, 40, 30], [0, 70, 50, 200, 150], [1, 300, 300, 400, 400], [0, 20, 20, 20.5, 20.5]],
    np.float32,
)  # fmt: skip


def _read(plane: np.ndarray, y: float, x: float) -> float:
    """A bilinear sample; zero where it lies more than one beyond the border."""
    height, width = plane.shape
    if y < -1 or y > height or x < -1 or x > width:
        return 0.0
    y, x = min(max(y, 0), height - 1), min(max(x, 0), width - 1)
    top, left = min(int(y), height - 1), min(int(x), width - 1)
    low, right = min(top + 1, height - 1), min(left + 1, width - 1)
    v, u = y - top, x - left
    return float(
        (1 - v) * (1 - u) * plane[top, left] + (1 - v) * u * plane[top, right]
        + v * (1 - u) * plane[low, left] + v * u * plane[low, right]
    )  # fmt: skip


def _aligned(scale: float, rows: int, columns: int, ratio: int, aligned: bool) -> np.ndarray:
    found = np.zeros((len(BOXES), PICTURES.shape[1], rows, columns))
    for number, (image, *box) in enumerate(BOXES.tolist()):
        x1, y1, x2, y2 = (value * scale - (0.5 if aligned else 0) for value in box)
        wide, high = x2 - x1, y2 - y1
        if not aligned:
            wide, high = max(wide, 1), max(high, 1)
        down = ratio if ratio > 0 else math.ceil(high / rows)
        across = ratio if ratio > 0 else math.ceil(wide / columns)
        for channel, row, column in np.ndindex(*found.shape[1:]):
            samples = [
                _read(PICTURES[int(image), channel], y1 + (row + (i + 0.5) / down) * high / rows,
                      x1 + (column + (j + 0.5) / across) * wide / columns)
                for i in range(down) for j in range(across)
            ]  # fmt: skip
            found[number, channel, row, column] = sum(samples) / max(len(samples), 1)
    return found


@pytest.mark.parametrize("ratio", [2, -1])
@pytest.mark.parametrize("aligned", [True, False])
def test_roi_align_is_the_mean_of_bilinear_samples(ratio: int, aligned: bool) -> None:
    from mindspore import Tensor

    from mindport.equivalents.torchvision_ops import roi_align

    found = roi_align(Tensor(PICTURES), Tensor(BOXES), 0.125, 3, 4, ratio, aligned).asnumpy()
    np.testing.assert_allclose(found, _aligned(0.125, 3, 4, ratio, aligned), atol=1e-5)


def test_roi_pool_is_the_maximum_over_rounded_bins() -> None:
    from mindspore import Tensor

    from mindport.equivalents.torchvision_ops import roi_pool

    found = roi_pool(Tensor(PICTURES), Tensor(BOXES), 0.125, 2, 2)[0].asnumpy()
    # The first box is columns 1..8, rows 2..9; the box beyond the border has empty bins.
    plane = PICTURES[0, :, 2:10, 1:9]
    np.testing.assert_array_equal(found[0, :, 0, 0], plane[:, :4, :4].max((1, 2)))
    np.testing.assert_array_equal(found[0, :, 1, 1], plane[:, 4:, 4:].max((1, 2)))
    assert not found[3].any()


def test_nms_keeps_the_best_and_the_earlier_of_equals() -> None:
    import mindspore as ms
    from mindspore import Tensor

    from mindport.equivalents.torchvision_ops import nms

    boxes = np.array([[0, 0, 10, 10], [0, 0, 10, 9], [20, 20, 30, 30], [0, 0, 10, 10], [0, 5, 10, 15]], np.float32)
    scores = np.array([0.8, 0.9, 0.1, 0.9, 0.7], np.float32)
    kept = nms(Tensor(boxes), Tensor(scores), 0.5)
    assert kept.dtype == ms.int64
    assert kept.asnumpy().tolist() == [1, 4, 2]
    # Exactly at the threshold a box stays: boxes 0 and 4 share a third of their union.
    assert nms(Tensor(boxes[[0, 4]]), Tensor(scores[[0, 4]]), 1 / 3 + 1e-3).asnumpy().tolist() == [0, 1]
    assert nms(Tensor(boxes[[0, 4]]), Tensor(scores[[0, 4]]), 1 / 3 - 1e-3).asnumpy().tolist() == [0]
