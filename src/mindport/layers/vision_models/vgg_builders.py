"""Builders of VGG and the weights that PyTorch publishes for them. https://docs.pytorch.org/vision/0.28/models/vgg.html"""

from mindport.declare import equivalent, layer
from mindport.layers.vision_models.pretrained import SHOWN, WeightsEnum, trained_on
from mindport.layers.vision_models.vgg import stacked


@layer("torchvision.models.VGG11_Weights", "torchvision.models.vgg.VGG11_Weights")
class VGG11_Weights(WeightsEnum):
    """Weights of vgg11."""

    IMAGENET1K_V1 = trained_on("vgg11-8a719046.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.vgg11", "torchvision.models.vgg.vgg11", drops=SHOWN)
def vgg11(weights=None, progress=True, **options):
    """A VGG of 11 layers."""
    return stacked("A", False, VGG11_Weights, weights, options)


@layer("torchvision.models.VGG11_BN_Weights", "torchvision.models.vgg.VGG11_BN_Weights")
class VGG11_BN_Weights(WeightsEnum):
    """Weights of vgg11_bn."""

    IMAGENET1K_V1 = trained_on("vgg11_bn-6002323d.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.vgg11_bn", "torchvision.models.vgg.vgg11_bn", drops=SHOWN)
def vgg11_bn(weights=None, progress=True, **options):
    """A VGG of 11 layers, with batch normalisation."""
    return stacked("A", True, VGG11_BN_Weights, weights, options)


@layer("torchvision.models.VGG13_Weights", "torchvision.models.vgg.VGG13_Weights")
class VGG13_Weights(WeightsEnum):
    """Weights of vgg13."""

    IMAGENET1K_V1 = trained_on("vgg13-19584684.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.vgg13", "torchvision.models.vgg.vgg13", drops=SHOWN)
def vgg13(weights=None, progress=True, **options):
    """A VGG of 13 layers."""
    return stacked("B", False, VGG13_Weights, weights, options)


@layer("torchvision.models.VGG13_BN_Weights", "torchvision.models.vgg.VGG13_BN_Weights")
class VGG13_BN_Weights(WeightsEnum):
    """Weights of vgg13_bn."""

    IMAGENET1K_V1 = trained_on("vgg13_bn-abd245e5.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.vgg13_bn", "torchvision.models.vgg.vgg13_bn", drops=SHOWN)
def vgg13_bn(weights=None, progress=True, **options):
    """A VGG of 13 layers, with batch normalisation."""
    return stacked("B", True, VGG13_BN_Weights, weights, options)


@layer("torchvision.models.VGG16_Weights", "torchvision.models.vgg.VGG16_Weights")
class VGG16_Weights(WeightsEnum):
    """Weights of vgg16."""

    IMAGENET1K_V1 = trained_on("vgg16-397923af.pth")
    IMAGENET1K_FEATURES = trained_on(
        "vgg16_features-amdegroot-88682ab5.pth", mean=(0.48235, 0.45882, 0.40784), std=(1 / 255.0, 1 / 255.0, 1 / 255.0)
    )
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.vgg16", "torchvision.models.vgg.vgg16", drops=SHOWN)
def vgg16(weights=None, progress=True, **options):
    """A VGG of 16 layers."""
    return stacked("D", False, VGG16_Weights, weights, options)


@layer("torchvision.models.VGG16_BN_Weights", "torchvision.models.vgg.VGG16_BN_Weights")
class VGG16_BN_Weights(WeightsEnum):
    """Weights of vgg16_bn."""

    IMAGENET1K_V1 = trained_on("vgg16_bn-6c64b313.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.vgg16_bn", "torchvision.models.vgg.vgg16_bn", drops=SHOWN)
def vgg16_bn(weights=None, progress=True, **options):
    """A VGG of 16 layers, with batch normalisation."""
    return stacked("D", True, VGG16_BN_Weights, weights, options)


@layer("torchvision.models.VGG19_Weights", "torchvision.models.vgg.VGG19_Weights")
class VGG19_Weights(WeightsEnum):
    """Weights of vgg19."""

    IMAGENET1K_V1 = trained_on("vgg19-dcbb9e9d.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.vgg19", "torchvision.models.vgg.vgg19", drops=SHOWN)
def vgg19(weights=None, progress=True, **options):
    """A VGG of 19 layers."""
    return stacked("E", False, VGG19_Weights, weights, options)


@layer("torchvision.models.VGG19_BN_Weights", "torchvision.models.vgg.VGG19_BN_Weights")
class VGG19_BN_Weights(WeightsEnum):
    """Weights of vgg19_bn."""

    IMAGENET1K_V1 = trained_on("vgg19_bn-c79401a0.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.vgg19_bn", "torchvision.models.vgg.vgg19_bn", drops=SHOWN)
def vgg19_bn(weights=None, progress=True, **options):
    """A VGG of 19 layers, with batch normalisation."""
    return stacked("E", True, VGG19_BN_Weights, weights, options)
