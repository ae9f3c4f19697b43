"""What PyTorch's layers give: the shape of a layer's result from its arguments and its input's shape."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from mindport.analysis.network_run.function_shapes import (
    adaptive,
    flattened,
    interpolated,
    padded,
    pooled,
    unflattened,
)
from mindport.analysis.network_run.layer_rules import LOSSES, PREFIX, SAME, several, truth, whole
from mindport.analysis.network_run.values import Shape, Tensor, Undecided

Arguments = Mapping[str, Any]


def result(layer: str, arguments: Arguments, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> tuple[Any, int | None]:
    """What a layer's call gives, and its multiply-adds where it is a convolution or linear layer (else 0).

    Raises Undecided where the layer or its input is not known.
    """
    kind = layer.removeprefix(PREFIX)
    given = args[0] if args else next(iter(keywords.values()), None)
    if kind in SAME:
        return (Tensor(given.shape) if isinstance(given, Tensor) else given), 0
    if kind in LOSSES:
        return Tensor(() if arguments.get("reduction", "mean") in ("mean", "sum") else None), 0
    rule = _RULES.get(kind)
    if rule is None or kind in _UNPOOLING and (len(args) > 2 or "output_size" in keywords):
        return Tensor(None), 0
    if not isinstance(given, Tensor):
        raise Undecided(f"the input of {kind} is not known")
    if given.shape is None:
        return (Tensor(None), None if kind in _WORKING else 0)
    made = rule(arguments, given.shape, kind)
    # What a transformer's layer multiplies inside depends on the way torch takes.
    macs: int | None = None if kind in _WORK_UNKNOWN else 0
    if kind in _WORKING:
        macs = _work(kind, arguments, given.shape, made)
    return (Tensor(made) if isinstance(made, tuple) and all(isinstance(n, int) for n in made) else made), macs


def _rank(kind: str) -> int:
    return int(kind[-2])


def _channels(shape: Shape, rank: int, expected: int, kind: str) -> tuple[Shape, Shape]:
    """What stands before the spatial axes, and these; a batch axis may be missing."""
    if len(shape) not in (rank + 1, rank + 2):
        raise Undecided(f"{kind} is given {len(shape)} axes")
    if shape[-rank - 1] != expected:
        raise Undecided(f"{kind} expects {expected} channels and is given {shape[-rank - 1]}")
    return shape[: -rank - 1], shape[-rank:]


def _convolution(a: Arguments, shape: Shape, kind: str) -> Shape:
    rank = _rank(kind)
    before, sizes = _channels(shape, rank, whole(a, "in_channels"), kind)
    kernel, step, spread = (several(a[name], rank, name) for name in ("kernel_size", "stride", "dilation"))
    padding = a["padding"]
    if padding == "same":
        return (*before, whole(a, "out_channels"), *sizes)
    edge = several(0 if padding == "valid" else padding, rank, "padding")
    out = tuple((n + 2 * p - d * (k - 1) - 1) // s + 1 for n, p, d, k, s in zip(sizes, edge, spread, kernel, step, strict=True))
    return (*before, whole(a, "out_channels"), *_positive(out, kind))


def _transposed(a: Arguments, shape: Shape, kind: str) -> Shape:
    rank = _rank(kind)
    before, sizes = _channels(shape, rank, whole(a, "in_channels"), kind)
    kernel, step, edge, spread, more = (several(a[name], rank, name) for name in ("kernel_size", "stride", "padding", "dilation", "output_padding"))
    out = tuple(
        (n - 1) * s - 2 * p + d * (k - 1) + o + 1 for n, s, p, d, k, o in zip(sizes, step, edge, spread, kernel, more, strict=True)
    )
    return (*before, whole(a, "out_channels"), *_positive(out, kind))


def _positive(sizes: Shape, kind: str) -> Shape:
    if any(n < 1 for n in sizes):
        raise Undecided(f"{kind} would give an empty result: the input is too small for this network")
    return sizes


def _linear(a: Arguments, shape: Shape, kind: str) -> Shape:
    if not shape or shape[-1] != whole(a, "in_features"):
        raise Undecided(f"Linear expects {a['in_features']} features and is given {shape[-1] if shape else 'a number'}")
    return (*shape[:-1], whole(a, "out_features"))


def _embedding(a: Arguments, shape: Shape, kind: str) -> Shape:
    return (*shape, whole(a, "embedding_dim"))


def _norm(a: Arguments, shape: Shape, kind: str) -> Shape:
    expected = a.get("num_features", a.get("num_channels"))
    if isinstance(expected, int) and len(shape) > 1 and expected != shape[1] and kind != _UNBATCHED_NORM:
        raise Undecided(f"{kind} expects {expected} channels and is given {shape[1]}")
    return shape


def _pool(a: Arguments, shape: Shape, kind: str) -> Any:
    made = pooled(shape, _rank(kind), a["kernel_size"], a["stride"], a["padding"], a.get("dilation", 1), truth(a, "ceil_mode"))
    return (Tensor(made), Tensor(made)) if a.get("return_indices") else made


def _unpool(a: Arguments, shape: Shape, kind: str) -> Shape:
    rank = _rank(kind)
    kernel = several(a["kernel_size"], rank)
    step, edge = kernel if a["stride"] is None else several(a["stride"], rank), several(a["padding"], rank)
    return (*shape[:-rank], *((n - 1) * s - 2 * p + k for n, s, p, k in zip(shape[-rank:], step, edge, kernel, strict=True)))


def _adaptive(a: Arguments, shape: Shape, kind: str) -> Any:
    made = adaptive(shape, _rank(kind), a["output_size"])
    return (Tensor(made), Tensor(made)) if a.get("return_indices") else made


def _flatten(a: Arguments, shape: Shape, kind: str) -> Shape:
    return flattened(shape, whole(a, "start_dim"), whole(a, "end_dim"))


def _unflatten(a: Arguments, shape: Shape, kind: str) -> Shape:
    return unflattened(shape, whole(a, "dim"), a["unflattened_size"])


def _upsample(a: Arguments, shape: Shape, kind: str) -> Shape:
    return interpolated(shape, a["size"], a["scale_factor"])


def _shuffle(a: Arguments, shape: Shape, kind: str) -> Shape:
    factor = whole(a, "upscale_factor")
    if len(shape) < 3 or shape[-3] % factor**2:
        raise Undecided("PixelShuffle's factor does not divide the channels")
    return (*shape[:-3], shape[-3] // factor**2, shape[-2] * factor, shape[-1] * factor)


def _unshuffle(a: Arguments, shape: Shape, kind: str) -> Shape:
    factor = whole(a, "downscale_factor")
    if len(shape) < 3 or shape[-2] % factor or shape[-1] % factor:
        raise Undecided("PixelUnshuffle's factor does not divide the sizes")
    return (*shape[:-3], shape[-3] * factor**2, shape[-2] // factor, shape[-1] // factor)


def _pad(a: Arguments, shape: Shape, kind: str) -> Shape:
    return padded(shape, several(a["padding"], 2 * _rank(kind), "padding"))


def _glu(a: Arguments, shape: Shape, kind: str) -> Shape:
    dim = whole(a, "dim") % len(shape)
    return (*shape[:dim], shape[dim] // 2, *shape[dim + 1 :])


def _recurrent(a: Arguments, shape: Shape, kind: str) -> Any:
    if len(shape) not in (2, 3) or shape[-1] != whole(a, "input_size"):
        raise Undecided(f"{kind} expects {a['input_size']} features")
    ways = 2 if truth(a, "bidirectional") else 1
    out = whole(a, "proj_size") if a.get("proj_size") else whole(a, "hidden_size")
    depth, batch = ways * whole(a, "num_layers"), (shape[0 if truth(a, "batch_first") else 1],) if len(shape) == 3 else ()
    hidden = Tensor((depth, *batch, out))
    state: Any = (hidden, Tensor((depth, *batch, whole(a, "hidden_size")))) if kind in _TWO_STATES else hidden
    return (Tensor((*shape[:-1], out * ways)), state)


def _cell(a: Arguments, shape: Shape, kind: str) -> Any:
    hidden = Tensor((*shape[:-1], whole(a, "hidden_size")))
    return (hidden, Tensor(hidden.shape)) if kind in _TWO_STATES else hidden


def _attention(a: Arguments, shape: Shape, kind: str) -> Any:
    return (Tensor(shape), Tensor(None))


def _kept(a: Arguments, shape: Shape, kind: str) -> Shape:
    return shape


_RULES: dict[str, Callable[[Arguments, Shape, str], Any]] = {
    **{f"Conv{n}d": _convolution for n in (1, 2, 3)}, **{f"ConvTranspose{n}d": _transposed for n in (1, 2, 3)},
    "Linear": _linear, "Embedding": _embedding, "LSTM": _recurrent, "GRU": _recurrent, "RNN": _recurrent,
    "LSTMCell": _cell, "GRUCell": _cell, "RNNCell": _cell, "MultiheadAttention": _attention,
    **{f"BatchNorm{n}d": _norm for n in (1, 2, 3)}, **{f"InstanceNorm{n}d": _norm for n in (1, 2, 3)},
    "SyncBatchNorm": _norm, "GroupNorm": _norm, "LayerNorm": _kept, "RMSNorm": _kept, "PReLU": _kept,
    "TransformerEncoderLayer": _kept, "TransformerDecoderLayer": _kept, "TransformerEncoder": _kept, "TransformerDecoder": _kept,
    **{f"{kind}Pool{n}d": _pool for kind in ("Max", "Avg") for n in (1, 2, 3)},
    **{f"MaxUnpool{n}d": _unpool for n in (1, 2, 3)},
    **{f"Adaptive{kind}Pool{n}d": _adaptive for kind in ("Max", "Avg") for n in (1, 2, 3)},
    "Flatten": _flatten, "Unflatten": _unflatten, "Upsample": _upsample, "UpsamplingNearest2d": _upsample, "UpsamplingBilinear2d": _upsample,
    "PixelShuffle": _shuffle, "PixelUnshuffle": _unshuffle, "GLU": _glu,
    **{f"{kind}Pad{n}d": _pad for kind in ("Zero", "Reflection", "Replication", "Circular", "Constant") for n in (1, 2, 3)},
}  # fmt: skip
#: These may be told the size that they give.
_UNPOOLING = frozenset(name for name in _RULES if "Unpool" in name)
#: Layers whose multiply-adds are counted: one for each weight that an element of the result takes.
_WORKING = frozenset(name for name in _RULES if re.fullmatch(r"Conv(Transpose)?[123]d|Linear", name))

#: Its work is counted without a window; torch chooses a way for these, so what they multiply is not known.
_LINEAR = "Linear"
_WORK_UNKNOWN = frozenset(("TransformerEncoderLayer", "TransformerDecoderLayer", "TransformerEncoder", "TransformerDecoder"))
#: Two tensors are its state; this one takes inputs without a batch, so the channels may stand first.
_TWO_STATES, _UNBATCHED_NORM = frozenset(("LSTM", "LSTMCell")), "InstanceNorm1d"


def _work(kind: str, a: Arguments, given: Shape, made: Any) -> int:
    if kind == _LINEAR:
        return math.prod(made) * whole(a, "in_features")
    rank = _rank(kind)
    window = math.prod(several(a["kernel_size"], rank))
    if "Transpose" in kind:
        return math.prod(given) * (whole(a, "out_channels") // whole(a, "groups")) * window
    return math.prod(made) * (whole(a, "in_channels") // whole(a, "groups")) * window
