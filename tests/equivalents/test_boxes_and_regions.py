"""torchvision's functions on boxes and its deformable convolution, against loops over scalars that follow their definitions."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks

DRAWN = np.random.default_rng(0)


def _boxes(count: int) -> np.ndarray:
    low = DRAWN.uniform(0, 20, (count, 2))
    return np.concatenate([low, low + DRAWN.uniform(1, 15, (count, 2))], 1).astype(np.float32)


def _overlap(a: np.ndarray, b: np.ndarray) -> float:
    sides = np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2])
    shared = float(np.prod(np.maximum(sides, 0)))
    return shared / float(np.prod(a[2:] - a[:2]) + np.prod(b[2:] - b[:2]) - shared)


@pytest.mark.parametrize("count", [40, 1100])
def test_batched_nms_keeps_the_best_of_each_class(count: int) -> None:
    from mindspore import Tensor

    from mindport.equivalents.boxes import batched_nms

    boxes, scores, classes = _boxes(count), DRAWN.permutation(count).astype(np.float32), DRAWN.integers(0, 60 if count > 40 else 3, count)
    kept: list[int] = []
    for one in np.argsort(-scores):
        if all(classes[one] != classes[other] or _overlap(boxes[one], boxes[other]) <= 0.3 for other in kept):
            kept.append(int(one))
    found = batched_nms(Tensor(boxes), Tensor(scores), Tensor(classes), 0.3)
    assert found.asnumpy().tolist() == kept
    assert batched_nms(Tensor(boxes[:0]), Tensor(scores[:0]), Tensor(classes[:0]), 0.3).shape == (0,)


def _convolved(x: np.ndarray, weight: np.ndarray, offset: np.ndarray, mask: np.ndarray, stride: tuple[int, int], padding: tuple[int, int], groups: int) -> np.ndarray:
    """Sums over output, channel and element of the kernel; float64."""
    images, channels, height, width = x.shape
    outputs, share, rows, columns = weight.shape
    moved = offset.shape[1] // (2 * rows * columns)
    found = np.zeros((images, outputs, *offset.shape[2:]))
    for n, out, i, j in np.ndindex(*found.shape):
        for part, r, c in np.ndindex(share, rows, columns):
            channel = out // (outputs // groups) * share + part
            at = (channel // (channels // moved) * rows + r) * columns + c
            y = i * stride[0] - padding[0] + r + offset[n, 2 * at, i, j]
            z = j * stride[1] - padding[1] + c + offset[n, 2 * at + 1, i, j]
            value = 0.0
            for u in (int(np.floor(y)), int(np.floor(y)) + 1):
                for v in (int(np.floor(z)), int(np.floor(z)) + 1):
                    if 0 <= u < height and 0 <= v < width:
                        value += (1 - abs(y - u)) * (1 - abs(z - v)) * x[n, channel, u, v]
            found[n, out, i, j] += weight[out, part, r, c] * mask[n, at, i, j] * value
    return found


@pytest.mark.parametrize(("groups", "moved"), [(1, 1), (2, 1), (2, 4)])
def test_a_deformable_convolution_and_its_gradients(groups: int, moved: int) -> None:
    import mindspore as ms
    from mindspore import Tensor

    from mindport.equivalents.deformable_convolution import deform_conv2d_of_pairs as deform_conv2d

    x = DRAWN.normal(size=(2, 4, 6, 7)).astype(np.float32)
    weight = DRAWN.normal(size=(6, 4 // groups, 3, 2)).astype(np.float32)
    offset = DRAWN.normal(scale=2, size=(2, 2 * moved * 6, 3, 8)).astype(np.float32)
    mask = DRAWN.uniform(size=(2, moved * 6, 3, 8)).astype(np.float32)
    bias = DRAWN.normal(size=6).astype(np.float32)
    places = ((2, 1), (1, 1), groups)
    expected = _convolved(x, weight, offset, mask, *places) + bias[:, None, None]
    found = deform_conv2d(Tensor(x), Tensor(offset), Tensor(weight), Tensor(bias), (2, 1), (1, 1), mask=Tensor(mask))
    np.testing.assert_allclose(found.asnumpy(), expected, atol=2e-5)

    def total(x: Tensor, offset: Tensor, mask: Tensor) -> Tensor:
        return deform_conv2d(x, offset, Tensor(weight), None, (2, 1), 1, mask=mask).sum()

    gradients = [g.asnumpy() for g in ms.grad(total, (0, 1, 2))(Tensor(x), Tensor(offset), Tensor(mask))]
    for place, value in enumerate((x, offset, mask)):
        for _ in range(4):
            at = tuple(DRAWN.integers(0, n) for n in value.shape)
            step = np.zeros(value.shape)
            step[at] = 1e-6
            sides = [[a + s * step if n == place else a for n, a in enumerate((x, offset, mask))] for s in (1.0, -1.0)]
            high, low = (_convolved(a, weight, b, c, *places).sum() for a, b, c in sides)
            assert gradients[place][at] == pytest.approx((high - low) / 2e-6, abs=2e-3)


def test_position_sensitive_pooling_takes_each_bins_own_channels() -> None:
    from mindspore import Tensor, ops

    from mindport.equivalents.region_pooling import ps_roi_align_of_boxes, roi_align_of_boxes

    x, rois = Tensor(DRAWN.normal(size=(2, 12, 8, 9)).astype(np.float32)), Tensor(np.array([[1, 1, 2, 6, 7], [0, -2, 0, 3, 9]], np.float32))
    found = ps_roi_align_of_boxes(x, rois, (2, 3), 1.0, 2).asnumpy()
    every = roi_align_of_boxes(x, rois, (2, 3), 1.0, 2, True).asnumpy()
    assert found.shape == (2, 2, 2, 3)
    for n, c, i, j in np.ndindex(*found.shape):
        assert found[n, c, i, j] == pytest.approx(every[n, (c * 2 + i) * 3 + j, i, j], abs=1e-6)
    boxes = [rois[1:, 1:], ops.zeros((0, 4))]
    assert roi_align_of_boxes(x, boxes, 2).shape == (1, 12, 2, 2)


def test_small_layers() -> None:
    from mindspore import Tensor, ops

    from mindport.layers.region_pooling import (
        DeformConv2d,
        FrozenBatchNorm2d,
        Permute,
        RoIAlign,
        StochasticDepth,
    )

    x = Tensor(DRAWN.normal(size=(64, 3, 4, 4)).astype(np.float32))
    dropped = StochasticDepth(0.5, "row")(x).asnumpy()
    rows = {float(round(value, 4)) for value in (dropped / x.asnumpy()).mean((1, 2, 3))}
    assert rows == {0.0, 2.0}
    frozen = FrozenBatchNorm2d(3, eps=0.0)
    frozen.running_mean.assign_value(ops.full((3,), 2.0, dtype=x.dtype))
    frozen.running_var.assign_value(ops.full((3,), 4.0, dtype=x.dtype))
    np.testing.assert_allclose(frozen(x).asnumpy(), (x.asnumpy() - 2) / 2, atol=1e-6)
    assert not list(frozen.trainable_params())
    assert Permute([0, 2, 3, 1])(x).shape == (64, 4, 4, 3)
    layer = DeformConv2d(3, 5, 3, padding=1, bias=False)
    assert layer(x[:2], ops.zeros((2, 18, 4, 4))).shape == (2, 5, 4, 4)
    assert RoIAlign(2, 1.0, 2)(x[:1], [Tensor([[0.0, 0.0, 3.0, 3.0]])]).shape == (1, 3, 2, 2)
