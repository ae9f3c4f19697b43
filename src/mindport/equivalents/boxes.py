"""torchvision's functions on boxes: corners, areas, overlaps, and which of overlapping boxes are kept.

A box is (x1, y1, x2, y2) where nothing else is said; functions of two sets give one row a box of the first and one
column a box of the second. https://docs.pytorch.org/vision/stable/ops.html
"""

import math

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.counted_elements import maximum_of_counted, minimum_of_counted
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.torchvision_ops import nms


def widened(x):
    """In a dtype that products do not overflow: at least float32, or int32 for whole numbers."""
    if x.dtype in (ms.float16, ms.bfloat16):
        return x.astype(ms.float32)
    if x.dtype in (ms.int8, ms.uint8, ms.int16, ms.bool_):
        return x.astype(ms.int32)
    return x


def corners(boxes, fmt):
    """The two corners (x1, y1) and (x2, y2) of boxes of a format, each (..., 2)."""
    if fmt == "xyxy":
        return boxes[..., :2], boxes[..., 2:]
    if fmt == "xywh":
        return boxes[..., :2], boxes[..., :2] + boxes[..., 2:]
    if fmt == "cxcywh":
        return boxes[..., :2] - boxes[..., 2:] / 2, boxes[..., :2] + boxes[..., 2:] / 2
    raise Refused("rotated boxes need torchvision's compiled box_iou_rotated, which has no counterpart")


@equivalent("torchvision.ops.box_area", "torchvision.ops.boxes.box_area")
def box_area(boxes, fmt="xyxy"):
    """Width times height of each box."""
    if fmt not in ("xyxy", "xywh", "cxcywh"):
        raise ValueError(f"Unsupported Bounding Box area for given format {fmt}")
    boxes = widened(boxes)
    if fmt == "xyxy":
        return (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])
    return boxes[..., 2] * boxes[..., 3]


@equivalent("torchvision.ops.box_convert", "torchvision.ops.boxes.box_convert")
def box_convert(boxes, in_fmt, out_fmt):
    """Boxes as corners ("xyxy"), corner and size ("xywh"), or centre and size ("cxcywh"), in another of these formats."""
    formats = ("xyxy", "xywh", "cxcywh", "xywhr", "cxcywhr", "xyxyxyxy")
    if in_fmt not in formats or out_fmt not in formats:
        raise ValueError(f"Unsupported Bounding Box Conversions for given in_fmt {in_fmt} and out_fmt {out_fmt}")
    if in_fmt == out_fmt:
        return Tensor.copy(boxes)
    if in_fmt not in formats[:3] or out_fmt not in formats[:3]:
        raise Refused("formats of rotated boxes are not supported")
    x, y, second, third = (boxes[..., n] for n in range(4))
    if in_fmt == "cxcywh":
        x, y, second, third = x - 0.5 * second, y - 0.5 * third, x + 0.5 * second, y + 0.5 * third
    elif in_fmt == "xywh":
        second, third = x + second, y + third
    if out_fmt == "xywh":
        second, third = second - x, third - y
    elif out_fmt == "cxcywh":
        x, y, second, third = (x + second) / 2, (y + third) / 2, second - x, third - y
    return ops.stack([each.astype(x.dtype) for each in (x, y, second, third)], axis=-1)


def shared_and_joint(boxes1, boxes2, fmt="xyxy"):
    """The areas of intersection and of union of each pair."""
    low1, high1 = corners(boxes1, fmt)
    low2, high2 = corners(boxes2, fmt)
    low = maximum_of_counted(low1.unsqueeze(-2), low2.unsqueeze(-3))
    high = minimum_of_counted(high1.unsqueeze(-2), high2.unsqueeze(-3))
    size = ops.clamp(widened(high - low), min=0)
    shared = size[..., 0] * size[..., 1]
    joint = box_area(boxes1, fmt).unsqueeze(-1) + box_area(boxes2, fmt).unsqueeze(-2) - shared
    return shared, joint


@equivalent("torchvision.ops.box_iou", "torchvision.ops.boxes.box_iou")
def box_iou(boxes1, boxes2, fmt="xyxy"):
    """Intersection over union of each pair."""
    if fmt not in ("xyxy", "xywh", "cxcywh", "cxcywhr", "xywhr", "xyxyxyxy"):
        raise ValueError(f"Unsupported format '{fmt}'.")
    shared, joint = shared_and_joint(boxes1, boxes2, fmt)
    return shared / joint


def enclosing(boxes1, boxes2):
    """Width and height of the smallest box around each pair."""
    low = minimum_of_counted(boxes1[..., :2].unsqueeze(-2), boxes2[..., :2].unsqueeze(-3))
    high = maximum_of_counted(boxes1[..., 2:].unsqueeze(-2), boxes2[..., 2:].unsqueeze(-3))
    return ops.clamp(widened(high - low), min=0)


@equivalent("torchvision.ops.generalized_box_iou", "torchvision.ops.boxes.generalized_box_iou")
def generalized_box_iou(boxes1, boxes2):
    """Intersection over union of each pair, less the share of the box around both that neither fills."""
    shared, joint = shared_and_joint(boxes1, boxes2)
    around = enclosing(boxes1, boxes2)
    area = around[..., 0] * around[..., 1]
    return shared / joint - (area - joint) / area


@equivalent(
    "torchvision.ops.distance_box_iou", "torchvision.ops.boxes.distance_box_iou",
    differs=[difference("boxes of bool have the centres of 0 and 1, torch takes or for their sums", when="boxes1.dtype == ms.bool or boxes2.dtype == ms.bool", risk="style", zh="bool 框的中心按 0 与 1 计算")],
)  # fmt: skip
def distance_box_iou(boxes1, boxes2, eps=1e-7):
    """Intersection over union of each pair, less the squared distance of centres over that of the corners around both."""
    boxes1, boxes2 = widened(boxes1), widened(boxes2)
    around = enclosing(boxes1, boxes2)
    diagonal = ops.square(around[..., 0]) + ops.square(around[..., 1]) + eps
    between = (boxes1[..., :2] + boxes1[..., 2:]).unsqueeze(-2) / 2 - (boxes2[..., :2] + boxes2[..., 2:]).unsqueeze(-3) / 2
    return box_iou(boxes1, boxes2) - (ops.square(between[..., 0]) + ops.square(between[..., 1])) / diagonal


@equivalent("torchvision.ops.complete_box_iou", "torchvision.ops.boxes.complete_box_iou", differs=[difference("the gradient of boxes turned inside out is another", when="(boxes1[..., 2:] < boxes1[..., :2]).any() or (boxes2[..., 2:] < boxes2[..., :2]).any()", risk="style", zh="左右或上下颠倒的框，梯度不同")])
def complete_box_iou(boxes1, boxes2, eps=1e-7):
    """`distance_box_iou`, less a weighted difference of the angles of the diagonals; the weight has no gradient."""
    boxes1, boxes2 = widened(boxes1), widened(boxes2)
    size1, size2 = (boxes[..., 2:] - boxes[..., :2] for boxes in (boxes1, boxes2))
    angle1, angle2 = (ops.atan(size[..., 0] / size[..., 1]) for size in (size1, size2))
    unlike = exact(4 / math.pi**2, angle1) * ops.square(angle1.unsqueeze(-1) - angle2.unsqueeze(-2))
    weight = ops.stop_gradient(unlike / (1 - box_iou(boxes1, boxes2) + unlike + eps))
    return distance_box_iou(boxes1, boxes2, eps) - weight * unlike


@equivalent("torchvision.ops.clip_boxes_to_image", "torchvision.ops.boxes.clip_boxes_to_image")
def clip_boxes_to_image(boxes, size):
    """Boxes with corners moved into an image of (height, width)."""
    height, width = size
    columns = [ops.clamp(boxes[..., n], 0, limit) for n, limit in enumerate((width, height, width, height))]
    return ops.where(boxes != boxes, boxes, ops.stack(columns, axis=-1))  # clamp drops NaN on CPU


@equivalent("torchvision.ops.remove_small_boxes", "torchvision.ops.boxes.remove_small_boxes")
def remove_small_boxes(boxes, min_size):
    """The positions of boxes whose width and height are at least `min_size`."""
    sides = boxes[..., 2:] - boxes[..., :2]
    return ops.nonzero(ops.logical_and(sides[..., 0] >= min_size, sides[..., 1] >= min_size))[:, 0]


@equivalent("torchvision.ops.masks_to_boxes", "torchvision.ops.boxes.masks_to_boxes")
def masks_to_boxes(masks):
    """The first and last column and row that each mask (N, H, W) touches, float32; zeros for an empty mask."""
    if masks.size == 0:
        return ops.zeros((0, 4), ms.float32)
    touched = masks.astype(ms.bool_).asnumpy()
    rows, columns = touched.any(2), touched.any(1)
    height, width = touched.shape[1:]
    found = [columns.argmax(1), rows.argmax(1), width - 1 - columns[:, ::-1].argmax(1), height - 1 - rows[:, ::-1].argmax(1)]
    return Tensor([[int(edge[n]) if rows[n].any() else 0 for edge in found] for n in range(len(touched))], ms.float32)


@equivalent("torchvision.ops.nms", "torchvision.ops.boxes.nms")
def nms_of_boxes(boxes, scores, iou_threshold):
    """Positions of the boxes that no better kept box overlaps by more than the threshold, best first."""
    return nms(boxes, scores, iou_threshold)


@equivalent("torchvision.ops.batched_nms", "torchvision.ops.boxes.batched_nms")
def batched_nms(boxes, scores, idxs, iou_threshold):
    """`nms` among boxes of the same class: classes are moved apart by more than the largest coordinate.

    So many boxes that this would cost more (1000) are taken class by class, as torchvision takes them.
    """
    if boxes.size == 0:
        return ops.zeros((0,), ms.int64)
    if boxes.size <= 4000:
        apart = idxs.astype(boxes.dtype) * (boxes.max() + 1)
        return nms(boxes + apart.unsqueeze(1), scores, iou_threshold)
    kept = ops.zeros((boxes.shape[0],), ms.bool_)
    classes = idxs.asnumpy()
    for number in sorted(set(classes.tolist())):
        members = Tensor((classes == number).nonzero()[0])
        chosen = members[nms(boxes[members], scores[members], iou_threshold)]
        kept[chosen] = True
    places = ops.nonzero(kept)[:, 0]
    order = Tensor((-scores[places].asnumpy()).argsort(kind="stable"))
    return places[order]
