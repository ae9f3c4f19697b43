"""torchvision's losses on boxes and on scores of detectors. https://docs.pytorch.org/vision/stable/ops.html"""

import math

import mindspore as ms
from mindspore import ops

from mindport.declare import difference, equivalent
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.losses import binary_cross_entropy_with_logits


def reduced(loss, reduction):
    """The mean or sum of a loss; the mean of nothing is 0, not NaN."""
    if reduction == "none":
        return loss
    if reduction == "mean":
        return loss.mean() if loss.size > 0 else ops.zeros((), loss.dtype)
    if reduction == "sum":
        return loss.sum() if loss.size > 0 else ops.zeros((), loss.dtype)
    raise ValueError(f"Invalid Value for arg 'reduction': '{reduction} \n Supported reduction modes: 'none', 'mean', 'sum'")


def at_least_float(x):
    """float64 and float32 as they are, everything else as float32."""
    return x if x.dtype in (ms.float32, ms.float64) else x.astype(ms.float32)


def overlap(boxes1, boxes2):
    """The areas of intersection and of union of pairs (x1, y1, x2, y2), and the corners of the box around both."""
    low1, high1, low2, high2 = boxes1[..., :2], boxes1[..., 2:], boxes2[..., :2], boxes2[..., 2:]
    size = ops.minimum(high1, high2) - ops.maximum(low1, low2)
    apart = ops.logical_or(size[..., 0] <= 0, size[..., 1] <= 0)
    shared = ops.where(apart, ops.zeros_like(size[..., 0]), size[..., 0] * size[..., 1])
    size1, size2 = high1 - low1, high2 - low2
    joint = size1[..., 0] * size1[..., 1] + size2[..., 0] * size2[..., 1] - shared
    return shared, joint, ops.minimum(low1, low2), ops.maximum(high1, high2)


@equivalent("torchvision.ops.generalized_box_iou_loss", "torchvision.ops.giou_loss.generalized_box_iou_loss")
def generalized_box_iou_loss(boxes1, boxes2, reduction="none", eps=1e-7):
    """1 less the intersection over union of each pair, with the unfilled share of the box around both added."""
    boxes1, boxes2 = at_least_float(boxes1), at_least_float(boxes2)
    shared, joint, low, high = overlap(boxes1, boxes2)
    around = high - low
    area = around[..., 0] * around[..., 1]
    return reduced(1 - shared / (joint + eps) + (area - joint) / (area + eps), reduction)


def distance_loss(boxes1, boxes2, eps):
    """1 - IoU + squared distance of centres over squared diagonal of the box around both; and the IoU."""
    shared, joint, low, high = overlap(boxes1, boxes2)
    iou = shared / (joint + eps)
    around = high - low
    between = (boxes1[..., :2] + boxes1[..., 2:]) / 2 - (boxes2[..., :2] + boxes2[..., 2:]) / 2
    distance = ops.square(between[..., 0]) + ops.square(between[..., 1])
    return 1 - iou + distance / (ops.square(around[..., 0]) + ops.square(around[..., 1]) + eps), iou


@equivalent("torchvision.ops.distance_box_iou_loss", "torchvision.ops.diou_loss.distance_box_iou_loss")
def distance_box_iou_loss(boxes1, boxes2, reduction="none", eps=1e-7):
    """1 less the intersection over union of each pair, with the relative squared distance of centres added."""
    return reduced(distance_loss(at_least_float(boxes1), at_least_float(boxes2), eps)[0], reduction)


@equivalent("torchvision.ops.complete_box_iou_loss", "torchvision.ops.ciou_loss.complete_box_iou_loss", differs=[difference("the gradient of boxes turned inside out is another", when="(boxes1[..., 2:] < boxes1[..., :2]).any() or (boxes2[..., 2:] < boxes2[..., :2]).any()", risk="style", zh="左右或上下颠倒的框，梯度不同")])
def complete_box_iou_loss(boxes1, boxes2, reduction="none", eps=1e-7):
    """`distance_box_iou_loss` with a weighted difference of the angles of the diagonals added; the weight has no gradient."""
    boxes1, boxes2 = at_least_float(boxes1), at_least_float(boxes2)
    loss, iou = distance_loss(boxes1, boxes2, 1e-7)
    size1, size2 = (boxes[..., 2:] - boxes[..., :2] for boxes in (boxes1, boxes2))
    unlike = exact(4 / math.pi**2, size1) * ops.square(ops.atan(size2[..., 0] / size2[..., 1]) - ops.atan(size1[..., 0] / size1[..., 1]))
    weight = ops.stop_gradient(unlike / (1 - iou + unlike + eps))
    return reduced(loss + weight * unlike, reduction)


@equivalent(
    "torchvision.ops.sigmoid_focal_loss", "torchvision.ops.focal_loss.sigmoid_focal_loss",
    differs=[difference("of two dtypes the entropy has the accuracy of the shorter one", when="inputs.dtype != targets.dtype", risk="style", zh="两种类型混用时熵只有较短类型的精度")],
)  # fmt: skip
def sigmoid_focal_loss(inputs, targets, alpha=0.25, gamma=2, reduction="none"):
    """Binary cross entropy of logits, less for what is already right by (1 - p)**gamma, weighted by class unless alpha is -1."""
    if not 0 <= alpha <= 1 and alpha != -1:
        raise ValueError(f"Invalid alpha value: {alpha}. alpha must be in the range [0,1] or -1 for ignore.")
    p = ops.sigmoid(inputs)
    entropy = binary_cross_entropy_with_logits(inputs, targets, reduction="none")
    wrong = 1 - (p * targets + (1 - p) * (1 - targets))
    loss = entropy * wrong**gamma
    if alpha >= 0:
        loss = (alpha * targets + (1 - alpha) * (1 - targets)) * loss
    if reduction == "mean":
        return loss.mean()
    return reduced(loss, reduction)
