"""Losses of values that should be equal.

`size_average` and `reduce` (torch's old names of `reduction`) are refused.
"""

from mindspore import Tensor, nn, ops

from mindport.declare import Refused, difference, layer
from mindport.equivalents.losses import huber_loss, l1_loss, mse_loss, reduced, smooth_l1_loss

EMPTY = difference("an empty input gives unspecified values", when="reduction != 'none' and inputs and inputs[0].numel() == 0", zh="空输入的结果不确定")

COMPLEX = difference("a complex input gives a complex result, whose imaginary part is 0", when="len(inputs) > 1 and (inputs[0].is_complex() or inputs[1].is_complex())", zh="复数输入得到复数结果")
TWO_DTYPES = difference("of two dtypes the result has the wider one, torch's is that of the input", when="len(inputs) > 1 and inputs[0].dtype != inputs[1].dtype", risk="style", zh="两种类型混用时结果为较宽类型")
#: Their kernels round float64 to float32 on CPU; the classes here do not.
ROUNDED = difference("float64 that nothing shows has the accuracy of float32 on CPU", when="inputs and isinstance(inputs[0], Tensor) and not seen_dtype(inputs[0], ms.float64) and inputs[0].dtype == ms.float64", zh="未能识别的 float64 在 CPU 上只有 float32 精度")


def reduction_of(loss):
    """What a loss of MindSpore's was made with: it keeps two flags."""
    return ("mean" if loss.average else "sum") if loss.reduce else "none"


@layer("torch.nn.MSELoss", base_suffices=True, differs=[EMPTY, ROUNDED])
class MSELoss(nn.MSELoss):
    """Squared difference of input and target.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.MSELoss.html
    """

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        if size_average is not None or reduce is not None:
            raise Refused("size_average and reduce are old names: write reduction")
        super().__init__(reduction)

    def construct(self, *inputs):
        return mse_loss(*inputs, reduction=reduction_of(self))


@layer("torch.nn.L1Loss", base_suffices=True, differs=[EMPTY, COMPLEX, ROUNDED])
class L1Loss(nn.L1Loss):
    """Absolute difference of input and target.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.L1Loss.html
    """

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        if size_average is not None or reduce is not None:
            raise Refused("size_average and reduce are old names: write reduction")
        super().__init__(reduction)

    def construct(self, *inputs):
        return l1_loss(*inputs, reduction=reduction_of(self))


@layer("torch.nn.SmoothL1Loss", base_suffices=True, differs=[EMPTY, ROUNDED, difference("operands of two shapes raise", when="inputs[0].shape != inputs[1].shape", risk="loud", zh="两个形状不同的操作数会报错")])
class SmoothL1Loss(nn.SmoothL1Loss):
    """Squared difference below `beta`, absolute above (MindSpore's own reduction is none).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.SmoothL1Loss.html
    """

    def __init__(self, size_average=None, reduce=None, reduction="mean", beta=1.0):
        if size_average is not None or reduce is not None:
            raise Refused("size_average and reduce are old names: write reduction")
        if beta == 0:
            raise Refused("beta=0 is the absolute difference: use L1Loss")
        super().__init__(beta=beta, reduction=reduction)

    def construct(self, *inputs):
        return smooth_l1_loss(*inputs, reduction=self.reduction, beta=self.beta)


@layer("torch.nn.HuberLoss", base_suffices=True, differs=[EMPTY, TWO_DTYPES, ROUNDED])
class HuberLoss(nn.HuberLoss):
    """Squared difference below `delta`, absolute above.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.HuberLoss.html
    """

    def __init__(self, reduction="mean", delta=1.0):
        super().__init__(reduction, delta)

    def construct(self, *inputs):
        return huber_loss(*inputs, reduction=reduction_of(self), delta=self.delta)


@layer("torch.nn.PoissonNLLLoss")
class PoissonNLLLoss(nn.Cell):
    """Negative log likelihood of counts under a Poisson distribution.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.PoissonNLLLoss.html
    """

    def __init__(self, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            raise Refused("size_average and reduce are old names: write reduction")
        self.log_input = log_input
        self.full = full
        self.eps = eps
        self.reduction = reduction

    def construct(self, log_input, target):
        if self.log_input:
            loss = ops.exp(log_input) - target * log_input
        else:
            loss = log_input - target * ops.log(log_input + self.eps)
        if self.full:
            safe = ops.maximum(target, ops.ones_like(target))
            stirling = target * ops.log(safe) - target + 0.5 * ops.log(6.283185307179586 * safe)
            loss = loss + ops.where(target > 1, stirling, ops.zeros_like(stirling))
        return reduced(loss, self.reduction)


@layer("torch.nn.GaussianNLLLoss")
class GaussianNLLLoss(nn.Cell):
    """Negative log likelihood of values under normal distributions.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.GaussianNLLLoss.html
    """

    def __init__(self, *, full=False, eps=1e-06, reduction="mean"):
        super().__init__()
        self.full = full
        self.eps = eps
        self.reduction = reduction

    def construct(self, input, target, var):
        if not isinstance(var, Tensor):
            var = ops.full_like(input, var)
        elif var.shape != input.shape and var.shape == input.shape[:-1]:
            var = var.expand_dims(-1)
        bounded = ops.maximum(var, ops.full(var.shape, self.eps, dtype=var.dtype))
        # torch bounds the value of var and lets the gradient through.
        var = var + ops.stop_gradient(bounded - var)
        loss = 0.5 * (ops.log(var) + (input - target) * (input - target) / var)
        if self.full:
            loss = loss + 0.9189385332046727
        return reduced(loss, self.reduction)
