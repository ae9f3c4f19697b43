"""Builders of residual networks and the weights that PyTorch publishes for them.

https://docs.pytorch.org/vision/0.28/models/resnet.html; the networks: `resnet.py`.
"""

from mindport.declare import constant, equivalent, layer
from mindport.layers.vision_models.pretrained import (
    SHOWN,
    WeightsEnum,
    chosen,
    for_weights,
    prescribed,
    trained_on,
    with_weights,
)
from mindport.layers.vision_models.resnet import BasicBlock, Bottleneck, ResNet


def network(block, layers, kinds, weights, options):
    """A residual network with the weights that a builder is asked for."""
    picked = chosen(kinds, weights, options)
    return with_weights(ResNet(block, layers, **for_weights(picked, options)), picked)


@layer("torchvision.models.ResNet18_Weights", "torchvision.models.resnet.ResNet18_Weights")
class ResNet18_Weights(WeightsEnum):
    """Weights of resnet18."""

    IMAGENET1K_V1 = trained_on("resnet18-f37072fd.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.resnet18", "torchvision.models.resnet.resnet18", drops=SHOWN)
def resnet18(weights=None, progress=True, **options):
    """A ResNet of 18 layers."""
    return network(BasicBlock, [2, 2, 2, 2], ResNet18_Weights, weights, options)


@layer("torchvision.models.ResNet34_Weights", "torchvision.models.resnet.ResNet34_Weights")
class ResNet34_Weights(WeightsEnum):
    """Weights of resnet34."""

    IMAGENET1K_V1 = trained_on("resnet34-b627a593.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.resnet34", "torchvision.models.resnet.resnet34", drops=SHOWN)
def resnet34(weights=None, progress=True, **options):
    """A ResNet of 34 layers."""
    return network(BasicBlock, [3, 4, 6, 3], ResNet34_Weights, weights, options)


@layer("torchvision.models.ResNet50_Weights", "torchvision.models.resnet.ResNet50_Weights")
class ResNet50_Weights(WeightsEnum):
    """Weights of resnet50."""

    IMAGENET1K_V1 = trained_on("resnet50-0676ba61.pth")
    IMAGENET1K_V2 = trained_on("resnet50-11ad3fa6.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.resnet50", "torchvision.models.resnet.resnet50", drops=SHOWN)
def resnet50(weights=None, progress=True, **options):
    """A ResNet of 50 layers."""
    return network(Bottleneck, [3, 4, 6, 3], ResNet50_Weights, weights, options)


@layer("torchvision.models.ResNet101_Weights", "torchvision.models.resnet.ResNet101_Weights")
class ResNet101_Weights(WeightsEnum):
    """Weights of resnet101."""

    IMAGENET1K_V1 = trained_on("resnet101-63fe2227.pth")
    IMAGENET1K_V2 = trained_on("resnet101-cd907fc2.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.resnet101", "torchvision.models.resnet.resnet101", drops=SHOWN)
def resnet101(weights=None, progress=True, **options):
    """A ResNet of 101 layers."""
    return network(Bottleneck, [3, 4, 23, 3], ResNet101_Weights, weights, options)


@layer("torchvision.models.ResNet152_Weights", "torchvision.models.resnet.ResNet152_Weights")
class ResNet152_Weights(WeightsEnum):
    """Weights of resnet152."""

    IMAGENET1K_V1 = trained_on("resnet152-394f9c45.pth")
    IMAGENET1K_V2 = trained_on("resnet152-f82ba261.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.resnet152", "torchvision.models.resnet.resnet152", drops=SHOWN)
def resnet152(weights=None, progress=True, **options):
    """A ResNet of 152 layers."""
    return network(Bottleneck, [3, 8, 36, 3], ResNet152_Weights, weights, options)


@layer("torchvision.models.ResNeXt50_32X4D_Weights", "torchvision.models.resnet.ResNeXt50_32X4D_Weights")
class ResNeXt50_32X4D_Weights(WeightsEnum):
    """Weights of resnext50_32x4d."""

    IMAGENET1K_V1 = trained_on("resnext50_32x4d-7cdf4587.pth")
    IMAGENET1K_V2 = trained_on("resnext50_32x4d-1a0047aa.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.resnext50_32x4d", "torchvision.models.resnet.resnext50_32x4d", drops=SHOWN)
def resnext50_32x4d(weights=None, progress=True, **options):
    """A ResNet of 50 layers in 32 groups of 4 channels."""
    return network(Bottleneck, [3, 4, 6, 3], ResNeXt50_32X4D_Weights, weights, prescribed(options, groups=32, width_per_group=4))


@layer("torchvision.models.ResNeXt101_32X8D_Weights", "torchvision.models.resnet.ResNeXt101_32X8D_Weights")
class ResNeXt101_32X8D_Weights(WeightsEnum):
    """Weights of resnext101_32x8d."""

    IMAGENET1K_V1 = trained_on("resnext101_32x8d-8ba56ff5.pth")
    IMAGENET1K_V2 = trained_on("resnext101_32x8d-110c445d.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.resnext101_32x8d", "torchvision.models.resnet.resnext101_32x8d", drops=SHOWN)
def resnext101_32x8d(weights=None, progress=True, **options):
    """A ResNet of 101 layers in 32 groups of 8 channels."""
    return network(Bottleneck, [3, 4, 23, 3], ResNeXt101_32X8D_Weights, weights, prescribed(options, groups=32, width_per_group=8))


@layer("torchvision.models.ResNeXt101_64X4D_Weights", "torchvision.models.resnet.ResNeXt101_64X4D_Weights")
class ResNeXt101_64X4D_Weights(WeightsEnum):
    """Weights of resnext101_64x4d."""

    IMAGENET1K_V1 = trained_on("resnext101_64x4d-173b62eb.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.resnext101_64x4d", "torchvision.models.resnet.resnext101_64x4d", drops=SHOWN)
def resnext101_64x4d(weights=None, progress=True, **options):
    """A ResNet of 101 layers in 64 groups of 4 channels."""
    return network(Bottleneck, [3, 4, 23, 3], ResNeXt101_64X4D_Weights, weights, prescribed(options, groups=64, width_per_group=4))


@layer("torchvision.models.Wide_ResNet50_2_Weights", "torchvision.models.resnet.Wide_ResNet50_2_Weights")
class Wide_ResNet50_2_Weights(WeightsEnum):
    """Weights of wide_resnet50_2."""

    IMAGENET1K_V1 = trained_on("wide_resnet50_2-95faca4d.pth")
    IMAGENET1K_V2 = trained_on("wide_resnet50_2-9ba9bcbe.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.wide_resnet50_2", "torchvision.models.resnet.wide_resnet50_2", drops=SHOWN)
def wide_resnet50_2(weights=None, progress=True, **options):
    """A ResNet of 50 layers, twice as wide."""
    return network(Bottleneck, [3, 4, 6, 3], Wide_ResNet50_2_Weights, weights, prescribed(options, width_per_group=128))


@layer("torchvision.models.Wide_ResNet101_2_Weights", "torchvision.models.resnet.Wide_ResNet101_2_Weights")
class Wide_ResNet101_2_Weights(WeightsEnum):
    """Weights of wide_resnet101_2."""

    IMAGENET1K_V1 = trained_on("wide_resnet101_2-32ee1156.pth")
    IMAGENET1K_V2 = trained_on("wide_resnet101_2-d733dc28.pth", resize_size=232)
    DEFAULT = IMAGENET1K_V2


@equivalent("torchvision.models.wide_resnet101_2", "torchvision.models.resnet.wide_resnet101_2", drops=SHOWN)
def wide_resnet101_2(weights=None, progress=True, **options):
    """A ResNet of 101 layers, twice as wide."""
    return network(Bottleneck, [3, 4, 23, 3], Wide_ResNet101_2_Weights, weights, prescribed(options, width_per_group=128))


#: torchvision's addresses by name, until 0.13.
model_urls = {
    "resnet18": "https://download.pytorch.org/models/resnet18-f37072fd.pth",
    "resnet34": "https://download.pytorch.org/models/resnet34-b627a593.pth",
    "resnet50": "https://download.pytorch.org/models/resnet50-0676ba61.pth",
    "resnet101": "https://download.pytorch.org/models/resnet101-63fe2227.pth",
    "resnet152": "https://download.pytorch.org/models/resnet152-394f9c45.pth",
    "resnext50_32x4d": "https://download.pytorch.org/models/resnext50_32x4d-7cdf4587.pth",
    "resnext101_32x8d": "https://download.pytorch.org/models/resnext101_32x8d-8ba56ff5.pth",
    "wide_resnet50_2": "https://download.pytorch.org/models/wide_resnet50_2-95faca4d.pth",
    "wide_resnet101_2": "https://download.pytorch.org/models/wide_resnet101_2-32ee1156.pth",
}
constant("torchvision.models.resnet.model_urls", model_urls)
