"""Builders of densely connected networks and the weights that PyTorch publishes for them.

https://docs.pytorch.org/vision/0.28/models/densenet.html; the networks: `densenet.py`.
"""

import re

from mindport.declare import equivalent, layer
from mindport.layers.state_dict import load_state_dict
from mindport.layers.vision_models.densenet import DenseNet
from mindport.layers.vision_models.pretrained import (
    SHOWN,
    WeightsEnum,
    chosen,
    for_weights,
    trained_on,
    with_weights,
)

#: The published files are older than the rule that a module's name has no dot: "denselayer1.norm.1.weight".
FORMER_NAME = re.compile(r"(\.denselayer\d+\.(?:norm|conv))\.([12]\.)")


def dense_network(growth_rate, block_config, num_init_features, kinds, weights, options):
    """A densely connected network with the weights that a builder is asked for."""
    picked = chosen(kinds, weights, options)
    model = DenseNet(growth_rate, block_config, num_init_features, **for_weights(picked, options))
    if picked is not None:
        load_state_dict(model, {FORMER_NAME.sub(r"\1\2", name): value for name, value in picked.get_state_dict().items()})
    return with_weights(model, None)


@layer("torchvision.models.DenseNet121_Weights", "torchvision.models.densenet.DenseNet121_Weights")
class DenseNet121_Weights(WeightsEnum):
    """Weights of densenet121."""

    IMAGENET1K_V1 = trained_on("densenet121-a639ec97.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.densenet121", "torchvision.models.densenet.densenet121", drops=SHOWN)
def densenet121(weights=None, progress=True, **options):
    """A DenseNet of 121 layers."""
    return dense_network(32, (6, 12, 24, 16), 64, DenseNet121_Weights, weights, options)


@layer("torchvision.models.DenseNet161_Weights", "torchvision.models.densenet.DenseNet161_Weights")
class DenseNet161_Weights(WeightsEnum):
    """Weights of densenet161."""

    IMAGENET1K_V1 = trained_on("densenet161-8d451a50.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.densenet161", "torchvision.models.densenet.densenet161", drops=SHOWN)
def densenet161(weights=None, progress=True, **options):
    """A DenseNet of 161 layers, wider than the others."""
    return dense_network(48, (6, 12, 36, 24), 96, DenseNet161_Weights, weights, options)


@layer("torchvision.models.DenseNet169_Weights", "torchvision.models.densenet.DenseNet169_Weights")
class DenseNet169_Weights(WeightsEnum):
    """Weights of densenet169."""

    IMAGENET1K_V1 = trained_on("densenet169-b2777c0a.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.densenet169", "torchvision.models.densenet.densenet169", drops=SHOWN)
def densenet169(weights=None, progress=True, **options):
    """A DenseNet of 169 layers."""
    return dense_network(32, (6, 12, 32, 32), 64, DenseNet169_Weights, weights, options)


@layer("torchvision.models.DenseNet201_Weights", "torchvision.models.densenet.DenseNet201_Weights")
class DenseNet201_Weights(WeightsEnum):
    """Weights of densenet201."""

    IMAGENET1K_V1 = trained_on("densenet201-c1103571.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.densenet201", "torchvision.models.densenet.densenet201", drops=SHOWN)
def densenet201(weights=None, progress=True, **options):
    """A DenseNet of 201 layers."""
    return dense_network(32, (6, 12, 48, 32), 64, DenseNet201_Weights, weights, options)
