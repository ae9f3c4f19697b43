"""Builders of residual networks over videos, the weights that PyTorch publishes for them, and what they see of a video.

https://docs.pytorch.org/vision/0.28/models/video_resnet.html; the networks: `video_resnet.py`.
"""

from functools import partial

from mindport.declare import equivalent, layer
from mindport.equivalents.video_presets import VideoClassification
from mindport.layers.vision_models.pretrained import (
    SHOWN,
    Pretrained,
    WeightsEnum,
    chosen,
    prescribed,
    with_weights,
)
from mindport.layers.vision_models.video_resnet import (
    BasicStem,
    Conv2Plus1D,
    Conv3DNoTemporal,
    Conv3DSimple,
    R2Plus1dStem,
    VideoBasicBlock,
    VideoResNet,
)


def trained_on_videos(name):
    """Weights in a file of PyTorch's, and the size of the videos that they were trained on."""
    preparation = partial(VideoClassification, crop_size=(112, 112), resize_size=(128, 171))
    return Pretrained(f"https://download.pytorch.org/models/{name}", preparation)


def video_network(conv_makers, stem, kinds, weights, options):
    """A residual network of 18 layers over videos with the weights that a builder is asked for; these have 400 classes."""
    picked = chosen(kinds, weights, options, "KINETICS400_V1")
    options = options if picked is None else prescribed(options, num_classes=400)
    return with_weights(VideoResNet(VideoBasicBlock, conv_makers, [2, 2, 2, 2], stem, **options), picked)


@layer("torchvision.models.video.R3D_18_Weights", "torchvision.models.video.resnet.R3D_18_Weights")
class R3D_18_Weights(WeightsEnum):
    """Weights of r3d_18."""

    KINETICS400_V1 = trained_on_videos("r3d_18-b3b3357e.pth")
    DEFAULT = KINETICS400_V1


@equivalent("torchvision.models.video.r3d_18", "torchvision.models.video.resnet.r3d_18", drops=SHOWN)
def r3d_18(weights=None, progress=True, **options):
    """18 layers of convolutions over time and space."""
    return video_network([Conv3DSimple] * 4, BasicStem, R3D_18_Weights, weights, options)


@layer("torchvision.models.video.MC3_18_Weights", "torchvision.models.video.resnet.MC3_18_Weights")
class MC3_18_Weights(WeightsEnum):
    """Weights of mc3_18."""

    KINETICS400_V1 = trained_on_videos("mc3_18-a90a0ba3.pth")
    DEFAULT = KINETICS400_V1


@equivalent("torchvision.models.video.mc3_18", "torchvision.models.video.resnet.mc3_18", drops=SHOWN)
def mc3_18(weights=None, progress=True, **options):
    """18 layers of convolutions, over time only in the first stage."""
    return video_network([Conv3DSimple] + [Conv3DNoTemporal] * 3, BasicStem, MC3_18_Weights, weights, options)


@layer("torchvision.models.video.R2Plus1D_18_Weights", "torchvision.models.video.resnet.R2Plus1D_18_Weights")
class R2Plus1D_18_Weights(WeightsEnum):
    """Weights of r2plus1d_18."""

    KINETICS400_V1 = trained_on_videos("r2plus1d_18-91a641e6.pth")
    DEFAULT = KINETICS400_V1


@equivalent("torchvision.models.video.r2plus1d_18", "torchvision.models.video.resnet.r2plus1d_18", drops=SHOWN)
def r2plus1d_18(weights=None, progress=True, **options):
    """18 layers of convolutions over space and then over time."""
    return video_network([Conv2Plus1D] * 4, R2Plus1dStem, R2Plus1D_18_Weights, weights, options)
