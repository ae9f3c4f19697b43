"""Samples for torchvision's functions on boxes and regions: boxes apart, within each other, equal, and on the border."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from mindport.evidence.samples import Sample, own

#: Two sets of boxes (x1, y1, x2, y2): apart, overlapping, one in the other, equal.
FIRST = [[0.5, 1.0, 10.25, 12.0], [3.0, 2.0, 8.0, 30.5], [20.0, 20.0, 31.0, 28.0]]
SECOND = [[2.0, 3.0, 9.0, 10.0], [20.0, 20.0, 31.0, 28.0], [4.5, 0.25, 30.0, 29.0], [40.0, 1.0, 45.0, 3.0]]


def boxes(dtype: torch.dtype, rows: list[list[float]] | None = None) -> torch.Tensor:
    """Boxes in a dtype; they take a gradient where it is a floating one."""
    return torch.tensor(rows or FIRST).to(dtype).requires_grad_(dtype.is_floating_point)


def _ops(*names: str) -> tuple[str, ...]:
    return tuple(f"torchvision.ops.{name}" for name in names)


@own(*_ops("box_area"))
def area(dtype: torch.dtype) -> Iterator[Sample]:
    """All formats of boxes without an angle."""
    if dtype.is_complex or dtype == torch.bool:
        return
    for fmt in ("xyxy", "xywh", "cxcywh"):
        yield Sample((boxes(dtype),), {"fmt": fmt})
    yield Sample((boxes(dtype),))


@own(*_ops("box_convert"))
def convert(dtype: torch.dtype) -> Iterator[Sample]:
    """Each format into each."""
    if dtype.is_complex or dtype == torch.bool:
        return
    for one in ("xyxy", "xywh", "cxcywh"):
        for other in ("xyxy", "xywh", "cxcywh"):
            yield Sample((boxes(dtype), one, other))


@own(*_ops("box_iou"))
def overlap(dtype: torch.dtype) -> Iterator[Sample]:
    """Pairs by format, and with leading axes."""
    if dtype.is_complex or dtype == torch.bool:
        return
    for fmt in ("xyxy", "xywh", "cxcywh"):
        yield Sample((boxes(dtype), boxes(dtype, SECOND)), {"fmt": fmt})
    yield Sample((boxes(dtype).detach().expand(2, 3, 4), boxes(dtype, SECOND).detach().expand(2, 4, 4)))


@own(*_ops("generalized_box_iou", "distance_box_iou", "complete_box_iou"))
def pairs(dtype: torch.dtype) -> Iterator[Sample]:
    """Two sets."""
    if dtype.is_complex or dtype == torch.bool:
        return
    yield Sample((boxes(dtype), boxes(dtype, SECOND)))


@own(*_ops("generalized_box_iou_loss", "distance_box_iou_loss", "complete_box_iou_loss"))
def losses(dtype: torch.dtype) -> Iterator[Sample]:
    """Pair by pair, with each reduction."""
    if dtype.is_complex or dtype == torch.bool:
        return
    for reduction in ("none", "mean", "sum"):
        yield Sample((boxes(dtype), boxes(dtype, SECOND[:3])), {"reduction": reduction})
    yield Sample((boxes(dtype), boxes(dtype, SECOND[1:])), {"eps": 1e-3})


@own(*_ops("sigmoid_focal_loss"))
def focal(dtype: torch.dtype) -> Iterator[Sample]:
    """Weights of classes and exponents."""
    if dtype.is_complex or dtype == torch.bool:
        return
    scores = torch.linspace(-4, 4, 12).reshape(3, 4).to(dtype).requires_grad_(dtype.is_floating_point)
    wanted = (torch.arange(12).reshape(3, 4) % 3 == 0).to(dtype)
    for options in ({}, {"alpha": -1, "gamma": 1.5}, {"alpha": 0.75, "gamma": 2, "reduction": "mean"}, {"reduction": "sum"}):
        yield Sample((scores, wanted), dict(options))


@own(*_ops("clip_boxes_to_image"))
def clip(dtype: torch.dtype) -> Iterator[Sample]:
    """A small image."""
    if dtype.is_complex or dtype == torch.bool:
        return
    yield Sample((boxes(dtype) - 2, (9, 25)))


@own(*_ops("remove_small_boxes"))
def small(dtype: torch.dtype) -> Iterator[Sample]:
    """Some, all and none are kept."""
    if dtype.is_complex or dtype == torch.bool:
        return
    for least in (6.0, 0.0, 100.0):
        yield Sample((boxes(dtype).detach(), least))


@own(*_ops("masks_to_boxes"))
def masks(dtype: torch.dtype) -> Iterator[Sample]:
    """A rectangle, a point, the whole picture, and nothing."""
    if dtype.is_complex or dtype == torch.bool:
        return
    drawn = torch.zeros(4, 7, 9)
    drawn[0, 2:5, 3:8] = 1
    drawn[1, 6, 0] = 2
    drawn[2] = 1
    yield Sample((drawn.to(dtype),))


@own(*_ops("roi_align"))
def regions(dtype: torch.dtype) -> Iterator[Sample]:
    """Boxes in one tensor and by image, one and two numbers of bins, fixed and adaptive numbers of samples.

    Within the picture: beyond it torchvision's Python version, the one that runs here, repeats the border, where the
    compiled one, which the equivalent follows, counts zero.
    """
    if dtype.is_complex or dtype == torch.bool:
        return
    picture = torch.sin(torch.arange(2 * 3 * 12 * 14.0)).reshape(2, 3, 12, 14).to(dtype).requires_grad_(dtype.is_floating_point)
    rois = torch.tensor([[0, 1.0, 2.0, 9.5, 8.25], [1, 3.0, 0.75, 11.0, 10.5]]).to(dtype)
    yield Sample((picture, rois, 3))
    yield Sample((picture, rois, (2, 4), 0.5, 2, True))
    yield Sample((picture, [rois[:1, 1:], rois[1:, 1:]], 2), {"spatial_scale": 0.75, "aligned": True})
