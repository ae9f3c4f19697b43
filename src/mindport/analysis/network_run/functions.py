"""PyTorch's functions and tensor methods by name: their signatures and what they give, as far as shapes go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mindport.analysis.network_run import function_shapes as f
from mindport.analysis.network_run.layer_rules import bind, words
from mindport.analysis.network_run.values import Shape, Tensor, Undecided, Unknown

Arguments = dict[str, Any]
Rule = Callable[[Shape, Arguments], Any]
PREFIXES = ("torch.nn.functional.", "torch.Tensor.", "torch.special.", "torch.linalg.", "torch.")

#: Elementwise: of one tensor, or of several that are broadcast together.
_ELEMENTWISE = words(
        "relu relu_ relu6 elu elu_ celu selu gelu silu mish softplus softsign tanh sigmoid hardtanh hardswish hardsigmoid leaky_relu leaky_relu_ prelu rrelu "
        "logsigmoid exp exp_ log log2 log10 log1p sqrt rsqrt abs neg sin cos tan asin acos atan sinh cosh erf expm1 sign floor ceil round square reciprocal "
        "clamp clamp_ clip dropout dropout2d dropout3d alpha_dropout feature_alpha_dropout softmax log_softmax gumbel_softmax softmin batch_norm instance_norm group_norm layer_norm rms_norm "
        "local_response_norm normalize contiguous clone detach detach_ to float half double long int bool bfloat16 type type_as cuda cpu requires_grad_ "
        "add add_ sub sub_ mul mul_ div div_ pow pow_ maximum minimum fmod remainder eq ne lt le gt ge logical_and logical_or logical_not atan2 lerp "
        "masked_fill masked_fill_ where cumsum cumprod flip roll zero_ fill_ normal_ uniform_ zeros_like ones_like rand_like randn_like full_like empty_like "
        "addcmul addcdiv nan_to_num bernoulli isnan threshold bitwise_and bitwise_or triu tril"
)
_REDUCING = words("mean sum prod std var amax amin logsumexp all any count_nonzero argmax argmin nansum")


def _view(s: Shape, a: Arguments) -> Any:
    if not a["args"]:
        raise Undecided("the new shape is not known")
    sizes = a["args"]
    sizes = sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes
    return f.reshaped(s, f.numbers(tuple(sizes)))


def _permute(s: Shape, a: Arguments) -> Any:
    dims = a["args"][0] if a["args"] and isinstance(a["args"][0], (tuple, list)) else a["args"]
    order = [f.axis(d, len(s)) for d in f.numbers(tuple(dims) or a.get("dims"))]
    if sorted(order) != list(range(len(s))):
        raise Undecided("permute's axes do not fit")
    return tuple(s[d] for d in order)


def _transpose(s: Shape, a: Arguments) -> Any:
    one, two = f.axis(a["dim0"], len(s)), f.axis(a["dim1"], len(s))
    made = list(s)
    made[one], made[two] = s[two], s[one]
    return tuple(made)


def _expand(s: Shape, a: Arguments) -> Any:
    sizes = a["args"][0] if len(a["args"]) == 1 and isinstance(a["args"][0], (tuple, list)) else a["args"]
    sizes = f.numbers(tuple(sizes))
    if len(sizes) < len(s):
        raise Undecided("expand to fewer axes")
    old = (1,) * (len(sizes) - len(s)) + s
    return tuple(n if m == -1 else m for m, n in zip(sizes, old, strict=True))


def _repeat(s: Shape, a: Arguments) -> Any:
    counts = a["args"][0] if len(a["args"]) == 1 and isinstance(a["args"][0], (tuple, list)) else a["args"]
    counts = f.numbers(tuple(counts))
    return tuple(n * m for n, m in zip((1,) * (len(counts) - len(s)) + s, counts, strict=True))


def _squeeze(s: Shape, a: Arguments) -> Any:
    if a["dim"] is None:
        return tuple(n for n in s if n != 1)
    place = f.axis(a["dim"], len(s))
    return (*s[:place], *s[place + 1 :]) if s[place] == 1 else s


def _unsqueeze(s: Shape, a: Arguments) -> Any:
    place = f.axis(a["dim"], len(s) + 1)
    return (*s[:place], 1, *s[place:])


def _size(s: Shape, a: Arguments) -> Any:
    return _Plain(s if a["dim"] is None else s[f.axis(a["dim"], len(s))])


def _attention(s: Shape, a: Arguments) -> Any:
    value = a["value"]
    if not isinstance(value, Tensor) or value.shape is None:
        raise Undecided("the shape of value is not known")
    return (*s[:-1], value.shape[-1])


def _select_pairs(s: Shape, a: Arguments) -> Any:
    if isinstance(a["dim"], Tensor):
        return f.broadcast(s, a["dim"].shape or ())
    if a["dim"] is None:
        return ()
    made = f.reduced(s, a["dim"], bool(a["keepdim"]))
    return (Tensor(made), Tensor(made))


def _topk(s: Shape, a: Arguments) -> Any:
    place = f.axis(a["dim"], len(s))
    if not isinstance(a["k"], int):
        raise Undecided("k is not known")
    made = (*s[:place], a["k"], *s[place + 1 :])
    return (Tensor(made), Tensor(made))


def _shuffle(s: Shape, a: Arguments) -> Any:
    factor = a["upscale_factor"]
    return (*s[:-3], s[-3] // factor**2, s[-2] * factor, s[-1] * factor)


def _product(s: Shape, a: Arguments) -> Any:
    other = a["other"]
    if not isinstance(other, Tensor) or other.shape is None:
        raise Undecided("the shape of the other factor is not known")
    return f.product(s, other.shape)


def _linear(s: Shape, a: Arguments) -> Any:
    weight = a["weight"]
    if not isinstance(weight, Tensor) or weight.shape is None:
        raise Undecided("the weight's shape is not known")
    return (*s[:-1], weight.shape[0])


def _pool(rank: int) -> Rule:
    return lambda s, a: f.pooled(s, rank, a["kernel_size"], a["stride"], a["padding"], a.get("dilation", 1), bool(a["ceil_mode"]))


def _adaptive(rank: int) -> Rule:
    return lambda s, a: f.adaptive(s, rank, a["output_size"])


def _repeated(s: Shape, a: Arguments) -> Any:
    place = f.axis(a["dim"], len(s))
    if not isinstance(a["repeats"], int):
        raise Undecided("the number of repeats is not known")
    return (*s[:place], s[place] * a["repeats"], *s[place + 1 :])


def _unbound(s: Shape, a: Arguments) -> Any:
    return tuple(Tensor(f.reduced(s, a["dim"], False)) for _ in range(s[f.axis(a["dim"], len(s))]))


_MAX = "input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False"
_AVERAGE = "input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None"
_RULES: dict[str, tuple[str, Rule]] = {
    **dict.fromkeys(("view", "reshape"), ("*args", _view)),
    "permute": ("*args", _permute),
    **dict.fromkeys(("transpose", "swapaxes", "swapdims"), ("input, dim0, dim1", _transpose)),
    "t": ("input", lambda s, a: s[::-1]),
    "flatten": ("input, start_dim=0, end_dim=-1", lambda s, a: f.flattened(s, a["start_dim"], a["end_dim"])),
    "unflatten": ("input, dim, sizes", lambda s, a: f.unflattened(s, a["dim"], a["sizes"])),
    "expand": ("*args", _expand), "repeat": ("*args", _repeat), "tile": ("*args", _repeat),
    "expand_as": ("input, other", lambda s, a: a["other"].shape), "view_as": ("input, other", lambda s, a: a["other"].shape),
    "squeeze": ("input, dim=None", _squeeze), "unsqueeze": ("input, dim", _unsqueeze), "unsqueeze_": ("input, dim", _unsqueeze),
    "size": ("input, dim=None", _size), "dim": ("input", lambda s, a: _Plain(len(s))), "numel": ("input", lambda s, a: _Plain(Tensor(s).size)),
    **dict.fromkeys(("matmul", "bmm", "mm"), ("input, other", _product)),
    **dict.fromkeys(("chunk", "tensor_split"), ("input, chunks, dim=0", lambda s, a: f.pieces(s, a["chunks"], a["dim"], True))),
    "split": ("input, split_size_or_sections, dim=0", lambda s, a: f.pieces(s, a["split_size_or_sections"], a["dim"], False)),
    "unbind": ("input, dim=0", _unbound),
    "interpolate": ("input, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None, antialias=False", lambda s, a: f.interpolated(s, a["size"], a["scale_factor"])),
    "pad": ("input, pad, mode='constant', value=None", lambda s, a: f.padded(s, a["pad"])),
    **{f"max_pool{n}d": (_MAX, _pool(n)) for n in (1, 2, 3)}, **{f"avg_pool{n}d": (_AVERAGE, _pool(n)) for n in (1, 2, 3)},
    **{f"adaptive_{kind}_pool{n}d": ("input, output_size", _adaptive(n)) for kind in ("avg", "max") for n in (1, 2, 3)},
    "scaled_dot_product_attention": ("query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False", _attention),
    "topk": ("input, k, dim=-1, largest=True, sorted=True", _topk),
    "sort": ("input, dim=-1, descending=False", lambda s, a: (Tensor(s), Tensor(s))), "argsort": ("input, dim=-1, descending=False", lambda s, a: s),
    **dict.fromkeys(("max", "min", "median"), ("input, dim=None, keepdim=False", _select_pairs)),
    **dict.fromkeys(_REDUCING, ("input, dim=None, keepdim=False, dtype=None, correction=1, unbiased=True, p=2, ord=2", lambda s, a: f.reduced(s, a["dim"], bool(a["keepdim"])))),
    "norm": ("input, p='fro', dim=None, keepdim=False", lambda s, a: f.reduced(s, a["dim"], bool(a["keepdim"]))),
    "movedim": ("input, source, destination", lambda s, a: f.moved(s, a["source"], a["destination"])),
    "pixel_shuffle": ("input, upscale_factor", _shuffle),
    "linear": ("input, weight, bias=None", _linear),
    "one_hot": ("input, num_classes", lambda s, a: (*s, a["num_classes"])),
    "repeat_interleave": ("input, repeats, dim", _repeated),
    "narrow": ("input, dim, start, length", lambda s, a: f.indexed(s, (*[slice(None)] * f.axis(a["dim"], len(s)), slice(0, a["length"])))),
    "select": ("input, dim, index", lambda s, a: f.reduced(s, a["dim"], False)),
    "item": ("input", lambda s, a: _Plain(Unknown("a tensor's value", True))), "tolist": ("input", lambda s, a: _Plain(Unknown("a tensor's values", True))),
}  # fmt: skip
_KEYWORDS = {"axis": "dim", "keepdims": "keepdim", "x": "input", "mat2": "other", "tensor2": "other"}


class _Plain:
    """A result that is no shape."""

    def __init__(self, value: Any) -> None:
        self.value = value


def short(name: str) -> str:
    """``torch.nn.functional.relu`` → ``relu``; "" for names elsewhere."""
    for prefix in PREFIXES:
        if name.startswith(prefix):
            rest = name.removeprefix(prefix)
            return "" if "." in rest else rest
    return ""


def call(name: str, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
    """What the function of this short name gives. A tensor of unknown shape where that is not known."""
    if name in _CREATING:
        return _created(name, args, keywords)
    if name in ("cat", "concat", "concatenate", "stack"):
        bound = bind("tensors, dim=0, out=None", args, _renamed(keywords))
        return Tensor(f.stacked(bound["tensors"], bound["dim"]) if name == "stack" else f.joined(bound["tensors"], bound["dim"]))
    if name == "einsum" and args and isinstance(args[0], str):
        rest = args[1] if len(args) == 2 and isinstance(args[1], (tuple, list)) else args[1:]
        return Tensor(f.einsum(args[0], f.shapes_of(list(rest))))
    if name in _ELEMENTWISE and not (name == "where" and len(args) == 1):
        return _elementwise(args, keywords)
    if name in ("item", "tolist") and args and isinstance(args[0], Tensor) and args[0].data is not None:
        return args[0].data[0] if name == "item" or args[0].shape == () else list(args[0].data)
    known = _RULES.get(name)
    if known is None:
        return Tensor(None)
    signature, rule = known
    if signature == "*args":
        given, bound = (args[0] if args else None), {"args": args[1:], **_renamed(keywords)}
    else:
        bound = bind(signature, args, _renamed(keywords))
        given = next(iter(args), bound.get("input", bound.get("query")))
    if not isinstance(given, Tensor) or given.shape is None:
        return Tensor(None)
    return _result(rule(given.shape, bound))


def _renamed(keywords: Mapping[str, Any]) -> dict[str, Any]:
    return {_KEYWORDS.get(name, name): value for name, value in keywords.items()}


def _result(made: Any) -> Any:
    if isinstance(made, _Plain):
        return made.value
    if isinstance(made, tuple) and (not made or isinstance(made[0], int)):
        return Tensor(made)
    return made


def _elementwise(args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
    tensors = [a for a in (*args, *keywords.values()) if isinstance(a, Tensor)]
    if not tensors or any(isinstance(a, Unknown) and not a.plain for a in args):
        return Tensor(None)
    first = tensors[0]
    if len(tensors) == 1 or first.shape is None:
        return Tensor(first.shape)
    if any(t.shape is None for t in tensors):
        return Tensor(None)
    # Normalisations take weights that are not broadcast from the right.
    return Tensor(f.broadcast(*(t.shape for t in tensors if t.shape is not None)) if all(len(t.shape or ()) != 1 for t in tensors[1:]) else _widest(tensors))


def _widest(tensors: list[Tensor]) -> Shape | None:
    try:
        return f.broadcast(*(t.shape for t in tensors if t.shape is not None))
    except Undecided:
        return tensors[0].shape


_CREATING = words("zeros ones empty rand randn full randint arange linspace eye tensor as_tensor randperm")


def _nested(value: Any) -> Shape | None:
    """The shape of lists in lists of numbers; None where they are none, or uneven."""
    if isinstance(value, (int, float)) or isinstance(value, Unknown) and value.plain:
        return ()
    if not isinstance(value, (list, tuple)) or not value:
        return None
    inner = {_nested(item) for item in value}
    if len(inner) != 1 or (shape := inner.pop()) is None:
        return None
    return (len(value), *shape)


def _created(name: str, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
    if name in ("tensor", "as_tensor"):
        value = args[0] if args else keywords.get("data")
        if isinstance(value, Tensor):
            return value
        if isinstance(value, (int, float)):
            return Tensor((), (value,))
        if isinstance(value, (list, tuple)) and all(isinstance(v, (int, float)) for v in value):
            return Tensor((len(value),), tuple(value))
        return Tensor(_nested(value))
    plain = [a for a in args if isinstance(a, int)]
    if name == "arange":
        made = range(*plain) if 0 < len(plain) < 4 and len(plain) == len(args) else None
        return Tensor(None) if made is None else Tensor((len(made),), tuple(made) if len(made) < 1000 else None)
    if name == "linspace":
        bound = bind("start, end, steps", args, keywords) if len(args) < 4 else {}
        start, end, steps = bound.get("start"), bound.get("end"), bound.get("steps")
        if not isinstance(steps, int):
            return Tensor(None)
        if not (isinstance(start, (int, float)) and isinstance(end, (int, float)) and 0 < steps < 1000):
            return Tensor((steps,))
        return Tensor((steps,), tuple(start + (end - start) * i / max(1, steps - 1) for i in range(steps)))
    if name == "randperm":
        return Tensor((args[0],)) if args and isinstance(args[0], int) else Tensor(None)
    if name == "eye":
        return Tensor((plain[0], plain[-1])) if plain else Tensor(None)
    sizes: Any = keywords.get("size", args)
    if name in ("full", "randint") and args:
        sizes = keywords.get("size", args[0] if name == "full" else args[-1])
    elif len(args) == 1 and isinstance(args[0], (tuple, list)):
        sizes = args[0]
    if isinstance(sizes, (tuple, list)) and all(isinstance(n, int) for n in sizes):
        return Tensor(tuple(sizes))
    return Tensor(None)
