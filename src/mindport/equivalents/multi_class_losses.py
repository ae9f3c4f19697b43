"""Losses with margins or several labels per sample; `size_average` and `reduce` are torch's deprecated spelling."""

import mindspore as ms
from mindspore import ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.linear_maps import pairwise_distance
from mindport.equivalents.losses import cross_entropy, nearer, not_below_zero, reduced
from mindport.equivalents.near_zero import softplus_of

OLD = "size_average and reduce are deprecated: give reduction"


@equivalent("torch.nn.functional.multilabel_soft_margin_loss", differs=[difference("terms that cancel are rounded otherwise in short floats", when="input.dtype in (ms.float16, ms.bfloat16) or target.dtype in (ms.float16, ms.bfloat16)", risk="style", zh="低精度浮点中相消项舍入不同")])
def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """Binary cross entropy of each class from logits, averaged over classes.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.multilabel_soft_margin_loss.html
    """
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    loss = target * softplus_of(-input, 1, 40) + (1 - target) * softplus_of(input, 1, 40)
    if weight is not None:
        loss = loss * weight
    if loss.size == 0:
        count = loss.shape[-1]
        means = ops.zeros(loss.shape[:-1], loss.dtype) + (0.0 if count else float("nan"))
    else:
        means = ops.sum(loss, -1) / input.shape[-1]
    return reduced(means, reduction)


@equivalent("torch.nn.functional.multi_margin_loss")
def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    """The margins by which other classes come too near the target class, to the power p, averaged over classes.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.multi_margin_loss.html
    """
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    x = input if input.ndim == 2 else input.reshape((1, -1))
    labels = target.reshape((-1, 1))
    own = ops.gather_elements(x, 1, labels)
    missing = ops.pow(ops.relu(margin - own + x), p)
    if weight is not None:
        missing = missing * weight[labels.reshape(-1)].reshape((-1, 1))
    others = (ops.arange(x.shape[1]).reshape((1, -1)) != labels).astype(x.dtype)
    loss = ops.sum(missing * others, 1) / x.shape[1]
    return reduced(loss if input.ndim == 2 else loss.reshape(()), reduction)


@equivalent("torch.nn.functional.triplet_margin_with_distance_loss")
def triplet_margin_with_distance_loss(
    anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"
):
    """max(0, d(anchor, positive) - d(anchor, negative) + margin) for a distance of one's own, `pairwise_distance` where none is given.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.triplet_margin_with_distance_loss.html
    """
    if distance_function is None:
        distance_function = pairwise_distance
    near, far = distance_function(anchor, positive), distance_function(anchor, negative)
    if swap:
        other = distance_function(positive, negative)
        far = nearer(far, other)
    return reduced(not_below_zero(near - far + exact(margin, near)), reduction)


def alignment_losses(log_probs, targets, times, sizes, blank, zero_infinity):
    """The loss of each row; infinite, or 0, where a target does not fit into its row's steps.

    MindSpore's kernel ends the process where a target is longer than that, and gives infinity whatever it is asked where one is too long by its repeated labels.
    """
    loss = ops.ctc_loss(log_probs, targets.astype(ms.int32), times, ops.minimum(times, sizes), blank, "none", zero_infinity)[0]
    short = ops.logical_or(times < sizes, ops.isinf(loss))
    if zero_infinity:
        return ops.where(short, ops.zeros_like(loss), loss)
    return loss * ops.where(short, float("inf"), 1.0).astype(loss.dtype)  # a factor, so that the gradient is not finite either


def in_rows(targets, lengths):
    """Targets that stand one behind the other, a row for each; 0 behind its end."""
    count = targets.shape[0]
    steps = ops.arange(max(count, 1)).astype(ms.int32).reshape((1, -1))
    starts = (ops.cumsum(lengths, 0).astype(ms.int32) - lengths).reshape((-1, 1))
    places = ops.where(steps < lengths.reshape((-1, 1)), starts + steps, ops.full_like(steps, count))
    return ops.cat((targets.astype(ms.int32), ops.zeros((1,), ms.int32)))[places]


@equivalent("torch.nn.functional.ctc_loss", differs=[difference("labels that are no classes are read out of bounds on both sides", when="targets.dtype not in (ms.int32, ms.int64) or (targets < 0).any()", zh="非法标签在两侧都越界读取")])
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """The connectionist temporal classification loss of (T, N, C) log probabilities.

    `mean` divides each loss by its target's length first.
    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.ctc_loss.html
    """
    if log_probs.ndim != 3 or targets.ndim not in (1, 2):
        raise Refused("ctc_loss takes (T, N, C) log probabilities here: give a lone sequence the axis of a batch")
    longest = ms.Tensor(input_lengths, ms.int32) if isinstance(input_lengths, (tuple, list)) else input_lengths.astype(ms.int32)
    lengths = ms.Tensor(target_lengths, ms.int32) if isinstance(target_lengths, (tuple, list)) else target_lengths.astype(ms.int32)
    rows = in_rows(targets, lengths) if targets.ndim == 1 else targets
    loss = alignment_losses(log_probs, rows, longest, lengths, blank, zero_infinity)
    if reduction == "mean":
        return ops.mean(loss / ops.maximum(lengths, ops.ones_like(lengths)).astype(loss.dtype))
    return reduced(loss, reduction)


@equivalent("torch.nn.functional.multilabel_margin_loss")
def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """The hinge loss between each target class and each other class; a row's targets end at the first -1.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.multilabel_margin_loss.html
    """
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    x = input.reshape(1, -1) if input.ndim < 2 else input
    y = target.reshape(1, -1) if input.ndim < 2 else target
    count = x.shape[1]
    listed = ops.cumsum((y < 0).astype(ms.int32), 1) == 0
    chosen = ops.where(listed, y, ops.zeros_like(y))
    is_target = ops.logical_and(listed.unsqueeze(2), chosen.unsqueeze(2) == ops.arange(count).reshape(1, 1, -1)).any(1)
    margins = ops.relu(1 - ops.gather_elements(x, 1, chosen.astype(ms.int64)).unsqueeze(2) + x.unsqueeze(1))
    counted = ops.logical_and(listed.unsqueeze(2), ops.logical_not(is_target).unsqueeze(1))
    values = ops.where(counted, margins, ops.zeros_like(margins)).sum((1, 2)) / count
    return reduced(values.reshape(()) if input.ndim < 2 else values, reduction)


@equivalent("torch.nn.functional.linear_cross_entropy", drops={"options": "it says in how many parts to compute; the result is the same"})
def linear_cross_entropy(
    input, linear_weight, target, *, linear_bias=None, weight=None, reduction="mean", ignore_index=None, label_smoothing=0.0, options=None
):
    """The cross entropy of a linear map's output."""
    table = linear_weight.reshape(-1, linear_weight.shape[-1])
    bias = None if linear_bias is None else linear_bias.reshape(-1)
    logits = ops.dense(input, table, bias).reshape(*input.shape[:-1], *linear_weight.shape[:-1])
    ignored = -100 if ignore_index is None else ignore_index
    weight = None if weight is None else ops.stop_gradient(weight)
    return cross_entropy(logits, target, weight, ignore_index=ignored, reduction=reduction, label_smoothing=label_smoothing)
