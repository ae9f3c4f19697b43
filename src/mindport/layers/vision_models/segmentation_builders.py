"""Builders of segmentations over ResNet and the weights that PyTorch publishes for them.

https://docs.pytorch.org/vision/0.28/models.html#semantic-segmentation
"""

from functools import partial

from mindport.declare import equivalent, layer
from mindport.equivalents.image_presets import SemanticSegmentation
from mindport.layers.vision_models.layer_getter import IntermediateLayerGetter
from mindport.layers.vision_models.pretrained import SHOWN, Pretrained, WeightsEnum, chosen, with_weights
from mindport.layers.vision_models.resnet_builders import (
    ResNet50_Weights,
    ResNet101_Weights,
    resnet50,
    resnet101,
)
from mindport.layers.vision_models.segmentation import FCN, DeepLabHead, DeepLabV3, FCNHead

S = "torchvision.models.segmentation."
#: The classes of Pascal VOC with the background.
CLASSES = 21
FIRST = "COCO_WITH_VOC_LABELS_V1"


def of_pascal(url):
    """Weights at an address below torchvision's, trained on the part of COCO that has Pascal VOC's classes."""
    return Pretrained(f"https://download.pytorch.org/models/{url}", partial(SemanticSegmentation, resize_size=520))


def same_or(value, wanted, name):
    """What weights prescribe. Raises ValueError where an argument says otherwise."""
    if value is not None and value != wanted:
        raise ValueError(f"The parameter '{name}' expected value {wanted} but got {value} instead.")
    return wanted


def segmenting(network, head, build, kinds, weights, num_classes, aux_loss, trunk_kinds, weights_backbone, options):
    """A segmentation over a residual network whose last two stages are dilated instead of strided."""
    picked = chosen(kinds, weights, options, FIRST)
    trunk = chosen(trunk_kinds, weights_backbone, {})
    if not options.pop("pretrained_backbone", True) or picked is not None:
        trunk = None
    if picked is not None:
        num_classes = same_or(num_classes, CLASSES, "num_classes")
        aux_loss = same_or(aux_loss, True, "aux_loss")
    count = CLASSES if num_classes is None else num_classes
    wanted = {"layer4": "out", "layer3": "aux"} if aux_loss else {"layer4": "out"}
    features = IntermediateLayerGetter(build(weights=trunk, replace_stride_with_dilation=[False, True, True]), wanted)
    return with_weights(network(features, head(2048, count), FCNHead(1024, count) if aux_loss else None), picked)


@layer(S + "FCN_ResNet50_Weights", S + "fcn.FCN_ResNet50_Weights")
class FCN_ResNet50_Weights(WeightsEnum):
    """Weights of fcn_resnet50."""

    COCO_WITH_VOC_LABELS_V1 = of_pascal("fcn_resnet50_coco-1167a1af.pth")
    DEFAULT = COCO_WITH_VOC_LABELS_V1


@equivalent(S + "fcn_resnet50", S + "fcn.fcn_resnet50", drops=SHOWN)
def fcn_resnet50(
    weights=None, progress=True, num_classes=None, aux_loss=None, weights_backbone=ResNet50_Weights.IMAGENET1K_V1, **options,
):
    """FCN over ResNet-50, which has weights of its own unless `weights_backbone` is None."""
    return segmenting(
        FCN, FCNHead, resnet50, FCN_ResNet50_Weights, weights, num_classes, aux_loss, ResNet50_Weights, weights_backbone, options
    )


@layer(S + "FCN_ResNet101_Weights", S + "fcn.FCN_ResNet101_Weights")
class FCN_ResNet101_Weights(WeightsEnum):
    """Weights of fcn_resnet101."""

    COCO_WITH_VOC_LABELS_V1 = of_pascal("fcn_resnet101_coco-7ecb50ca.pth")
    DEFAULT = COCO_WITH_VOC_LABELS_V1


@equivalent(S + "fcn_resnet101", S + "fcn.fcn_resnet101", drops=SHOWN)
def fcn_resnet101(
    weights=None, progress=True, num_classes=None, aux_loss=None, weights_backbone=ResNet101_Weights.IMAGENET1K_V1, **options,
):
    """FCN over ResNet-101, which has weights of its own unless `weights_backbone` is None."""
    return segmenting(
        FCN, FCNHead, resnet101, FCN_ResNet101_Weights, weights, num_classes, aux_loss, ResNet101_Weights, weights_backbone, options
    )


@layer(S + "DeepLabV3_ResNet50_Weights", S + "deeplabv3.DeepLabV3_ResNet50_Weights")
class DeepLabV3_ResNet50_Weights(WeightsEnum):
    """Weights of deeplabv3_resnet50."""

    COCO_WITH_VOC_LABELS_V1 = of_pascal("deeplabv3_resnet50_coco-cd0a2569.pth")
    DEFAULT = COCO_WITH_VOC_LABELS_V1


@equivalent(S + "deeplabv3_resnet50", S + "deeplabv3.deeplabv3_resnet50", drops=SHOWN)
def deeplabv3_resnet50(
    weights=None, progress=True, num_classes=None, aux_loss=None, weights_backbone=ResNet50_Weights.IMAGENET1K_V1, **options,
):
    """DeepLabV3 over ResNet-50, which has weights of its own unless `weights_backbone` is None."""
    return segmenting(
        DeepLabV3, DeepLabHead, resnet50, DeepLabV3_ResNet50_Weights, weights, num_classes, aux_loss, ResNet50_Weights,
        weights_backbone, options,
    )  # fmt: skip


@layer(S + "DeepLabV3_ResNet101_Weights", S + "deeplabv3.DeepLabV3_ResNet101_Weights")
class DeepLabV3_ResNet101_Weights(WeightsEnum):
    """Weights of deeplabv3_resnet101."""

    COCO_WITH_VOC_LABELS_V1 = of_pascal("deeplabv3_resnet101_coco-586e9e4e.pth")
    DEFAULT = COCO_WITH_VOC_LABELS_V1


@equivalent(S + "deeplabv3_resnet101", S + "deeplabv3.deeplabv3_resnet101", drops=SHOWN)
def deeplabv3_resnet101(
    weights=None, progress=True, num_classes=None, aux_loss=None, weights_backbone=ResNet101_Weights.IMAGENET1K_V1, **options,
):
    """DeepLabV3 over ResNet-101, which has weights of its own unless `weights_backbone` is None."""
    return segmenting(
        DeepLabV3, DeepLabHead, resnet101, DeepLabV3_ResNet101_Weights, weights, num_classes, aux_loss, ResNet101_Weights,
        weights_backbone, options,
    )  # fmt: skip
