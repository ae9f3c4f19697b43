"""Classification losses of logits that hold minus infinity: illegal actions, a sample's similarity to itself.

`ops.cross_entropy` multiplies every class by the label's one or zero, and 0 times minus infinity is NaN; here the label's
logarithm is picked. Source: torch/aten/src/ATen/native/LossNLL.cpp.
"""

import mindspore as ms
from mindspore import ops

from mindport.declare import Refused, equivalent
from mindport.equivalents.counted_reductions import reduced_of_nothing

OLD = "size_average and reduce: write reduction='mean', 'sum' or 'none'"


def picked_loss(logarithms, target, weight, ignore_index, reduction):
    """−logarithms[target] over axis 1, each with its class's weight."""
    axis = 1 if logarithms.ndim > 1 else 0
    kept = target != ignore_index
    labels = ops.where(kept, target, ops.zeros_like(target)).astype(ms.int64)
    loss = -ops.gather_elements(logarithms, axis, labels.expand_dims(axis)).squeeze(axis)
    weights = ops.ones_like(loss) if weight is None else ops.gather(weight, labels, 0).astype(loss.dtype)
    weights = ops.where(kept, weights, ops.zeros_like(weights))
    loss = ops.where(weights != 0, loss * weights, ops.zeros_like(loss))
    if reduction == "none":
        return loss
    return loss.sum() if reduction == "sum" else loss.sum() / weights.sum()


@equivalent("torch.nn.functional.cross_entropy_of_masked")
def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0):
    """−log softmax(input)[target], over axis 1; targets are classes or probabilities."""
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    if ops.is_floating_point(target) or label_smoothing:
        return ops.cross_entropy(
            input, target, weight=weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing
        )
    return picked_loss(ops.log_softmax(input, axis=1 if input.ndim > 1 else 0), target, weight, ignore_index, reduction)


@equivalent("torch.nn.functional.cross_entropy_of_counted_of_masked")
def cross_entropy_of_counted(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0):
    """The same over as many samples as the data decide; of nothing the sum is 0, the mean NaN."""
    loss = cross_entropy(input, target, weight, size_average, ignore_index, reduce, reduction, label_smoothing)
    return reduced_of_nothing(loss, input, reduction)


@equivalent("torch.nn.functional.nll_loss_of_masked")
def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    """−input[target], over axis 1."""
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    return picked_loss(input, target, weight, ignore_index, reduction)
