"""torchvision's small blocks: a convolution with its normalisation and activation, squeeze and excitation, a perceptron.

https://docs.pytorch.org/vision/0.28/ops.html#layers. `inplace` reaches the layers that are made, where it has no effect.
"""

import warnings

from mindspore import nn

from mindport.declare import layer
from mindport.layers.activation import ReLU, Sigmoid
from mindport.layers.adaptive_pooling import AdaptiveAvgPool2d
from mindport.layers.container import Sequential
from mindport.layers.convolution import Conv2d, Conv3d
from mindport.layers.dropout import Dropout
from mindport.layers.linear import Linear
from mindport.layers.normalization import BatchNorm2d, BatchNorm3d


def by_axis(value, axes):
    """A number for every axis."""
    return tuple(value) if isinstance(value, (list, tuple)) else (value,) * axes


@layer("torchvision.ops.misc.ConvNormActivation")
class ConvNormActivation(Sequential):
    """A convolution, then a normalisation and an activation where they are asked for: (N, in_channels, …) becomes (N, out_channels, …).

    Where `padding` is None, an odd kernel with a stride of 1 keeps the size. There is a bias where there is no normalisation.
    """

    def __init__(
        self, in_channels, out_channels, kernel_size=3, stride=1, padding=None, groups=1, norm_layer=BatchNorm2d,
        activation_layer=ReLU, dilation=1, inplace=True, bias=None, conv_layer=Conv2d,
    ):
        if padding is None:
            if isinstance(kernel_size, int) and isinstance(dilation, int):
                padding = (kernel_size - 1) // 2 * dilation
            else:
                axes = len(dilation if isinstance(kernel_size, int) else kernel_size)
                kernel_size, dilation = by_axis(kernel_size, axes), by_axis(dilation, axes)
                padding = tuple((size - 1) // 2 * step for size, step in zip(kernel_size, dilation))
        has_bias = norm_layer is None if bias is None else bias
        made = [conv_layer(in_channels, out_channels, kernel_size, stride, padding, dilation=dilation, groups=groups, bias=has_bias)]
        if norm_layer is not None:
            made.append(norm_layer(out_channels))
        if activation_layer is not None:
            made.append(activation_layer() if inplace is None else activation_layer(inplace=inplace))
        super().__init__(*made)
        self.out_channels = out_channels
        if type(self) is ConvNormActivation:
            warnings.warn("Don't use ConvNormActivation directly, please use Conv2dNormActivation and Conv3dNormActivation instead.", stacklevel=2)


@layer("torchvision.ops.Conv2dNormActivation", "torchvision.ops.misc.Conv2dNormActivation")
class Conv2dNormActivation(ConvNormActivation):
    """The block of images: (N, in_channels, H, W) becomes (N, out_channels, H/stride, W/stride).

    https://docs.pytorch.org/vision/0.28/generated/torchvision.ops.Conv2dNormActivation.html
    """

    def __init__(
        self, in_channels, out_channels, kernel_size=3, stride=1, padding=None, groups=1, norm_layer=BatchNorm2d,
        activation_layer=ReLU, dilation=1, inplace=True, bias=None,
    ):
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, groups, norm_layer, activation_layer, dilation,
            inplace, bias, Conv2d,
        )


@layer("torchvision.ops.Conv3dNormActivation", "torchvision.ops.misc.Conv3dNormActivation")
class Conv3dNormActivation(ConvNormActivation):
    """The block of volumes: (N, in_channels, D, H, W) becomes (N, out_channels, D/stride, H/stride, W/stride).

    https://docs.pytorch.org/vision/0.28/generated/torchvision.ops.Conv3dNormActivation.html
    """

    def __init__(
        self, in_channels, out_channels, kernel_size=3, stride=1, padding=None, groups=1, norm_layer=BatchNorm3d,
        activation_layer=ReLU, dilation=1, inplace=True, bias=None,
    ):
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, groups, norm_layer, activation_layer, dilation,
            inplace, bias, Conv3d,
        )


@layer("torchvision.ops.SqueezeExcitation", "torchvision.ops.misc.SqueezeExcitation")
class SqueezeExcitation(nn.Cell):
    """Each channel of (N, input_channels, H, W) times a factor that is computed from the means of all channels.

    Hu et al. 2017 (https://arxiv.org/abs/1709.01507); https://docs.pytorch.org/vision/0.28/generated/torchvision.ops.SqueezeExcitation.html
    """

    def __init__(self, input_channels, squeeze_channels, activation=ReLU, scale_activation=Sigmoid):
        super().__init__()
        self.avgpool = AdaptiveAvgPool2d(1)
        self.fc1 = Conv2d(input_channels, squeeze_channels, 1)
        self.fc2 = Conv2d(squeeze_channels, input_channels, 1)
        self.activation = activation()
        self.scale_activation = scale_activation()

    def _scale(self, input):
        return self.scale_activation(self.fc2(self.activation(self.fc1(self.avgpool(input)))))

    def construct(self, input):
        return self._scale(input) * input


@layer("torchvision.ops.MLP", "torchvision.ops.misc.MLP")
class MLP(Sequential):
    """Linear layers with dropout, normalisations and activations between them: (…, in_channels) becomes (…, hidden_channels[-1]).

    https://docs.pytorch.org/vision/0.28/generated/torchvision.ops.MLP.html
    """

    def __init__(
        self, in_channels, hidden_channels, norm_layer=None, activation_layer=ReLU, inplace=None, bias=True, dropout=0.0,
    ):
        params = {} if inplace is None else {"inplace": inplace}
        made = []
        for before, width in zip([in_channels, *hidden_channels[:-2]], hidden_channels[:-1]):
            made.append(Linear(before, width, bias=bias))
            if norm_layer is not None:
                made.append(norm_layer(width))
            made += [activation_layer(**params), Dropout(dropout, **params)]
        last = hidden_channels[-2] if len(hidden_channels) > 1 else in_channels
        made += [Linear(last, hidden_channels[-1], bias=bias), Dropout(dropout, **params)]
        super().__init__(*made)
