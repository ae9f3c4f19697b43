"""What GoogLeNet and Inception v3 share: convolution, normalisation and ReLU in one, images in other colours, weights with auxiliary heads.

https://docs.pytorch.org/vision/0.28/models/inception.html
"""

from mindspore import nn, ops

from mindport.declare import layer
from mindport.equivalents.initializers import trunc_normal_
from mindport.layers.convolution import Conv2d
from mindport.layers.normalization import BatchNorm2d
from mindport.layers.vision_models.pretrained import for_weights


@layer("torchvision.models.inception.BasicConv2d", "torchvision.models.googlenet.BasicConv2d")
class BasicConv2d(nn.Cell):
    """A convolution without bias, normalised over the batch, with ReLU behind."""

    def __init__(self, in_channels, out_channels, **kwargs):
        super().__init__()
        self.conv = Conv2d(in_channels, out_channels, bias=False, **kwargs)
        self.bn = BatchNorm2d(out_channels, eps=0.001)

    def construct(self, x):
        return ops.relu(self.bn(self.conv(x)))


def recoloured(x):
    """Images normalised with ImageNet's mean and spread as the networks' own authors normalised theirs, between -1 and 1."""
    red = ops.expand_dims(x[:, 0], 1) * (0.229 / 0.5) + (0.485 - 0.5) / 0.5
    green = ops.expand_dims(x[:, 1], 1) * (0.224 / 0.5) + (0.456 - 0.5) / 0.5
    blue = ops.expand_dims(x[:, 2], 1) * (0.225 / 0.5) + (0.406 - 0.5) / 0.5
    return ops.cat((red, green, blue), 1)


def drawn_narrowly(network, spread):
    """Weights of convolutions and linear layers from a normal distribution; a layer's `stddev` says another spread."""
    for _, cell in network.cells_and_names():
        if isinstance(cell, (nn.Conv2d, nn.Dense)):
            trunc_normal_(cell.weight, 0.0, float(getattr(cell, "stddev", spread)), -2, 2)


def options_of(picked, options):
    """A builder's options with what its weights prescribe: both heads, images in other colours."""
    if picked is None:
        return options
    return for_weights(picked, {"transform_input": True, **options}, aux_logits=True, init_weights=False)
