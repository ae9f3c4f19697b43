"""timm's small layers, with the arguments of timm 1.0: stochastic depth, the perceptron of vision transformers, a norm over channels."""

from mindspore import nn, ops

from mindport.declare import Refused, layer
from mindport.equivalents.stochastic_depth import drop_path
from mindport.equivalents.timm_tuples import to_2tuple
from mindport.layers.activation import GELU
from mindport.layers.convolution import Conv2d
from mindport.layers.dropout import Dropout
from mindport.layers.linear import Identity, Linear
from mindport.layers.normalization import AFFINE, LayerNorm

DEVICE = {"device": "MindSpore places every parameter on the device of the context"}


@layer("timm.layers.DropPath")
class DropPath(nn.Cell):
    """In training each example becomes zero with probability drop_prob, and the others grow by 1 / (1 - drop_prob)."""

    def __init__(self, drop_prob=0.0, scale_by_keep=True):
        super().__init__()
        self.drop_prob = drop_prob
        self.scale_by_keep = scale_by_keep
        self.set_train()  # torch's modules begin in training mode; a parent's mode reaches it later

    def construct(self, x):
        return drop_path(x, self.drop_prob, self.training, self.scale_by_keep)


@layer("timm.layers.Mlp", drops=DEVICE)
class Mlp(nn.Cell):
    """Two linear layers (or convolutions of size 1) with an activation, dropout and a norm between them: (…, in_features) becomes (…, out_features).

    The fifth argument was `drop` before timm 0.8: a number there is refused. `drop1` and `drop2` were one layer, `drop`, before 0.5.
    """

    def __init__(
        self, in_features, hidden_features=None, out_features=None, act_layer=GELU, norm_layer=None, bias=True, drop=0.0, use_conv=False,
        device=None, dtype=None,
    ):  # fmt: skip
        if isinstance(norm_layer, (int, float)):
            raise Refused("the fifth argument of timm's Mlp is norm_layer since 0.8, it was drop before: give drop by name")
        if dtype is not None:
            raise Refused("dtype is not supported: build the layer in float32 and call to_float() on it")
        super().__init__()
        hidden = hidden_features or in_features
        with_bias, rates = to_2tuple(bias), to_2tuple(drop)
        size = (1,) if use_conv else ()
        linear = Conv2d if use_conv else Linear
        self.fc1 = linear(in_features, hidden, *size, bias=with_bias[0])
        self.act = act_layer()
        self.drop1 = Dropout(rates[0])
        self.norm = norm_layer(hidden) if norm_layer is not None else Identity()
        self.fc2 = linear(hidden, out_features or in_features, *size, bias=with_bias[1])
        self.drop2 = Dropout(rates[1])

    def construct(self, x):
        return self.drop2(self.fc2(self.norm(self.drop1(self.act(self.fc1(x))))))


@layer("timm.layers.LayerNorm2d", state=AFFINE, attributes={"eps": "epsilon"}, drops=DEVICE)
class LayerNorm2d(LayerNorm):
    """Normalisation of each place of (N, num_channels, H, W) over its channels. Before timm 0.5 it was over nothing but one place, and raised elsewhere."""

    def __init__(self, num_channels, eps=1e-6, affine=True, *, bias=True, device=None, dtype=None):
        super().__init__(num_channels, eps, affine, bias, None, dtype)

    def construct(self, input):
        return ops.permute(super().construct(ops.permute(input, (0, 2, 3, 1))), (0, 3, 1, 2))
