"""VGG: stacks of 3x3 convolutions, with torchvision's names of modules.

Simonyan and Zisserman 2014 (https://arxiv.org/abs/1409.1556); https://docs.pytorch.org/vision/0.28/models/vgg.html.
"""

from mindspore import nn, ops

from mindport.declare import equivalent, layer
from mindport.equivalents.initializers import normal_
from mindport.layers.activation import ReLU
from mindport.layers.adaptive_pooling import AdaptiveAvgPool2d
from mindport.layers.convolution import Conv2d
from mindport.layers.dropout import Dropout
from mindport.layers.linear import Linear
from mindport.layers.normalization import BatchNorm2d
from mindport.layers.pooling import MaxPool2d
from mindport.layers.vision_models.born_weights import draw
from mindport.layers.vision_models.pretrained import (
    chosen,
    for_weights,
    with_weights,
)

#: The channels of the convolutions; "M" halves the image.
TWO = [512, 512, "M"]
THREE = [512, 512, 512, "M"]
FOUR = [512, 512, 512, 512, "M"]
PLANS = {
    "A": [64, "M", 128, "M", 256, 256, "M", *TWO, *TWO],
    "B": [64, 64, "M", 128, 128, "M", 256, 256, "M", *TWO, *TWO],
    "D": [64, 64, "M", 128, 128, "M", 256, 256, 256, "M", *THREE, *THREE],
    "E": [64, 64, "M", 128, 128, "M", 256, 256, 256, 256, "M", *FOUR, *FOUR],
}


@layer("torchvision.models.VGG", "torchvision.models.vgg.VGG")
class VGG(nn.Cell):
    """`features` that give 512 channels, and three linear layers: (N, 3, H, W) becomes (N, num_classes)."""

    def __init__(self, features, num_classes=1000, init_weights=True, dropout=0.5):
        super().__init__()
        self.features = features
        self.avgpool = AdaptiveAvgPool2d((7, 7))
        self.classifier = nn.SequentialCell(
            Linear(512 * 7 * 7, 4096), ReLU(), Dropout(dropout),
            Linear(4096, 4096), ReLU(), Dropout(dropout),
            Linear(4096, num_classes),
        )  # fmt: skip
        if init_weights:
            draw(self, lambda linear: normal_(linear.weight, 0, 0.01))

    def construct(self, x):
        x = self.avgpool(self.features(x))
        return self.classifier(ops.flatten(x, start_dim=1))


@equivalent("torchvision.models.vgg.make_layers")
def make_layers(cfg, batch_norm=False):
    """The convolutions of a plan, each followed by ReLU, and by normalisation before it where that is asked for."""
    made, channels = [], 3
    for step in cfg:
        if step == "M":
            made.append(MaxPool2d(2, 2))
            continue
        made.append(Conv2d(channels, step, 3, padding=1))
        made += [BatchNorm2d(step), ReLU()] if batch_norm else [ReLU()]
        channels = step
    return nn.SequentialCell(*made)


def stacked(plan, batch_norm, kinds, weights, options):
    """A VGG with the weights that a builder is asked for."""
    picked = chosen(kinds, weights, options)
    if picked is not None:
        options = {**options, "init_weights": False}
    if picked is None or picked.name != "IMAGENET1K_FEATURES":
        options = for_weights(picked, options)
    return with_weights(VGG(make_layers(PLANS[plan], batch_norm), **options), picked)
