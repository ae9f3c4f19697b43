"""Losses of classification.

`size_average` and `reduce` (torch's old names of `reduction`) are refused.
"""

import mindspore as ms
from mindspore import Tensor, nn, ops

from mindport.declare import Refused, difference, layer
from mindport.equivalents.losses import (
    binary_cross_entropy,
    cross_entropy_of_any_float,
    kl_div,
    reduced,
    soft_margin_loss,
)
from mindport.equivalents.multi_class_losses import (
    ctc_loss,
    multi_margin_loss,
    multilabel_margin_loss,
    multilabel_soft_margin_loss,
)
from mindport.equivalents.near_zero import softplus_of
from mindport.layers.loss_bases import LossWithState

NOT_FINITE = difference("an infinite or NaN input makes the loss of its sample NaN, whichever class the target is", when="inputs and not ms.isfinite(inputs[0]).all()", risk="loud", zh="输入含无穷或 NaN 时，该样本的损失为 NaN")
EMPTY_WHOLE = difference("of an empty tensor of integers the result is float32", when="inputs and inputs[0].numel() == 0 and not inputs[0].is_floating_point()", risk="style", zh="空整数张量的结果为 float32")
EMPTY = difference("an empty input gives unspecified values", when="inputs and inputs[0].numel() == 0", zh="空输入的结果不确定")

SHORT = difference("of float16 the exponentials are added up in float32, torch rounds their sum to float16", when="inputs and inputs[0].dtype == ms.float16", risk="style", zh="float16 输入的指数和以 float32 累加，torch 舍入到 float16")


@layer("torch.nn.CrossEntropyLoss", differs=[NOT_FINITE, EMPTY, SHORT])
class CrossEntropyLoss(LossWithState):
    """Negative log of the softmax at the target: class numbers, or probabilities of the input's shape.

    `nn.CrossEntropyLoss` takes no int64 labels; a label out of range ends the process.
    https://docs.pytorch.org/docs/2.13/generated/torch.nn.CrossEntropyLoss.html
    """

    def __init__(
        self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0
    ):
        super().__init__()
        if size_average is not None or reduce is not None:
            raise Refused("size_average and reduce are old names: write reduction")
        self.weight = weight
        self.ignore_index = ignore_index
        self.reduction = reduction
        self.label_smoothing = label_smoothing

    def construct(self, input, target):
        if target.dtype == ms.int64:
            target = target.astype(ms.int32)
        if input.dtype == ms.float16 or target.dtype == ms.float64:
            return cross_entropy_of_any_float(input, target, self.weight, self.ignore_index, self.reduction, self.label_smoothing)
        return ops.cross_entropy(input, target, self.weight, self.ignore_index, self.reduction, self.label_smoothing)


@layer("torch.nn.NLLLoss", "torch.nn.NLLLoss2d", differs=[NOT_FINITE, EMPTY])
class NLLLoss(LossWithState):
    """Minus the input at the target class.

    `nn.NLLLoss` takes no int64 labels; a label out of range ends the process.
    https://docs.pytorch.org/docs/2.13/generated/torch.nn.NLLLoss.html
    """

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            raise Refused("size_average and reduce are old names: write reduction")
        self.weight = weight
        self.ignore_index = ignore_index
        self.reduction = reduction

    def construct(self, input, target):
        return ops.nll_loss(input, target.astype(ms.int32), self.weight, self.ignore_index, self.reduction)


@layer("torch.nn.BCELoss", differs=[difference("of short floats near 0 the logarithm of 1 - x is rounded away", when="inputs and inputs[0].dtype in (ms.float16, ms.bfloat16)", risk="style", zh="低精度浮点中 1 - x 的对数被舍去")])
class BCELoss(LossWithState):
    """Binary cross entropy of probabilities; logs are bounded below by -100.

    Of inputs that are nearly 0 or 1 the gradient is at most 1e12 times the error.
    https://docs.pytorch.org/docs/2.13/generated/torch.nn.BCELoss.html
    """

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            raise Refused("size_average and reduce are old names: write reduction")
        self.weight = weight
        self.reduction = reduction

    def construct(self, input, target):
        return binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


@layer("torch.nn.BCEWithLogitsLoss", differs=[difference("of two dtypes the result has the wider one, torch's is rounded to that of the input", when="len(inputs) > 1 and inputs[0].dtype != inputs[1].dtype", risk="style", zh="两种类型混用时结果为较宽类型")])
class BCEWithLogitsLoss(LossWithState):
    """Binary cross entropy of logits.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.BCEWithLogitsLoss.html
    """

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
        super().__init__()
        if size_average is not None or reduce is not None:
            raise Refused("size_average and reduce are old names: write reduction")
        self.weight = weight
        self.reduction = reduction
        self.pos_weight = pos_weight

    def construct(self, input, target):
        softened = softplus_of(-input, 1, 40)
        if self.pos_weight is None:
            loss = (1 - target) * input + softened
        else:
            loss = (1 - target) * input + (1 + (self.pos_weight - 1) * target) * softened
        if self.weight is not None:
            loss = loss * self.weight
        return reduced(loss, self.reduction)


@layer("torch.nn.KLDivLoss")
class KLDivLoss(nn.Cell):
    """Divergence of log probabilities (input) from probabilities (target).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.KLDivLoss.html
    """

    def __init__(self, size_average=None, reduce=None, reduction="mean", log_target=False):
        super().__init__()
        if size_average is not None or reduce is not None:
            raise Refused("size_average and reduce are old names: write reduction")
        self.reduction = reduction
        self.log_target = log_target

    def construct(self, input, target):
        return kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


@layer("torch.nn.SoftMarginLoss")
class SoftMarginLoss(nn.Cell):
    """log(1 + exp(-target * input)) for targets 1 and -1.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.SoftMarginLoss.html
    """

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            raise Refused("size_average and reduce are old names: write reduction")
        self.reduction = reduction

    def construct(self, input, target):
        return soft_margin_loss(input, target, reduction=self.reduction)


@layer("torch.nn.MultiLabelSoftMarginLoss")
class MultiLabelSoftMarginLoss(LossWithState):
    """Binary cross entropy of logits, averaged over the classes.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.MultiLabelSoftMarginLoss.html
    """

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            raise Refused("size_average and reduce are old names: write reduction")
        self.weight = weight
        self.reduction = reduction

    def construct(self, input, target):
        return multilabel_soft_margin_loss(input, target, self.weight, reduction=self.reduction)


@layer("torch.nn.MultiMarginLoss", differs=[EMPTY_WHOLE])
class MultiMarginLoss(LossWithState):
    """How far the right class fails to lead every other by `margin`.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.MultiMarginLoss.html
    """

    def __init__(self, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            raise Refused("size_average and reduce are old names: write reduction")
        self.p = p
        self.margin = margin
        self.weight = weight
        self.reduction = reduction

    def construct(self, input, target):
        return multi_margin_loss(input, target, self.p, self.margin, self.weight, reduction=self.reduction)


@layer("torch.nn.MultiLabelMarginLoss")
class MultiLabelMarginLoss(nn.Cell):
    """How far every target class fails to lead every other class by 1; targets end at the first -1.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.MultiLabelMarginLoss.html
    """

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            raise Refused("size_average and reduce are old names: write reduction")
        self.reduction = reduction

    def construct(self, input, target):
        return multilabel_margin_loss(input, target, reduction=self.reduction)


@layer("torch.nn.CTCLoss", differs=[difference("labels below 0 are read out of bounds on both sides", when="len(inputs) > 1 and (inputs[1] < 0).any()", zh="负标签在两侧都越界读取")])
class CTCLoss(nn.Cell):
    """Negative log likelihood of label sequences over all alignments; log_probs is (T, N, C).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.CTCLoss.html
    """

    def __init__(self, blank=0, reduction="mean", zero_infinity=False):
        super().__init__()
        self.blank = blank
        self.reduction = reduction
        self.zero_infinity = zero_infinity

    def construct(self, log_probs, targets, input_lengths, target_lengths):
        if log_probs.ndim == 2:
            raise NotImplementedError("log_probs without a batch axis: write log_probs.unsqueeze(1)")
        times = input_lengths if isinstance(input_lengths, Tensor) else Tensor(input_lengths)
        sizes = target_lengths if isinstance(target_lengths, Tensor) else Tensor(target_lengths)
        if targets.ndim == 1:
            counts = [int(n) for n in sizes.asnumpy()]
            rows, start = [], 0
            for count in counts:
                rows.append(ops.pad(targets[start : start + count], (0, max(counts) - count)))
                start += count
            targets = ops.stack(rows)
        return ctc_loss(log_probs, targets, times, sizes, self.blank, self.reduction, self.zero_infinity)
