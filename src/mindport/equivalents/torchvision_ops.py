"""torchvision's compiled operators on boxes. They are called through ``torch.ops.torchvision``."""

import math

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import absent, difference, equivalent


@equivalent("torch.ops.torchvision.nms")
def nms(dets, scores, iou_threshold):
    """Positions of the boxes (x1, y1, x2, y2) that no better kept box overlaps by more than the threshold.

    int64, by falling score, the earlier box first among equal scores. Greedy choice depends on values, so it
    runs in NumPy on the host. https://docs.pytorch.org/vision/stable/generated/torchvision.ops.nms.html
    """
    boxes, order = dets.asnumpy(), np.argsort(-scores.asnumpy(), kind="stable")
    x1, y1, x2, y2 = boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 3]
    areas = (x2 - x1) * (y2 - y1)
    kept = []
    while order.size > 0:
        best, order = order[0], order[1:]
        kept.append(best)
        width = np.maximum(np.minimum(x2[best], x2[order]) - np.maximum(x1[best], x1[order]), 0)
        height = np.maximum(np.minimum(y2[best], y2[order]) - np.maximum(y1[best], y1[order]), 0)
        shared = width * height
        with np.errstate(divide="ignore", invalid="ignore"):
            overlap = shared / (areas[best] + areas[order] - shared)
        order = order[~(overlap > iou_threshold)]
    return Tensor(np.array(kept, np.int64))


def _bilinear_rows(start, length, bins, samples, size):
    """The weight of each of `size` positions in each bin: (rois, bins, size), the mean over a bin's samples.

    `start` and `length` are the rois' (rois,) extents; `samples` a number, or 0 for ceil(length / bins) each.
    A sample more than one beyond the border counts zero, one within that repeats the border.
    """
    width = length / bins
    counts = ops.ceil(width) if samples <= 0 else ops.full_like(width, samples, dtype=ms.float32)
    most = samples if samples > 0 else max(int(counts.max()), 1)
    numbers = ops.arange(most).astype(ms.float32)
    places = (numbers.reshape((1, 1, -1)) + 0.5) * (width / ops.maximum(counts, ops.ones_like(counts))).reshape((-1, 1, 1))
    at = start.reshape((-1, 1, 1)) + ops.arange(bins).astype(ms.float32).reshape((1, -1, 1)) * width.reshape((-1, 1, 1)) + places
    counted = ops.logical_and(at >= -1, at <= size)
    counted = ops.logical_and(counted, numbers.reshape((1, 1, -1)) < counts.reshape((-1, 1, 1))).astype(ms.float32)
    inside = ops.clamp(at, 0.0, float(size - 1))
    hat = ops.relu(1 - ops.abs(inside.unsqueeze(-1) - ops.arange(size).astype(ms.float32)))
    return ops.sum(hat * counted.unsqueeze(-1), 2) / ops.maximum(counts, ops.ones_like(counts)).reshape((-1, 1, 1))


@equivalent("torch.ops.torchvision.roi_align")
def roi_align(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio=-1, aligned=False):
    """The mean of bilinear samples in each bin of each box (image, x1, y1, x2, y2): (rois, C, height, width).

    Bilinear weights are products of one of the row and one of the column, so a box is two matrix products.
    https://docs.pytorch.org/vision/stable/generated/torchvision.ops.roi_align.html
    """
    rois = ops.stop_gradient(rois).astype(ms.float32)
    count, channels, height, width = rois.shape[0], input.shape[1], input.shape[2], input.shape[3]
    if count == 0:
        return ops.zeros((0, channels, pooled_height, pooled_width), input.dtype)
    shift = 0.5 if aligned else 0.0
    left, top = rois[:, 1] * spatial_scale - shift, rois[:, 2] * spatial_scale - shift
    wide, high = rois[:, 3] * spatial_scale - shift - left, rois[:, 4] * spatial_scale - shift - top
    if not aligned:
        wide, high = ops.maximum(wide, ops.ones_like(wide)), ops.maximum(high, ops.ones_like(high))
    rows = _bilinear_rows(top, high, pooled_height, sampling_ratio, height).astype(input.dtype)
    columns = _bilinear_rows(left, wide, pooled_width, sampling_ratio, width).astype(input.dtype)
    images = rois[:, 0].astype(ms.int32)
    together = max(2**24 // (channels * height * width), 1)
    pieces = []
    for first in range(0, count, together):
        last = min(first + together, count)
        planes = ops.index_select(input, 0, images[first:last])
        along_rows = ops.matmul(rows[first:last].unsqueeze(1), planes)
        pieces.append(ops.matmul(along_rows, columns[first:last].swapaxes(1, 2).unsqueeze(1)))
    return pieces[0] if len(pieces) == 1 else ops.cat(pieces, axis=0)


def _rounded(value):
    """To the nearest whole number, halves away from zero."""
    return int(math.floor(abs(value) + 0.5) * (1 if value >= 0 else -1))


def _bins(start, length, bins, size):
    """The half-open ranges of positions of each bin, held within the input."""
    step = np.float32(length) / np.float32(bins)
    for number in range(bins):
        first = int(math.floor(np.float32(number) * step)) + start
        last = int(math.ceil(np.float32(number + 1) * step)) + start
        yield min(max(first, 0), size), min(max(last, 0), size)


def _largest(x, axis, start, length, bins):
    """The maximum over each bin along `axis`; zero where a bin is empty."""
    found = []
    for first, last in _bins(start, length, bins, x.shape[axis]):
        if last > first:
            found.append(ops.amax(x.narrow(axis, first, last - first), axis))
        else:
            found.append(ops.zeros_like(x.narrow(axis, 0, 1)).squeeze(axis))
    return ops.stack(found, axis=axis)


@equivalent(
    "torch.ops.torchvision.roi_pool",
    differs=[difference("the second result (positions of the maxima) is None", risk="loud", zh="第二个返回值为 None")],
)  # fmt: skip
def roi_pool(input, rois, spatial_scale, pooled_height, pooled_width):
    """The maximum in each bin of each box (image, x1, y1, x2, y2), rounded to whole positions; zero in empty bins.

    https://docs.pytorch.org/vision/stable/generated/torchvision.ops.roi_pool.html
    """
    found = []
    for image, x1, y1, x2, y2 in rois.asnumpy().tolist():
        left, top = _rounded(x1 * spatial_scale), _rounded(y1 * spatial_scale)
        wide = max(_rounded(x2 * spatial_scale) - left + 1, 1)
        high = max(_rounded(y2 * spatial_scale) - top + 1, 1)
        rows = list(_bins(top, high, pooled_height, input.shape[2]))
        columns = list(_bins(left, wide, pooled_width, input.shape[3]))
        filled = np.array([[b > a and d > c for c, d in columns] for a, b in rows], np.float32)
        pooled = _largest(_largest(input[int(image)], 1, top, high, pooled_height), 2, left, wide, pooled_width)
        found.append(ops.where(Tensor(filled > 0), pooled, ops.zeros_like(pooled)))
    if not found:
        return ops.zeros((0, input.shape[1], pooled_height, pooled_width), input.dtype), None
    return ops.stack(found), None


@equivalent("torch.ops.torchvision._cuda_version")
def _cuda_version():
    """-1: torchvision's answer where it was compiled without CUDA."""
    return -1


@equivalent("torchvision.extension._assert_has_ops", "torchvision.utils._log_api_usage_once", drops={"obj": "names what torch counts the uses of"})
def _assert_has_ops(obj=None):
    """The operators are there, by their equivalents; nothing is counted."""
    return None


@equivalent("torchvision.extension._has_ops")
def _has_ops():
    """The operators are there, by their equivalents."""
    return True


absent(
    "torch.ops.torchvision.ps_roi_pool",
    "torch.ops.torchvision.qnms", "torch.ops.torchvision.qroi_align", "torch.ops.torchvision.box_iou_rotated",
    why="this compiled torchvision operator has no counterpart here; write it with mindspore.ops.Custom", rung="custom operator",
)
