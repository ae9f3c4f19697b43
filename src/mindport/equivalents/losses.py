"""Loss functions of torch.nn.functional. `size_average` and `reduce` are torch's deprecated words for reduction."""

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.exact_numbers import exact
from mindport.equivalents.fine_logarithms import fine_log
from mindport.equivalents.linear_maps import pairwise_distance
from mindport.equivalents.near_zero import log1p_near_zero
from mindport.equivalents.python_data import seen_dtype

EMPTY = difference("an empty tensor gives unspecified values", when="input.numel() == 0", zh="空张量的结果不确定")
TWO_DTYPES = difference("of two dtypes the result has the wider one, torch's is rounded to that of the input", when="input.dtype != target.dtype", risk="style", zh="两种类型混用时结果为较宽类型")
WHOLE = difference("integers give float32", when="not input.is_floating_point()", risk="style", zh="整数输入得到 float32")
DOUBLE = difference("float64 is computed with logarithms and constants of float32", when="input.dtype == ms.float64", risk="style", zh="float64 计算中的对数与常数只有 float32 精度")
DOUBLE_PROBABILITIES = difference("probabilities in float64 raise: nn.CrossEntropyLoss takes them", when="target.dtype == ms.float64", risk="loud", zh="float64 的概率目标会报错：nn.CrossEntropyLoss 可用")
SHORT_CLASSES = difference("float16 is added up in float16, NaN of some thousand classes: nn.CrossEntropyLoss adds up in float32, as torch does", when="input.dtype == ms.float16", zh="float16 以 float16 累加，类别很多时为 NaN：nn.CrossEntropyLoss 以 float32 累加")
ROUNDED = difference("float64 that nothing shows has the accuracy of float32 on CPU", when="not seen_dtype(input, ms.float64) and input.dtype == ms.float64", zh="未能识别的 float64 在 CPU 上只有 float32 精度")
OLD = "size_average and reduce are deprecated: write reduction='mean', 'sum' or 'none'"


def reduced(loss, reduction):
    """The loss, its mean or its sum. MindSpore's sums of nothing are unwritten memory: 0 and NaN here."""
    if reduction == "mean":
        return ops.mean(loss) if loss.size else Tensor(float("nan"), loss.dtype)
    if reduction == "sum":
        return ops.sum(loss) if loss.size else Tensor(0, loss.dtype)
    if reduction == "none":
        return loss
    raise ValueError(f"{reduction} is not a valid value for reduction")


def not_below_zero(x):
    """max(0, x), NaN where x is, which `ops.maximum` drops on CPU."""
    return ops.where(x < 0, ops.zeros_like(x), x)


@equivalent("torch.nn.functional._Reduction.get_enum", "torch.nn._reduction.get_enum")
def get_enum(reduction):
    """0, 1, 2 for none, mean, sum."""
    if reduction == "none":
        return 0
    if reduction == "mean":
        return 1
    if reduction == "sum":
        return 2
    raise ValueError(f"{reduction} is not a valid value for reduction")


def cross_entropy_of_any_float(input, target, weight, ignore_index, reduction, label_smoothing):
    """−log softmax(input)[target] where MindSpore's own is wrong: of float16 it adds up in float16 (1,000 classes give NaN), and probabilities in float64 raise."""
    if input.dtype == ms.float16:  # added up in float32, as in torch
        wide = [x.astype(ms.float32) if x is not None and x.dtype == ms.float16 else x for x in (input, target, weight)]
        return cross_entropy_of_any_float(*wide, ignore_index, reduction, label_smoothing).astype(ms.float16)
    if target.dtype != ms.float64:
        return ops.cross_entropy(input, target, weight, ignore_index, reduction, label_smoothing)
    axis = 0 if input.ndim == 1 else 1
    classes = input.shape[axis]
    kept, added = (Tensor(number, target.dtype) for number in (1 - label_smoothing, label_smoothing / classes))  # a number alone is of float32
    parts = (input - ops.logsumexp(input, axis, True)) * (target * kept + added)
    if weight is not None:
        parts = parts * weight.reshape([classes if place == axis else 1 for place in range(input.ndim)])
    if reduction == "none":
        return -parts.sum(axis)
    return -parts.sum() / (input.size / classes) if reduction == "mean" else -parts.sum()


@equivalent("torch.nn.functional.cross_entropy", differs=[DOUBLE_PROBABILITIES, SHORT_CLASSES, difference("an infinite or NaN input makes the loss of its sample NaN, whichever class the target is", when="not ms.isfinite(input).all()", risk="loud", zh="输入含无穷或 NaN 时，该样本的损失为 NaN"), EMPTY])
def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0):
    """−log softmax(input)[target], over axis 1; targets are classes or probabilities.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.cross_entropy.html
    """
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    return ops.cross_entropy(
        input, target, weight=weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing
    )


@equivalent("torch.nn.functional.nll_loss", differs=[difference("an infinite or NaN input makes the loss of its sample NaN, whichever class the target is", when="not ms.isfinite(input).all()", risk="loud", zh="输入含无穷或 NaN 时，该样本的损失为 NaN"), EMPTY])
def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    """−input[target], over axis 1. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.nll_loss.html"""
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    return ops.nll_loss(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction)


@equivalent("torch.nn.functional.mse_loss", differs=[ROUNDED, difference("an empty tensor gives unspecified values", when="input.numel() == 0", zh="空张量的结果不确定")])
def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """(input − target)². https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.mse_loss.html"""
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    if weight is not None:
        raise Refused("weight: multiply mse_loss(…, reduction='none') by it")
    if seen_dtype(input, ms.float64):  # the kernel rounds to float32
        return reduced(ops.square(input - target), reduction)
    return ops.mse_loss(input, target, reduction=reduction)


@equivalent("torch.nn.functional.l1_loss", differs=[ROUNDED, difference("a complex input gives a complex result, whose imaginary part is 0", when="input.is_complex() or target.is_complex()", zh="复数输入得到复数结果"), difference("an empty tensor gives unspecified values", when="input.numel() == 0", zh="空张量的结果不确定")])
def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """|input − target|. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.l1_loss.html"""
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    if weight is not None:
        raise Refused("weight: multiply l1_loss(…, reduction='none') by it")
    if seen_dtype(input, ms.float64):
        return reduced(ops.abs(input - target), reduction)
    return ops.l1_loss(input, target, reduction=reduction)


@equivalent("torch.nn.functional.smooth_l1_loss", differs=[ROUNDED, difference("operands of two shapes raise", when="input.shape != target.shape", risk="loud", zh="两个形状不同的操作数会报错")])
def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """Squared below beta, absolute above. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.smooth_l1_loss.html

    `ops.smooth_l1_loss` does not reduce where nothing is said.
    """
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    if beta == 0:
        return ops.l1_loss(input, target, reduction=reduction)
    if seen_dtype(input, ms.float64):
        return reduced(squared_below(ops.abs(input - target), exact(beta, input)) / exact(beta, input), reduction)
    return ops.smooth_l1_loss(input, target, beta=beta, reduction=reduction)


def squared_below(gap, delta):
    """Half the square below delta, linear above."""
    return ops.where(gap <= delta, gap * gap * 0.5, (gap - delta * 0.5) * delta)


@equivalent("torch.nn.functional.huber_loss", differs=[ROUNDED, TWO_DTYPES, difference("an empty tensor gives unspecified values", when="input.numel() == 0", zh="空张量的结果不确定"), difference("a float16 number without axes gives float32", when="input.ndim == 0 and input.dtype == ms.float16", zh="零维 float16 得到 float32")])
def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    """Squared below delta, linear above. https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.huber_loss.html"""
    if weight is not None:
        raise Refused("weight: multiply huber_loss(…, reduction='none') by it")
    if seen_dtype(input, ms.float64):
        return reduced(squared_below(ops.abs(input - target), exact(delta, input)), reduction)
    return ops.huber_loss(input, target, reduction=reduction, delta=delta)


def bounded_log(x):
    """log(x), at least -100; the gradient is 0 where x is not positive."""
    positive = x > 0
    return ops.where(positive, ops.log(ops.where(positive, x, ops.ones_like(x))), ops.zeros_like(x) - 100)


@equivalent(
    "torch.nn.functional.binary_cross_entropy",
    differs=[difference("of short floats near 0 the logarithm of 1 - x is rounded away", when="input.dtype in (ms.float16, ms.bfloat16)", risk="style", zh="低精度浮点中 1 - x 的对数被舍去")],
)
def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """−(t log x + (1 − t) log(1 − x)), logarithms at least −100; of inputs that are nearly 0 or 1 the gradient is bounded: 1e12 times the error.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.binary_cross_entropy.html
    """
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    fixed = ops.stop_gradient(input)
    saturated = fixed * (1 - fixed) < 1e-12
    kept = ops.where(saturated, fixed, input)
    loss = -(target * bounded_log(kept) + (1 - target) * bounded_log(1 - kept))
    if input.dtype != ms.float16:  # which has no 1e12: there the gradient is 0
        loss = loss + ops.where(saturated, ops.stop_gradient((fixed - target) * 1e12) * (input - fixed), ops.zeros_like(input))
    return reduced(loss if weight is None else loss * weight, reduction)


@equivalent("torch.nn.functional.binary_cross_entropy_with_logits", differs=[TWO_DTYPES, difference("an empty tensor gives unspecified values", when="input.numel() == 0", zh="空张量的结果不确定")])
def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
    """Binary cross entropy of sigmoid(input).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.binary_cross_entropy_with_logits.html
    MindSpore's own reduction to the mean loses the division in the gradient of the target.
    """
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    if weight is not None and not weight.is_floating_point():  # a mask: the kernel takes no whole numbers
        return reduced(ops.binary_cross_entropy_with_logits(input, target, None, pos_weight, reduction="none") * weight, reduction)
    if reduction == "mean":
        return ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction="none").mean()
    if reduction == "sum":
        return ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction="none").sum()
    return ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction="none")


@equivalent("torch.nn.functional.kl_div", differs=[DOUBLE])
def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """target · (log target − input). https://docs.pytorch.org/docs/2.13/generated/torch.nn.functional.kl_div.html"""
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    if log_target:
        loss = ops.exp(target) * (target - input)
    else:
        none = target == 0
        logarithm = fine_log(ops.where(none, ops.ones_like(target), target))
        loss = ops.where(none, -target * input, target * (logarithm - input))
    if reduction == "batchmean":
        return reduced(loss, "sum") / (input.shape[0] if input.ndim else 1)
    return reduced(loss, reduction)


@equivalent("torch.nn.functional.cosine_embedding_loss", "torch.cosine_embedding_loss", opinfo="nn.functional.cosine_embedding_loss")
def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    """1 − cos where target is 1, max(0, cos − margin) where it is −1."""
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    axis = input1.ndim - 1
    product = ops.sum(input1 * input2, dim=axis)
    first = ops.sum(input1 * input1, dim=axis) + 1e-12
    second = ops.sum(input2 * input2, dim=axis) + 1e-12
    cosine = product / ops.sqrt(first * second)
    zeros = ops.zeros_like(cosine)
    target = ops.stop_gradient(target)
    loss = ops.where(target == 1, 1 - cosine, zeros) + ops.where(target == -1, not_below_zero(cosine - margin), zeros)
    return reduced(loss, reduction)


@equivalent("torch.nn.functional.margin_ranking_loss", "torch.margin_ranking_loss", opinfo="nn.functional.margin_ranking_loss")
def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    """max(0, −target · (input1 − input2) + margin)."""
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    return reduced(not_below_zero(-target * (input1 - input2) + exact(margin, input1)), reduction)


@equivalent("torch.nn.functional.hinge_embedding_loss", "torch.hinge_embedding_loss", opinfo="nn.functional.hinge_embedding_loss", differs=[WHOLE])
def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    """input where target is 1, max(0, margin − input) where it is −1."""
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    zeros = ops.zeros_like(input)
    target = ops.stop_gradient(target)  # torch's comparisons hand no gradient on, not even zeros
    loss = ops.where(target == 1, zeros, not_below_zero(exact(margin, input) - input)) + ops.where(target == -1, zeros, input)
    return reduced(loss, reduction)


def nearer(one, other):
    """The smaller of two distances; where they are equal each has half of the gradient, as in torch. `ops.minimum` takes nothing empty."""
    return ops.where(one == other, (one + other) / 2, ops.where(one < other, one, other))


@equivalent("torch.nn.functional.triplet_margin_loss")
def triplet_margin_loss(
    anchor, positive, negative, margin=1.0, p=2, eps=1e-06, swap=False, size_average=None, reduce=None, reduction="mean"
):
    """max(0, d(anchor, positive) − d(anchor, negative) + margin)."""
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    near, far = pairwise_distance(anchor, positive, p, eps), pairwise_distance(anchor, negative, p, eps)
    if swap:
        other = pairwise_distance(positive, negative, p, eps)
        far = nearer(far, other)
    return reduced(not_below_zero(near - far + margin), reduction)


@equivalent("torch.nn.functional.soft_margin_loss", differs=[difference("of two dtypes the exponential has the wider one: torch's overflows earlier", when="input.dtype != target.dtype", risk="style", zh="两种类型混用时指数以较宽类型计算")])
def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """log(1 + exp(−target · input))."""
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    return reduced(log1p_near_zero(ops.exp(-target * input)).astype(input.dtype), reduction)


@equivalent("torch.nn.functional.poisson_nll_loss", differs=[DOUBLE])
def poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction="mean"):
    """The negative log likelihood of a Poisson distribution."""
    if size_average is not None or reduce is not None:
        raise Refused(OLD)
    loss = ops.exp(input) - target * input if log_input else input - target * ops.log(input + eps)
    if full:
        stirling = target * ops.log(target) - target + 0.5 * ops.log(2 * 3.141592653589793 * target)
        loss = loss + ops.where(target > 1, stirling, ops.zeros_like(stirling))
    return reduced(loss, reduction)


@equivalent("torch.nn.functional.gaussian_nll_loss", differs=[DOUBLE])
def gaussian_nll_loss(input, target, var, full=False, eps=1e-06, reduction="mean"):
    """The negative log likelihood of a normal distribution; the variance is at least eps."""
    if not isinstance(var, Tensor):
        var = ops.ones_like(input) * var
    if var.shape != input.shape and var.shape == input.shape[:-1]:
        var = var.expand_dims(-1)
    var = var + ops.stop_gradient(ops.maximum(var, eps) - var)
    loss = 0.5 * (ops.log(var) + (input - target) ** 2 / var)
    return reduced(loss + 0.9189385332046727 if full else loss, reduction)
