"""Sums, means and losses over as many elements as the data decide, which may be none (``loss[mask].sum()``).

MindSpore's CPU then gives what happened to be in memory: a loss over no positive example was 7e30. Conversion takes these
forms where inference follows the operand from a mask, `nonzero` and their kin; their names are torch's with `_of_counted`.
Measured: docs/differences/functions.md.
"""

import mindspore as ms
from mindspore import ops

from mindport.declare import equivalent
from mindport.equivalents.losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cross_entropy,
    huber_loss,
    l1_loss,
    mse_loss,
    nll_loss,
    smooth_l1_loss,
)
from mindport.equivalents.of_nothing import tied

NOT_A_NUMBER = float("nan")


def of_nothing(result, input, value):
    """`result`, or where the input holds nothing a tensor of its shape that holds `value` everywhere; gradients go through it."""
    if input.size > 0:
        return result
    if result.size == 0:  # MindSpore's backward passes raise
        return tied(ops.stop_gradient(result), input)
    return result.masked_fill(ops.ones_like(result).astype(ms.bool_), value)


def reduced_of_nothing(result, input, reduction):
    """The same of a loss: the sum of nothing is 0, the mean is NaN."""
    if reduction == "none":
        return result
    return of_nothing(result, input, 0.0 if reduction == "sum" else NOT_A_NUMBER)


@equivalent("torch.sum_of_counted", "torch.Tensor.sum_of_counted")
def sum_of_counted(input, dim=None, keepdim=False, *, dtype=None):
    """The sum over axes; 0 of nothing. https://docs.pytorch.org/docs/2.13/generated/torch.sum.html"""
    return of_nothing(input.sum(dim, keepdim, dtype=dtype), input, 0)


@equivalent("torch.mean_of_counted", "torch.Tensor.mean_of_counted")
def mean_of_counted(input, dim=None, keepdim=False, *, dtype=None):
    """The mean over axes; NaN of nothing. https://docs.pytorch.org/docs/2.13/generated/torch.mean.html"""
    return of_nothing(input.mean(dim, keepdim, dtype=dtype), input, NOT_A_NUMBER)


@equivalent("torch.nn.functional.l1_loss_of_counted")
def l1_loss_of_counted(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """|input − target|; of nothing the sum is 0, the mean NaN."""
    return reduced_of_nothing(l1_loss(input, target, size_average, reduce, reduction, weight), input, reduction)


@equivalent("torch.nn.functional.mse_loss_of_counted")
def mse_loss_of_counted(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """(input − target)²; of nothing the sum is 0, the mean NaN."""
    return reduced_of_nothing(mse_loss(input, target, size_average, reduce, reduction, weight), input, reduction)


@equivalent("torch.nn.functional.smooth_l1_loss_of_counted")
def smooth_l1_loss_of_counted(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """Squared below beta, absolute above; of nothing the sum is 0, the mean NaN."""
    return reduced_of_nothing(smooth_l1_loss(input, target, size_average, reduce, reduction, beta), input, reduction)


@equivalent("torch.nn.functional.huber_loss_of_counted")
def huber_loss_of_counted(input, target, reduction="mean", delta=1.0, weight=None):
    """Squared below delta, linear above; of nothing the sum is 0, the mean NaN."""
    return reduced_of_nothing(huber_loss(input, target, reduction, delta, weight), input, reduction)


@equivalent("torch.nn.functional.binary_cross_entropy_of_counted")
def binary_cross_entropy_of_counted(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """−(t log x + (1 − t) log(1 − x)); of nothing the sum is 0, the mean NaN."""
    return reduced_of_nothing(binary_cross_entropy(input, target, weight, size_average, reduce, reduction), input, reduction)


@equivalent("torch.nn.functional.binary_cross_entropy_with_logits_of_counted")
def binary_cross_entropy_with_logits_of_counted(input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
    """Binary cross entropy of sigmoid(input); of nothing the sum is 0, the mean NaN."""
    loss = binary_cross_entropy_with_logits(input, target, weight, size_average, reduce, reduction, pos_weight)
    return reduced_of_nothing(loss, input, reduction)


@equivalent("torch.nn.functional.cross_entropy_of_counted")
def cross_entropy_of_counted(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0):
    """−log softmax(input)[target]; of nothing the sum is 0, the mean NaN."""
    loss = cross_entropy(input, target, weight, size_average, ignore_index, reduce, reduction, label_smoothing)
    return reduced_of_nothing(loss, input, reduction)


@equivalent("torch.nn.functional.nll_loss_of_counted")
def nll_loss_of_counted(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    """−input[target]; of nothing the sum is 0, the mean NaN."""
    return reduced_of_nothing(nll_loss(input, target, weight, size_average, ignore_index, reduce, reduction), input, reduction)
