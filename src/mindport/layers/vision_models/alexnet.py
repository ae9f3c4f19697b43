"""AlexNet in the form of Krizhevsky 2014 (https://arxiv.org/abs/1404.5997), with torchvision's names of modules.

https://docs.pytorch.org/vision/0.28/models/alexnet.html
"""

from mindspore import nn, ops

from mindport.declare import equivalent, layer
from mindport.layers.activation import ReLU
from mindport.layers.adaptive_pooling import AdaptiveAvgPool2d
from mindport.layers.convolution import Conv2d
from mindport.layers.dropout import Dropout
from mindport.layers.linear import Linear
from mindport.layers.pooling import MaxPool2d
from mindport.layers.vision_models.pretrained import (
    SHOWN,
    WeightsEnum,
    chosen,
    for_weights,
    trained_on,
    with_weights,
)


@layer("torchvision.models.AlexNet", "torchvision.models.alexnet.AlexNet")
class AlexNet(nn.Cell):
    """Five convolutions and three linear layers: (N, 3, H, W) becomes (N, num_classes)."""

    def __init__(self, num_classes=1000, dropout=0.5):
        super().__init__()
        self.features = nn.SequentialCell(
            Conv2d(3, 64, 11, 4, 2), ReLU(), MaxPool2d(3, 2),
            Conv2d(64, 192, 5, padding=2), ReLU(), MaxPool2d(3, 2),
            Conv2d(192, 384, 3, padding=1), ReLU(),
            Conv2d(384, 256, 3, padding=1), ReLU(),
            Conv2d(256, 256, 3, padding=1), ReLU(), MaxPool2d(3, 2),
        )  # fmt: skip
        self.avgpool = AdaptiveAvgPool2d((6, 6))
        self.classifier = nn.SequentialCell(
            Dropout(dropout), Linear(256 * 6 * 6, 4096), ReLU(),
            Dropout(dropout), Linear(4096, 4096), ReLU(),
            Linear(4096, num_classes),
        )  # fmt: skip

    def construct(self, x):
        x = self.avgpool(self.features(x))
        return self.classifier(ops.flatten(x, start_dim=1))


@layer("torchvision.models.AlexNet_Weights", "torchvision.models.alexnet.AlexNet_Weights")
class AlexNet_Weights(WeightsEnum):
    """Weights of alexnet."""

    IMAGENET1K_V1 = trained_on("alexnet-owt-7be5be79.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.alexnet", "torchvision.models.alexnet.alexnet", drops=SHOWN)
def alexnet(weights=None, progress=True, **options):
    """AlexNet."""
    picked = chosen(AlexNet_Weights, weights, options)
    return with_weights(AlexNet(**for_weights(picked, options)), picked)
