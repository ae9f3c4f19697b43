"""The parameters of PyTorch's layers: from a layer's constructor arguments to names and shapes.

A layer that is in neither table here has unknown parameters. Signatures are those of torch 2.13.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from mindport.analysis.network_run.values import Shape, Undecided
from mindport.source.defaults import defaults_of

PREFIX = "torch.nn."
Arguments = Mapping[str, Any]
Parameters = dict[str, Shape]


def whole(arguments: Arguments, name: str) -> int:
    """An argument that is a whole number. Raises Undecided."""
    value = arguments.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Undecided(f"{name} is not a known number")
    return value


def truth(arguments: Arguments, name: str) -> bool:
    """An argument that is used as a condition. Raises Undecided."""
    value = arguments.get(name)
    if value is None or isinstance(value, (bool, int)):
        return bool(value)
    raise Undecided(f"{name} is not known")


def several(value: Any, count: int, name: str = "a size") -> Shape:
    """A number for every axis, or one for each. Raises Undecided."""
    if isinstance(value, int) and not isinstance(value, bool):
        return (value,) * count
    if isinstance(value, (tuple, list)) and len(value) == count and all(isinstance(v, int) for v in value):
        return tuple(value)
    raise Undecided(f"{name} is not known")


def _convolution(rank: int, transposed: bool = False) -> Callable[[Arguments], Parameters]:
    def parameters(a: Arguments) -> Parameters:
        inner, outer, groups = whole(a, "in_channels"), whole(a, "out_channels"), whole(a, "groups")
        if groups < 1 or inner % groups or outer % groups:
            raise Undecided("groups do not divide the channels")
        kernel = several(a["kernel_size"], rank, "kernel_size")
        first = (inner, outer // groups) if transposed else (outer, inner // groups)
        return {"weight": (*first, *kernel), **({"bias": (outer,)} if truth(a, "bias") else {})}

    return parameters


def _linear(a: Arguments) -> Parameters:
    inner, outer = whole(a, "in_features"), whole(a, "out_features")
    return {"weight": (outer, inner), **({"bias": (outer,)} if truth(a, "bias") else {})}


def _bilinear(a: Arguments) -> Parameters:
    sizes = (whole(a, "out_features"), whole(a, "in1_features"), whole(a, "in2_features"))
    return {"weight": sizes, **({"bias": sizes[:1]} if truth(a, "bias") else {})}


def _pair(width: str) -> Callable[[Arguments], Parameters]:
    def parameters(a: Arguments) -> Parameters:
        size = (whole(a, width),)
        return {"weight": size, "bias": size} if truth(a, "affine") else {}

    return parameters


def _layer_norm(bias: bool) -> Callable[[Arguments], Parameters]:
    def parameters(a: Arguments) -> Parameters:
        value = a["normalized_shape"]
        shape = several(value, len(value) if isinstance(value, (tuple, list)) else 1, "normalized_shape")
        if not truth(a, "elementwise_affine"):
            return {}
        return {"weight": shape, **({"bias": shape} if bias and truth(a, "bias") else {})}

    return parameters


def _embedding(a: Arguments) -> Parameters:
    return {"weight": (whole(a, "num_embeddings"), whole(a, "embedding_dim"))}


def _prelu(a: Arguments) -> Parameters:
    return {"weight": (whole(a, "num_parameters"),)}


def _recurrent(gates: int) -> Callable[[Arguments], Parameters]:
    def parameters(a: Arguments) -> Parameters:
        inner, hidden = whole(a, "input_size"), whole(a, "hidden_size")
        projected = whole(a, "proj_size") if "proj_size" in a else 0
        out = projected or hidden
        made: Parameters = {}
        ways = 2 if truth(a, "bidirectional") else 1
        for layer in range(whole(a, "num_layers")):
            for way in range(ways):
                end = f"l{layer}" + ("_reverse" if way else "")
                made[f"weight_ih_{end}"] = (gates * hidden, inner if layer == 0 else out * ways)
                made[f"weight_hh_{end}"] = (gates * hidden, out)
                if truth(a, "bias"):
                    made[f"bias_ih_{end}"] = made[f"bias_hh_{end}"] = (gates * hidden,)
                if projected:
                    made[f"weight_hr_{end}"] = (projected, hidden)
        return made

    return parameters


def _cell(gates: int) -> Callable[[Arguments], Parameters]:
    def parameters(a: Arguments) -> Parameters:
        inner, hidden = whole(a, "input_size"), whole(a, "hidden_size")
        made: Parameters = {"weight_ih": (gates * hidden, inner), "weight_hh": (gates * hidden, hidden)}
        if truth(a, "bias"):
            made |= {"bias_ih": (gates * hidden,), "bias_hh": (gates * hidden,)}
        return made

    return parameters


def _attention(a: Arguments) -> Parameters:
    width = whole(a, "embed_dim")
    keys = width if a["kdim"] is None else whole(a, "kdim")
    values = width if a["vdim"] is None else whole(a, "vdim")
    if keys == values == width:
        made: Parameters = {"in_proj_weight": (3 * width, width)}
    else:
        made = {"q_proj_weight": (width, width), "k_proj_weight": (width, keys), "v_proj_weight": (width, values)}
    made["out_proj.weight"] = (width, width)
    if truth(a, "bias"):
        made |= {"in_proj_bias": (3 * width,), "out_proj.bias": (width,)}
    if truth(a, "add_bias_kv"):
        made |= {"bias_k": (1, 1, width), "bias_v": (1, 1, width)}
    return made


def _transformer_layer(attentions: tuple[str, ...]) -> Callable[[Arguments], Parameters]:
    def parameters(a: Arguments) -> Parameters:
        width, inner, bias = whole(a, "d_model"), whole(a, "dim_feedforward"), truth(a, "bias")
        made: Parameters = {}
        for name in attentions:
            inside = _attention({"embed_dim": width, "kdim": None, "vdim": None, "bias": bias, "add_bias_kv": False})
            made |= {f"{name}.{key}": shape for key, shape in inside.items()}
        made |= {"linear1.weight": (inner, width), "linear2.weight": (width, inner)}
        if bias:
            made |= {"linear1.bias": (inner,), "linear2.bias": (width,)}
        for number in range(1, len(attentions) + 2):
            made[f"norm{number}.weight"] = (width,)
            if bias:
                made[f"norm{number}.bias"] = (width,)
        return made

    return parameters


_CONVOLUTION = "in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode='zeros'"
_TRANSPOSED = "in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, padding_mode='zeros'"
_NORMAL = "num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True"
_INSTANCE = "num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False"
_POOL = "kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False"
_AVERAGE = "kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None"
_RECURRENT = "input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False"
_CELL = "input_size, hidden_size, bias=True"
_TRANSFORMER = "d_model, nhead, dim_feedforward=2048, dropout=0.1, activation='relu', layer_norm_eps=1e-05, batch_first=False, norm_first=False, bias=True"

#: Layers with parameters: signature, rule.
WEIGHED: dict[str, tuple[str, Callable[[Arguments], Parameters]]] = {
    **{f"Conv{n}d": (_CONVOLUTION, _convolution(n)) for n in (1, 2, 3)},
    **{f"ConvTranspose{n}d": (_TRANSPOSED, _convolution(n, True)) for n in (1, 2, 3)},
    "Linear": ("in_features, out_features, bias=True", _linear),
    "Bilinear": ("in1_features, in2_features, out_features, bias=True", _bilinear),
    **{f"BatchNorm{n}d": (_NORMAL, _pair("num_features")) for n in (1, 2, 3)},
    "SyncBatchNorm": (_NORMAL, _pair("num_features")),
    **{f"InstanceNorm{n}d": (_INSTANCE, _pair("num_features")) for n in (1, 2, 3)},
    "GroupNorm": ("num_groups, num_channels, eps=1e-05, affine=True", _pair("num_channels")),
    "LayerNorm": ("normalized_shape, eps=1e-05, elementwise_affine=True, bias=True", _layer_norm(True)),
    "RMSNorm": ("normalized_shape, eps=None, elementwise_affine=True", _layer_norm(False)),
    "Embedding": ("num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False", _embedding),
    "EmbeddingBag": ("num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode='mean', sparse=False", _embedding),
    "PReLU": ("num_parameters=1, init=0.25", _prelu),
    "LSTM": (_RECURRENT + ", proj_size=0", _recurrent(4)),
    "GRU": (_RECURRENT, _recurrent(3)),
    "RNN": ("input_size, hidden_size, num_layers=1, nonlinearity='tanh', bias=True, batch_first=False, dropout=0.0, bidirectional=False", _recurrent(1)),
    "LSTMCell": (_CELL, _cell(4)),
    "GRUCell": (_CELL, _cell(3)),
    "RNNCell": (_CELL + ", nonlinearity='tanh'", _cell(1)),
    "MultiheadAttention": ("embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None, batch_first=False", _attention),
    "TransformerEncoderLayer": (_TRANSFORMER, _transformer_layer(("self_attn",))),
    "TransformerDecoderLayer": (_TRANSFORMER, _transformer_layer(("self_attn", "multihead_attn"))),
}

def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


_NOTHING = "*args, **kwargs"
#: Layers that keep the shape of what they are given.
SAME = words(
    "ReLU ReLU6 ELU CELU SELU GELU SiLU Mish Softplus Softsign Tanh Sigmoid Hardtanh Hardswish Hardsigmoid Hardshrink Softshrink Tanhshrink LeakyReLU "
    "RReLU Threshold LogSigmoid Softmax Softmin LogSoftmax Softmax2d Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout Identity "
    "LocalResponseNorm ChannelShuffle"
)
#: Losses: one number, unless `reduction` is none.
LOSSES = words(
    "L1Loss MSELoss CrossEntropyLoss NLLLoss BCELoss BCEWithLogitsLoss SmoothL1Loss HuberLoss KLDivLoss PoissonNLLLoss GaussianNLLLoss "
    "MarginRankingLoss HingeEmbeddingLoss CosineEmbeddingLoss TripletMarginLoss MultiMarginLoss MultiLabelMarginLoss CTCLoss SoftMarginLoss"
)
#: Layers without parameters whose shapes `layer_shapes` computes, or that hold others: signature.
PLAIN: dict[str, str] = {
    **dict.fromkeys(SAME | LOSSES, _NOTHING),
    **{f"MaxPool{n}d": _POOL for n in (1, 2, 3)}, **{f"MaxUnpool{n}d": "kernel_size, stride=None, padding=0" for n in (1, 2, 3)},
    "AvgPool1d": "kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True", "AvgPool2d": _AVERAGE, "AvgPool3d": _AVERAGE,
    **{f"Adaptive{kind}Pool{n}d": "output_size, return_indices=False" for kind in ("Avg", "Max") for n in (1, 2, 3)},
    "Flatten": "start_dim=1, end_dim=-1", "Unflatten": "dim, unflattened_size",
    "Upsample": "size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None",
    "UpsamplingNearest2d": "size=None, scale_factor=None", "UpsamplingBilinear2d": "size=None, scale_factor=None",
    "PixelShuffle": "upscale_factor", "PixelUnshuffle": "downscale_factor",
    **{f"{kind}Pad{n}d": "padding" for kind in ("Zero", "Reflection", "Replication", "Circular") for n in (1, 2, 3)},
    **{f"ConstantPad{n}d": "padding, value=0" for n in (1, 2, 3)},
    "CosineSimilarity": "dim=1, eps=1e-08", "PairwiseDistance": "p=2.0, eps=1e-06, keepdim=False", "GLU": "dim=-1", "Fold": _NOTHING, "Unfold": _NOTHING,
    "Module": _NOTHING,
}  # fmt: skip
#: Holders of other modules.
HOLDERS = frozenset((PREFIX + "Sequential", PREFIX + "ModuleList", PREFIX + "ModuleDict"))
#: Layers that copy one: signature, the argument with the number of copies, the argument that is copied.
STACKS = {
    "TransformerEncoder": ("encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True", "encoder_layer"),
    "TransformerDecoder": ("decoder_layer, num_layers, norm=None", "decoder_layer"),
}


@cache
def _signature(text: str) -> ast.arguments:
    return ast.parse(f"def f({text}): ...").body[0].args  # type: ignore[attr-defined, no-any-return]


def bind(signature: str, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments by name, with the defaults. Raises Undecided where the call does not fit."""
    found = _signature(signature)
    if found.vararg is not None:
        return {"args": args, **keywords}
    names = [a.arg for a in found.args]
    if len(args) > len(names):
        raise Undecided("more arguments than the layer takes")
    made = {name: ast.literal_eval(default) for name, default in defaults_of(found).items()}
    made |= dict(zip(names, args, strict=False)) | {k: v for k, v in keywords.items() if k not in ("device", "dtype", "inplace")}
    if set(names) - made.keys() or made.keys() - set(names):
        raise Undecided("arguments that do not fit the layer's constructor")
    return made
