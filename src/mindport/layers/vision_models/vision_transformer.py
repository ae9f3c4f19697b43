"""The Vision Transformer, with torchvision's names of modules.

Dosovitskiy et al. 2020 (https://arxiv.org/abs/2010.11929); https://docs.pytorch.org/vision/0.28/models/vision_transformer.html.
"""

import math
from collections import OrderedDict, namedtuple
from functools import partial

from mindspore import Parameter, nn, ops

from mindport.declare import layer
from mindport.equivalents.initializers import normal_, trunc_normal_, xavier_uniform_, zeros_
from mindport.layers.activation import GELU, ReLU, Tanh
from mindport.layers.attention import MultiheadAttention
from mindport.layers.convolution import Conv2d
from mindport.layers.dropout import Dropout
from mindport.layers.linear import Linear
from mindport.layers.norm_activation import MLP, Conv2dNormActivation
from mindport.layers.normalization import BatchNorm2d, LayerNorm
from mindport.layers.state_dict import load_own_state


@layer("torchvision.models.vision_transformer.ConvStemConfig")
class ConvStemConfig(
    namedtuple("ConvStemConfig", ["out_channels", "kernel_size", "stride", "norm_layer", "activation_layer"], defaults=[BatchNorm2d, ReLU])
):
    """A convolution of several in the place of the one that makes patches (https://arxiv.org/abs/2106.14881)."""

    __slots__ = ()


@layer("torchvision.models.vision_transformer.MLPBlock")
class MLPBlock(MLP):
    """Two linear layers: (N, S, in_dim) keeps its shape. Files of before 2022 call them linear_1 and linear_2."""

    def __init__(self, in_dim, mlp_dim, dropout):
        super().__init__(in_dim, [mlp_dim, in_dim], activation_layer=GELU, inplace=None, dropout=dropout)
        for place in (0, 3):
            xavier_uniform_(self[place].weight)
            normal_(self[place].bias, std=1e-6)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        for former, place in (("linear_1", 0), ("linear_2", 3)):
            for kind in ("weight", "bias"):
                if f"{prefix}{former}.{kind}" in state_dict:
                    state_dict[f"{prefix}{place}.{kind}"] = state_dict.pop(f"{prefix}{former}.{kind}")
        load_own_state(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)


@layer("torchvision.models.vision_transformer.EncoderBlock")
class EncoderBlock(nn.Cell):
    """Attention, then two linear layers, each behind a normalisation and beside a shortcut: (N, S, hidden_dim) keeps its shape."""

    def __init__(self, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer=partial(LayerNorm, eps=1e-6)):
        super().__init__()
        self.num_heads = num_heads
        self.ln_1 = norm_layer(hidden_dim)
        self.self_attention = MultiheadAttention(hidden_dim, num_heads, dropout=attention_dropout, batch_first=True)
        self.dropout = Dropout(dropout)
        self.ln_2 = norm_layer(hidden_dim)
        self.mlp = MLPBlock(hidden_dim, mlp_dim, dropout)

    def construct(self, input):
        if input.ndim != 3:
            raise AssertionError(f"Expected (batch_size, seq_length, hidden_dim) got {input.shape}")
        x = self.ln_1(input)
        x, _ = self.self_attention(x, x, x, need_weights=False)
        x = self.dropout(x) + input
        return x + self.mlp(self.ln_2(x))


@layer("torchvision.models.vision_transformer.Encoder")
class Encoder(nn.Cell):
    """What a place in the sequence is like, added, and blocks: (N, seq_length, hidden_dim) keeps its shape."""

    def __init__(
        self, seq_length, num_layers, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout,
        norm_layer=partial(LayerNorm, eps=1e-6),
    ):
        super().__init__()
        self.pos_embedding = Parameter(ops.zeros((1, seq_length, hidden_dim)), name="pos_embedding")
        normal_(self.pos_embedding, std=0.02)
        self.dropout = Dropout(dropout)
        self.layers = nn.SequentialCell(
            OrderedDict(
                (f"encoder_layer_{i}", EncoderBlock(num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer))
                for i in range(num_layers)
            )
        )
        self.ln = norm_layer(hidden_dim)

    def construct(self, input):
        if input.ndim != 3:
            raise AssertionError(f"Expected (batch_size, seq_length, hidden_dim) got {input.shape}")
        return self.ln(self.layers(self.dropout(input + self.pos_embedding)))


@layer("torchvision.models.VisionTransformer", "torchvision.models.vision_transformer.VisionTransformer")
class VisionTransformer(nn.Cell):
    """Patches of an image, and one token more, through an encoder, whose first token is classified: (N, 3, image_size, image_size) becomes (N, num_classes)."""

    def __init__(
        self, image_size, patch_size, num_layers, num_heads, hidden_dim, mlp_dim, dropout=0.0, attention_dropout=0.0, num_classes=1000,
        representation_size=None, norm_layer=partial(LayerNorm, eps=1e-6), conv_stem_configs=None,
    ):
        super().__init__()
        if image_size % patch_size != 0:
            raise AssertionError("Input shape indivisible by patch size!")
        self.image_size = image_size
        self.patch_size = patch_size
        self.hidden_dim = hidden_dim
        self.mlp_dim = mlp_dim
        self.attention_dropout = attention_dropout
        self.dropout = dropout
        self.num_classes = num_classes
        self.representation_size = representation_size
        self.norm_layer = norm_layer
        self.conv_proj = Conv2d(3, hidden_dim, patch_size, patch_size) if conv_stem_configs is None else self._stem(conv_stem_configs)
        self.class_token = Parameter(ops.zeros((1, 1, hidden_dim)), name="class_token")
        self.seq_length = (image_size // patch_size) ** 2 + 1
        self.encoder = Encoder(self.seq_length, num_layers, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer)
        if representation_size is None:
            self.heads = nn.SequentialCell(OrderedDict(head=Linear(hidden_dim, num_classes)))
        else:
            self.heads = nn.SequentialCell(
                OrderedDict(pre_logits=Linear(hidden_dim, representation_size), act=Tanh(), head=Linear(representation_size, num_classes))
            )
        self._draw(conv_stem_configs is None)

    def _stem(self, conv_stem_configs):
        parts, width = OrderedDict(), 3
        for i, config in enumerate(conv_stem_configs):
            parts[f"conv_bn_relu_{i}"] = Conv2dNormActivation(
                width, config.out_channels, config.kernel_size, config.stride, norm_layer=config.norm_layer,
                activation_layer=config.activation_layer,
            )
            width = config.out_channels
        parts["conv_last"] = Conv2d(width, self.hidden_dim, 1)
        return nn.SequentialCell(parts)

    def _draw(self, of_patches):
        if of_patches:
            trunc_normal_(self.conv_proj.weight, std=math.sqrt(1 / (3 * self.patch_size**2)))
            zeros_(self.conv_proj.bias)
        else:
            normal_(self.conv_proj.conv_last.weight, std=math.sqrt(2.0 / self.hidden_dim))
            zeros_(self.conv_proj.conv_last.bias)
        if self.representation_size is not None:
            trunc_normal_(self.heads.pre_logits.weight, std=math.sqrt(1 / self.hidden_dim))
            zeros_(self.heads.pre_logits.bias)
        zeros_(self.heads.head.weight)
        zeros_(self.heads.head.bias)

    def _process_input(self, x):
        count, _, height, width = x.shape
        if height != self.image_size:
            raise AssertionError(f"Wrong image height! Expected {self.image_size} but got {height}!")
        if width != self.image_size:
            raise AssertionError(f"Wrong image width! Expected {self.image_size} but got {width}!")
        return ops.permute(ops.reshape(self.conv_proj(x), (count, self.hidden_dim, (height // self.patch_size) * (width // self.patch_size))), (0, 2, 1))

    def construct(self, x):
        x = self._process_input(x)
        token = ops.broadcast_to(self.class_token, (x.shape[0], 1, self.hidden_dim))
        return self.heads(self.encoder(ops.cat((token, x), 1))[:, 0])
