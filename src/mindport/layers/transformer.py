"""Transformer layers and stacks, from attention, linear layers and normalisation.

`nn.TransformerEncoder` builds new layers from the given one's numbers where torch copies the layer, and
`nn.TransformerEncoderLayer` takes neither bias=False nor activations other than relu and gelu.
"""

import copy
import math

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.common.initializer import XavierUniform, initializer

from mindport.declare import Refused, difference, equivalent, layer
from mindport.equivalents.activation import gelu
from mindport.layers.activation import GELU
from mindport.layers.attention import MultiheadAttention
from mindport.layers.dropout import Dropout
from mindport.layers.linear import Linear
from mindport.layers.normalization import LayerNorm

DEVICE = {"device": "MindSpore places every parameter on the device of the context"}
NORMS = {
    "norm1.weight": "norm1.gamma", "norm1.bias": "norm1.beta", "norm2.weight": "norm2.gamma",
    "norm2.bias": "norm2.beta", "norm3.weight": "norm3.gamma", "norm3.bias": "norm3.beta",
}
NESTED = difference(
    "in evaluation without gradients torch may write zeros at padded positions; here they hold values",
    risk="style", zh="推理时 PyTorch 可能在填充位置写零，这里保留数值",
)


def _activation(activation):
    if activation == "relu":
        return ops.relu
    if activation == "gelu":
        return GELU()
    if isinstance(activation, str):
        raise Refused("activation is 'relu', 'gelu' or a function")
    return activation


@layer("torch.nn.TransformerEncoderLayer", state=NORMS, drops=DEVICE, differs=[NESTED])
class TransformerEncoderLayer(nn.Cell):
    """Self attention and two linear layers, each with dropout, a residual connection and normalisation.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.TransformerEncoderLayer.html
    """

    def __init__(
        self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation="relu", layer_norm_eps=1e-05,
        batch_first=False, norm_first=False, bias=True, device=None, dtype=None,
    ):
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias=bias, batch_first=batch_first)
        self.linear1 = Linear(d_model, dim_feedforward, bias)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = _activation(activation)

    def construct(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        x = src
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), src_mask, src_key_padding_mask, is_causal=is_causal)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(x + self._sa_block(x, src_mask, src_key_padding_mask, is_causal=is_causal))
        return self.norm2(x + self._ff_block(x))

    # The parts have torch's names: projects' subclasses call and override them.
    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        return self.dropout1(self.self_attn(x, None, None, key_padding_mask, False, attn_mask)[0])

    def _ff_block(self, x):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


@layer("torch.nn.TransformerDecoderLayer", state=NORMS, drops=DEVICE)
class TransformerDecoderLayer(nn.Cell):
    """Self attention, attention to the memory and two linear layers, each with residual and normalisation.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.TransformerDecoderLayer.html
    """

    def __init__(
        self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation="relu", layer_norm_eps=1e-05,
        batch_first=False, norm_first=False, bias=True, device=None, dtype=None,
    ):
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias=bias, batch_first=batch_first)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, bias=bias, batch_first=batch_first)
        self.linear1 = Linear(d_model, dim_feedforward, bias)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias)
        self.norm3 = LayerNorm(d_model, layer_norm_eps, bias=bias)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = _activation(activation)

    def construct(
        self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
        memory_key_padding_mask=None, tgt_is_causal=False, memory_is_causal=False,
    ):
        x = tgt
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), tgt_mask, tgt_key_padding_mask, tgt_is_causal)
            x = x + self._mha_block(self.norm2(x), memory, memory_mask, memory_key_padding_mask, memory_is_causal)
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(x + self._sa_block(x, tgt_mask, tgt_key_padding_mask, tgt_is_causal))
        x = self.norm2(x + self._mha_block(x, memory, memory_mask, memory_key_padding_mask, memory_is_causal))
        return self.norm3(x + self._ff_block(x))

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        return self.dropout1(self.self_attn(x, None, None, key_padding_mask, False, attn_mask)[0])

    def _mha_block(self, x, mem, attn_mask, key_padding_mask, is_causal=False):
        return self.dropout2(self.multihead_attn(x, mem, mem, key_padding_mask, False, attn_mask)[0])

    def _ff_block(self, x):
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))


def _copies(module, count):
    return nn.CellList([copy.deepcopy(module) for _ in range(count)])


@equivalent("torch.nn.modules.transformer._get_clones")
def _get_clones(module, N):
    """A list of N copies of a layer, for stacks that follow torch's own."""
    return _copies(module, N)


@equivalent("torch.nn.modules.transformer._get_activation_fn")
def _get_activation_fn(activation):
    """The function of a name: relu or gelu."""
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return ops.relu if activation == "relu" else gelu


@layer(
    "torch.nn.TransformerEncoder", differs=[NESTED],
    drops={"enable_nested_tensor": "a faster path of torch", "mask_check": "a faster path of torch"},
)
class TransformerEncoder(nn.Cell):
    """Copies of one encoder layer, one after the other.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.TransformerEncoder.html
    """

    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = _copies(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def construct(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        output = src
        for one in self.layers:
            output = one(output, src_mask=mask, src_key_padding_mask=src_key_padding_mask)
        return output if self.norm is None else self.norm(output)


@layer("torch.nn.TransformerDecoder")
class TransformerDecoder(nn.Cell):
    """Copies of one decoder layer, one after the other.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.TransformerDecoder.html
    """

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = _copies(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def construct(
        self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
        memory_key_padding_mask=None, tgt_is_causal=None, memory_is_causal=False,
    ):
        output = tgt
        for one in self.layers:
            output = one(
                output, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask, memory_key_padding_mask=memory_key_padding_mask,
            )
        return output if self.norm is None else self.norm(output)


@layer("torch.nn.Transformer", drops=DEVICE)
class Transformer(nn.Cell):
    """An encoder and a decoder stack.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Transformer.html
    """

    def __init__(
        self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1,
        activation="relu", custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-05, batch_first=False,
        norm_first=False, bias=True, device=None, dtype=None,
    ):
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        super().__init__()
        shape = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        self.encoder, self.decoder = custom_encoder, custom_decoder
        if custom_encoder is None:
            inner = TransformerEncoderLayer(*shape, dtype=dtype)
            self.encoder = TransformerEncoder(inner, num_encoder_layers, LayerNorm(d_model, layer_norm_eps, bias=bias))
        if custom_decoder is None:
            inner = TransformerDecoderLayer(*shape, dtype=dtype)
            self.decoder = TransformerDecoder(inner, num_decoder_layers, LayerNorm(d_model, layer_norm_eps, bias=bias))
        for parameter in self.get_parameters():
            if parameter.ndim > 1:
                parameter.set_data(initializer(XavierUniform(), parameter.shape, parameter.dtype))
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def construct(
        self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None,
        tgt_key_padding_mask=None, memory_key_padding_mask=None, src_is_causal=None, tgt_is_causal=None,
        memory_is_causal=False,
    ):
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return self.decoder(
            tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
        )


@equivalent("torch.nn.Transformer.generate_square_subsequent_mask", drops=DEVICE)
def generate_square_subsequent_mask(sz, device=None, dtype=None):
    """(sz, sz): 0 on and below the diagonal, -inf above."""
    later = ops.arange(sz).expand_dims(0) > ops.arange(sz).expand_dims(1)
    zeros = ops.zeros((sz, sz), ms.float32 if dtype is None else dtype)
    return zeros.masked_fill(later, Tensor(-math.inf, zeros.dtype))
