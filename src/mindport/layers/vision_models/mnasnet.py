"""MNASNet and the weights that PyTorch publishes for it, with torchvision's names of modules.

Tan et al. 2018 (https://arxiv.org/abs/1807.11626), its variant B1; https://docs.pytorch.org/vision/0.28/models/mnasnet.html
"""

from mindspore import nn, ops

from mindport.declare import equivalent, layer
from mindport.equivalents.initializers import kaiming_uniform_
from mindport.layers.activation import ReLU
from mindport.layers.convolution import Conv2d
from mindport.layers.dropout import Dropout
from mindport.layers.linear import Linear
from mindport.layers.normalization import BatchNorm2d
from mindport.layers.vision_models.born_weights import draw
from mindport.layers.vision_models.pretrained import (
    SHOWN,
    WeightsEnum,
    chosen,
    for_weights,
    trained_on,
    with_weights,
)

#: How fast running statistics follow the batches: the paper's 0.9997 in torch's meaning.
MOMENTUM = 1 - 0.9997


@layer("torchvision.models.mnasnet._InvertedResidual")
class _InvertedResidual(nn.Cell):
    """A wide depthwise convolution between two of 1x1, beside a shortcut where the shape stays: (N, in_ch, H, W) becomes (N, out_ch, H/stride, W/stride)."""

    def __init__(self, in_ch, out_ch, kernel_size, stride, expansion_factor, bn_momentum=0.1):
        super().__init__()
        if stride not in (1, 2):
            raise ValueError(f"stride should be 1 or 2 instead of {stride}")
        if kernel_size not in (3, 5):
            raise ValueError(f"kernel_size should be 3 or 5 instead of {kernel_size}")
        wide = in_ch * expansion_factor
        self.apply_residual = in_ch == out_ch and stride == 1
        self.layers = nn.SequentialCell(
            Conv2d(in_ch, wide, 1, bias=False), BatchNorm2d(wide, momentum=bn_momentum), ReLU(),
            Conv2d(wide, wide, kernel_size, stride, kernel_size // 2, groups=wide, bias=False),
            BatchNorm2d(wide, momentum=bn_momentum), ReLU(),
            Conv2d(wide, out_ch, 1, bias=False), BatchNorm2d(out_ch, momentum=bn_momentum),
        )

    def construct(self, input):
        return self.layers(input) + input if self.apply_residual else self.layers(input)


@equivalent("torchvision.models.mnasnet._stack")
def _stack(in_ch, out_ch, kernel_size, stride, exp_factor, repeats, bn_momentum):
    """Blocks in a row: the first has the stride and changes the channels. Raises ValueError where there are none."""
    if repeats < 1:
        raise ValueError(f"repeats should be >= 1, instead got {repeats}")
    first = _InvertedResidual(in_ch, out_ch, kernel_size, stride, exp_factor, bn_momentum)
    return nn.SequentialCell(
        first, *[_InvertedResidual(out_ch, out_ch, kernel_size, 1, exp_factor, bn_momentum) for _ in range(1, repeats)]
    )


@equivalent("torchvision.models.mnasnet._round_to_multiple_of")
def _round_to_multiple_of(val, divisor, round_up_bias=0.9):
    """The multiple of `divisor` nearest to `val`, at least `round_up_bias` times it. Raises ValueError where the share is not between 0 and 1."""
    if not 0.0 < round_up_bias < 1.0:
        raise ValueError(f"round_up_bias should be greater than 0.0 and smaller than 1.0 instead of {round_up_bias}")
    nearest = max(divisor, int(val + divisor / 2) // divisor * divisor)
    return nearest if nearest >= round_up_bias * val else nearest + divisor


@equivalent("torchvision.models.mnasnet._get_depths")
def _get_depths(alpha):
    """The channels of the network's eight parts, `alpha` times as many."""
    return [_round_to_multiple_of(depth * alpha, 8) for depth in (32, 16, 24, 40, 80, 96, 192, 320)]


@layer("torchvision.models.MNASNet", "torchvision.models.mnasnet.MNASNet")
class MNASNet(nn.Cell):
    """A depthwise stem, stacks of inverted residual blocks and a linear layer: (N, 3, H, W) becomes (N, num_classes)."""

    _version = 2

    def __init__(self, alpha, num_classes=1000, dropout=0.2):
        super().__init__()
        if alpha <= 0.0:
            raise ValueError(f"alpha should be greater than 0.0 instead of {alpha}")
        self.alpha = alpha
        self.num_classes = num_classes
        depths = _get_depths(alpha)
        self.layers = nn.SequentialCell(
            Conv2d(3, depths[0], 3, 2, 1, bias=False), BatchNorm2d(depths[0], momentum=MOMENTUM), ReLU(),
            Conv2d(depths[0], depths[0], 3, 1, 1, groups=depths[0], bias=False), BatchNorm2d(depths[0], momentum=MOMENTUM), ReLU(),
            Conv2d(depths[0], depths[1], 1, bias=False), BatchNorm2d(depths[1], momentum=MOMENTUM),
            _stack(depths[1], depths[2], 3, 2, 3, 3, MOMENTUM),
            _stack(depths[2], depths[3], 5, 2, 3, 3, MOMENTUM),
            _stack(depths[3], depths[4], 5, 2, 6, 3, MOMENTUM),
            _stack(depths[4], depths[5], 3, 1, 6, 2, MOMENTUM),
            _stack(depths[5], depths[6], 5, 2, 6, 4, MOMENTUM),
            _stack(depths[6], depths[7], 3, 1, 6, 1, MOMENTUM),
            Conv2d(depths[7], 1280, 1, bias=False), BatchNorm2d(1280, momentum=MOMENTUM), ReLU(),
        )
        self.classifier = nn.SequentialCell(Dropout(p=dropout), Linear(1280, num_classes))
        draw(self, lambda linear: kaiming_uniform_(linear.weight, mode="fan_out", nonlinearity="sigmoid"))

    def construct(self, x):
        return self.classifier(ops.mean(self.layers(x), (2, 3)))


def network(alpha, kinds, weights, options):
    """A MNASNet with the weights that a builder is asked for."""
    picked = chosen(kinds, weights, options)
    return with_weights(MNASNet(alpha, **for_weights(picked, options)), picked)


@layer("torchvision.models.MNASNet0_5_Weights", "torchvision.models.mnasnet.MNASNet0_5_Weights")
class MNASNet0_5_Weights(WeightsEnum):
    """Weights of mnasnet0_5."""

    IMAGENET1K_V1 = trained_on("mnasnet0.5_top1_67.823-3ffadce67e.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.mnasnet0_5", "torchvision.models.mnasnet.mnasnet0_5", drops=SHOWN)
def mnasnet0_5(weights=None, progress=True, **options):
    """A MNASNet of 0.5 times the channels."""
    return network(0.5, MNASNet0_5_Weights, weights, options)


@layer("torchvision.models.MNASNet0_75_Weights", "torchvision.models.mnasnet.MNASNet0_75_Weights")
class MNASNet0_75_Weights(WeightsEnum):
    """Weights of mnasnet0_75."""

    IMAGENET1K_V1 = trained_on("mnasnet0_75-7090bc5f.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.mnasnet0_75", "torchvision.models.mnasnet.mnasnet0_75", drops=SHOWN)
def mnasnet0_75(weights=None, progress=True, **options):
    """A MNASNet of 0.75 times the channels."""
    return network(0.75, MNASNet0_75_Weights, weights, options)


@layer("torchvision.models.MNASNet1_0_Weights", "torchvision.models.mnasnet.MNASNet1_0_Weights")
class MNASNet1_0_Weights(WeightsEnum):
    """Weights of mnasnet1_0."""

    IMAGENET1K_V1 = trained_on("mnasnet1.0_top1_73.512-f206786ef8.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.mnasnet1_0", "torchvision.models.mnasnet.mnasnet1_0", drops=SHOWN)
def mnasnet1_0(weights=None, progress=True, **options):
    """A MNASNet of 1.0 times the channels."""
    return network(1.0, MNASNet1_0_Weights, weights, options)


@layer("torchvision.models.MNASNet1_3_Weights", "torchvision.models.mnasnet.MNASNet1_3_Weights")
class MNASNet1_3_Weights(WeightsEnum):
    """Weights of mnasnet1_3."""

    IMAGENET1K_V1 = trained_on("mnasnet1_3-a4c69d6f.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.mnasnet1_3", "torchvision.models.mnasnet.mnasnet1_3", drops=SHOWN)
def mnasnet1_3(weights=None, progress=True, **options):
    """A MNASNet of 1.3 times the channels."""
    return network(1.3, MNASNet1_3_Weights, weights, options)
