"""GoogLeNet (Inception v1 with batch normalisation), with torchvision's names of modules.

Szegedy et al. 2014 (https://arxiv.org/abs/1409.4842); https://docs.pytorch.org/vision/0.28/models/googlenet.html. The windows
of five are of three, as in torchvision.
"""

from collections import namedtuple

from mindspore import nn, ops

from mindport.declare import equivalent, layer
from mindport.equivalents.pooling import adaptive_avg_pool2d
from mindport.layers.adaptive_pooling import AdaptiveAvgPool2d
from mindport.layers.dropout import Dropout
from mindport.layers.linear import Linear
from mindport.layers.pooling import MaxPool2d
from mindport.layers.vision_models.inception_parts import BasicConv2d, drawn_narrowly, options_of, recoloured
from mindport.layers.vision_models.pretrained import SHOWN, WeightsEnum, chosen, trained_on, with_weights


@layer("torchvision.models.GoogLeNetOutputs", "torchvision.models.googlenet.GoogLeNetOutputs", "torchvision.models._GoogLeNetOutputs", "torchvision.models.googlenet._GoogLeNetOutputs")
class GoogLeNetOutputs(namedtuple("GoogLeNetOutputs", ["logits", "aux_logits2", "aux_logits1"])):
    """What the network gives in training: its own scores, and those of the later and the earlier auxiliary head."""

    __slots__ = ()


@layer("torchvision.models.googlenet.Inception")
class Inception(nn.Cell):
    """Four ways side by side: (N, in_channels, H, W) becomes (N, ch1x1 + ch3x3 + ch5x5 + pool_proj, H, W)."""

    def __init__(self, in_channels, ch1x1, ch3x3red, ch3x3, ch5x5red, ch5x5, pool_proj, conv_block=None):
        super().__init__()
        block = BasicConv2d if conv_block is None else conv_block
        self.branch1 = block(in_channels, ch1x1, kernel_size=1)
        self.branch2 = nn.SequentialCell(
            block(in_channels, ch3x3red, kernel_size=1), block(ch3x3red, ch3x3, kernel_size=3, padding=1)
        )
        self.branch3 = nn.SequentialCell(
            block(in_channels, ch5x5red, kernel_size=1), block(ch5x5red, ch5x5, kernel_size=3, padding=1)
        )
        self.branch4 = nn.SequentialCell(
            MaxPool2d(3, 1, 1, ceil_mode=True), block(in_channels, pool_proj, kernel_size=1)
        )

    def _forward(self, x):
        return [self.branch1(x), self.branch2(x), self.branch3(x), self.branch4(x)]

    def construct(self, x):
        return ops.cat(self._forward(x), 1)


@layer("torchvision.models.googlenet.InceptionAux")
class InceptionAux(nn.Cell):
    """An auxiliary head: (N, in_channels, H, W) becomes (N, num_classes)."""

    def __init__(self, in_channels, num_classes, conv_block=None, dropout=0.7):
        super().__init__()
        block = BasicConv2d if conv_block is None else conv_block
        self.conv = block(in_channels, 128, kernel_size=1)
        self.fc1 = Linear(2048, 1024)
        self.fc2 = Linear(1024, num_classes)
        self.dropout = Dropout(dropout)

    def construct(self, x):
        x = ops.flatten(self.conv(adaptive_avg_pool2d(x, (4, 4))), start_dim=1)
        return self.fc2(self.dropout(ops.relu(self.fc1(x))))


@layer("torchvision.models.GoogLeNet", "torchvision.models.googlenet.GoogLeNet")
class GoogLeNet(nn.Cell):
    """(N, 3, H, W) becomes (N, num_classes); in training with `aux_logits` a `GoogLeNetOutputs`."""

    def __init__(
        self, num_classes=1000, aux_logits=True, transform_input=False, init_weights=None, blocks=None, dropout=0.2,
        dropout_aux=0.7,
    ):
        super().__init__()
        blocks = [BasicConv2d, Inception, InceptionAux] if blocks is None else blocks
        if len(blocks) != 3:
            raise ValueError(f"blocks length should be 3 instead of {len(blocks)}")
        block, inception, aux = blocks
        self.aux_logits = aux_logits
        self.transform_input = transform_input
        self.conv1 = block(3, 64, kernel_size=7, stride=2, padding=3)
        self.maxpool1 = MaxPool2d(3, 2, ceil_mode=True)
        self.conv2 = block(64, 64, kernel_size=1)
        self.conv3 = block(64, 192, kernel_size=3, padding=1)
        self.maxpool2 = MaxPool2d(3, 2, ceil_mode=True)
        self.inception3a = inception(192, 64, 96, 128, 16, 32, 32)
        self.inception3b = inception(256, 128, 128, 192, 32, 96, 64)
        self.maxpool3 = MaxPool2d(3, 2, ceil_mode=True)
        self.inception4a = inception(480, 192, 96, 208, 16, 48, 64)
        self.inception4b = inception(512, 160, 112, 224, 24, 64, 64)
        self.inception4c = inception(512, 128, 128, 256, 24, 64, 64)
        self.inception4d = inception(512, 112, 144, 288, 32, 64, 64)
        self.inception4e = inception(528, 256, 160, 320, 32, 128, 128)
        self.maxpool4 = MaxPool2d(2, 2, ceil_mode=True)
        self.inception5a = inception(832, 256, 160, 320, 32, 128, 128)
        self.inception5b = inception(832, 384, 192, 384, 48, 128, 128)
        self.aux1 = aux(512, num_classes, dropout=dropout_aux) if aux_logits else None
        self.aux2 = aux(528, num_classes, dropout=dropout_aux) if aux_logits else None
        self.avgpool = AdaptiveAvgPool2d((1, 1))
        self.dropout = Dropout(dropout)
        self.fc = Linear(1024, num_classes)
        if init_weights is None or init_weights:
            drawn_narrowly(self, 0.01)

    def _transform_input(self, x):
        return recoloured(x) if self.transform_input else x

    def _forward(self, x):
        x = self.maxpool2(self.conv3(self.conv2(self.maxpool1(self.conv1(x)))))
        x = self.inception4a(self.maxpool3(self.inception3b(self.inception3a(x))))
        earlier = self.aux1(x) if self.aux1 is not None and self.training else None
        x = self.inception4d(self.inception4c(self.inception4b(x)))
        later = self.aux2(x) if self.aux2 is not None and self.training else None
        x = self.inception5b(self.inception5a(self.maxpool4(self.inception4e(x))))
        return self.fc(self.dropout(ops.flatten(self.avgpool(x), start_dim=1))), later, earlier

    def eager_outputs(self, x, aux2, aux1):
        return GoogLeNetOutputs(x, aux2, aux1) if self.training and self.aux_logits else x

    def construct(self, x):
        x, later, earlier = self._forward(self._transform_input(x))
        return self.eager_outputs(x, later, earlier)


@layer("torchvision.models.GoogLeNet_Weights", "torchvision.models.googlenet.GoogLeNet_Weights")
class GoogLeNet_Weights(WeightsEnum):
    """Weights of googlenet."""

    IMAGENET1K_V1 = trained_on("googlenet-1378be20.pth")
    DEFAULT = IMAGENET1K_V1


@equivalent("torchvision.models.googlenet", "torchvision.models.googlenet.googlenet", drops=SHOWN)
def googlenet(weights=None, progress=True, **options):
    """GoogLeNet. Its weights want `transform_input` unless it is given; their auxiliary heads, which are not trained, go unless `aux_logits` is given."""
    picked = chosen(GoogLeNet_Weights, weights, options)
    made = with_weights(GoogLeNet(**options_of(picked, options)), picked)
    if picked is not None and not options.get("aux_logits", False):
        made.aux_logits = False
        made.aux1 = None
        made.aux2 = None
    return made
