"""Layers that few projects use, over the functions that compute them."""

from mindspore import nn, ops

from mindport.declare import Refused, difference, layer
from mindport.equivalents.dropout import feature_alpha_dropout
from mindport.equivalents.fractional_pooling import fractional_max_pool2d, fractional_max_pool3d
from mindport.equivalents.multi_class_losses import linear_cross_entropy
from mindport.layers.dropout import INPLACE
from mindport.layers.linear import DEVICE, Linear
from mindport.layers.loss_bases import LossWithState

NAN = difference("NaN in a window is lost on CPU", when="inputs and ms.isnan(inputs[0]).any()", zh="窗口中的 NaN 会丢失")
EMPTY = difference("an empty input gives unspecified values", when="inputs and inputs[0].numel() == 0", zh="空输入的结果不确定")
EMPTY_WHOLE = difference("an empty tensor of integers becomes float32", when="inputs and inputs[0].numel() == 0 and not inputs[0].is_floating_point()", zh="空整数张量变为 float32")


@layer("torch.nn.FractionalMaxPool2d", state={"_random_samples": None}, differs=[NAN])
class FractionalMaxPool2d(nn.Cell):
    """The maxima of (N, C, H, W) over windows at drawn places.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.FractionalMaxPool2d.html
    """

    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        super().__init__()
        if (output_size is None) == (output_ratio is None):
            raise ValueError("give either output_size or output_ratio")
        self.kernel_size = kernel_size
        self.output_size = output_size
        self.output_ratio = output_ratio
        self.return_indices = return_indices
        self._random_samples = _random_samples

    def construct(self, input):
        return fractional_max_pool2d(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices, self._random_samples
        )


@layer("torch.nn.FractionalMaxPool3d", state={"_random_samples": None}, differs=[NAN])
class FractionalMaxPool3d(nn.Cell):
    """The maxima of (N, C, T, H, W) over windows at drawn places.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.FractionalMaxPool3d.html
    """

    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        super().__init__()
        if (output_size is None) == (output_ratio is None):
            raise ValueError("give either output_size or output_ratio")
        self.kernel_size = kernel_size
        self.output_size = output_size
        self.output_ratio = output_ratio
        self.return_indices = return_indices
        self._random_samples = _random_samples

    def construct(self, input):
        return fractional_max_pool3d(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices, self._random_samples
        )


@layer("torch.nn.CrossMapLRN2d", differs=[
    difference("torch's backward is not the gradient of what its forward computes; here it is: use LocalResponseNorm in new code"),
])
class CrossMapLRN2d(nn.Cell):
    """x / (k + alpha / size * sum of squares over neighbouring channels) ** beta.

    An even size counts as the odd one below it. As in torch, the first channel's square stays in the sum of every
    later channel whose window has left it behind.
    https://docs.pytorch.org/docs/2.13/generated/torch.nn.CrossMapLRN2d.html
    """

    def __init__(self, size, alpha=0.0001, beta=0.75, k=1):
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def construct(self, input):
        channels, beside = input.shape[1], (self.size - 1) // 2
        square = (input * input).swapaxes(1, -1)
        squares = ops.pad(square, (beside, beside))
        total = squares.narrow(-1, 0, channels)
        for offset in range(1, 2 * beside + 1):
            total = total + squares.narrow(-1, offset, channels)
        if beside + 1 < channels:
            kept = ops.zeros((channels,), input.dtype)
            kept[beside + 1:] = 1
            total = total + square.narrow(-1, 0, 1) * kept
        scale = self.k + total.swapaxes(1, -1) * (self.alpha / self.size)
        return input * ops.pow(scale, -self.beta)


@layer("torch.nn.FeatureAlphaDropout", differs=[*INPLACE, EMPTY_WHOLE])
class FeatureAlphaDropout(nn.Cell):
    """Alpha dropout of whole channels: (N, C, *) keeps mean and variance of standard normal inputs.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.FeatureAlphaDropout.html
    """

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"the probability {p} is not between 0 and 1")
        self.p = p
        self.inplace = inplace

    def construct(self, input):
        return feature_alpha_dropout(input, self.p, self.training)


@layer("torch.nn.LinearCrossEntropyLoss", drops=DEVICE, differs=[EMPTY])
class LinearCrossEntropyLoss(LossWithState):
    """The cross entropy of a linear map's output, with the map's weight and bias.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LinearCrossEntropyLoss.html
    """

    def __init__(
        self, in_features, num_classes, *, out_features=(), bias=False, device=None, dtype=None, reduction="mean",
        weight=None, ignore_index=None, label_smoothing=0.0, options=None,
    ):
        if options is not None:
            raise Refused("options (computing in chunks): leave them out, the result is the same")
        super().__init__()
        outputs = num_classes
        for size in out_features:
            outputs = outputs * size
        self.linear = Linear(in_features, outputs, bias, dtype=dtype)
        self.num_classes = num_classes
        self.out_features = tuple(out_features)
        self.weight = weight
        self.reduction = reduction
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def construct(self, input, target):
        rows = self.linear.weight
        table = rows.reshape((self.num_classes, *self.out_features, rows.shape[-1]))
        bias = None if self.linear.bias is None else self.linear.bias.reshape((self.num_classes, *self.out_features))
        return linear_cross_entropy(
            input, table, target, linear_bias=bias, weight=self.weight, reduction=self.reduction,
            ignore_index=self.ignore_index, label_smoothing=self.label_smoothing,
        )
