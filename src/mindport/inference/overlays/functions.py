"""torch's functions: results that the stubs leave open, dtypes of what they make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindport.inference import torchfacts
from mindport.inference.overlays import arrays, creation, named_results, tensors, timm
from mindport.inference.values import (
    Builtin,
    Const,
    Instance,
    Mapping,
    Sequence,
    TensorValue,
    Unknown,
    Value,
    join,
)

#: Functions that return their first argument: decorators and identities.
KEEPING = frozenset(
    ["torch.jit.script", "torch.jit.export", "torch.jit.ignore", "torch.jit.unused", "torch.compile", "torch.fx.wrap", "torch.jit.trace", "torch.jit.freeze", "torch.jit.optimize_for_inference", "torch.nn.init.kaiming_normal_", "torch.nn.init.constant_", "torch.nn.init.normal_", "torch.nn.init.zeros_", "torch.nn.init.ones_", "torch.nn.init.xavier_uniform_", "torch.nn.utils.spectral_norm", "torch.nn.utils.weight_norm", "torch.nn.utils.parametrizations.spectral_norm", "torch.nn.utils.parametrizations.weight_norm", "torch.nn.utils.remove_weight_norm", "torch.autograd.function.once_differentiable", "torch.jit.script_if_tracing"]
)

#: Functions of `torch.nn.functional` that stand in `torch`, too, where no stub speaks of them.
_OF_FUNCTIONAL = (
    *("conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "avg_pool1d", "adaptive_avg_pool1d"),
    *("pixel_shuffle", "pixel_unshuffle", "channel_shuffle", "hardshrink", "prelu", "relu_", "selu_", "celu_", "rrelu_", "threshold_"),
    *("bilinear", "cosine_similarity", "pdist"),
)

_TENSORS = Sequence("tuple", None, TensorValue())


def _tensor(arguments: Any) -> Value:
    return TensorValue()


def _annotate(arguments: Any) -> Value | None:
    return arguments.get(1, "the_value")


def _pair(arguments: Any) -> Value:
    return Sequence("tuple", (TensorValue(), TensorValue()))


def _fields(name: str) -> Callable[[Any], Value]:
    """The function whose result is the named tuple of a function of torch.linalg."""
    return lambda arguments: named_results.result(name)


def _places(arguments: Any) -> Value | None:
    """``where(mask)`` gives a tensor of places for every axis, ``where(mask, a, b)`` one tensor."""
    alone = len(arguments.positional) + len(arguments.keywords) == 1
    return Sequence("tuple", None, TensorValue("torch.int64")) if alone else None


def _nonzero(arguments: Any) -> Value | None:
    """``nonzero(x, as_tuple=True)`` gives a tensor of places for every axis."""
    return Sequence("tuple", None, TensorValue("torch.int64")) if arguments.keywords.get("as_tuple") == Const.of(True) else None


def _unique(arguments: Any, first: int = 2) -> Value:
    flags = [arguments.get(first + i, name) for i, name in enumerate(("return_inverse", "return_counts"))]
    asked = [flag for flag in flags if flag is not None and flag != Const.of(False)]
    if not asked:
        return TensorValue()
    if all(flag == Const.of(True) for flag in asked):
        return Sequence("tuple", (TensorValue(),) * (1 + len(asked)))
    return join(TensorValue(), _TENSORS)


def _one_or_more(arguments: Any) -> Value | None:
    """``atleast_1d(x)`` gives a tensor, ``atleast_1d(x, y)`` and ``atleast_1d([x, y])`` a tuple."""
    if len(arguments.positional) > 1:
        return _TENSORS
    return TensorValue() if arguments.positional and isinstance(arguments.positional[0], TensorValue) else None


def _checkpoint(arguments: Any) -> Value:
    return TensorValue(likely=True)


def _load(arguments: Any) -> Value:
    return Unknown("what a file holds is not known", "torch.load")


def _places_kept(arguments: Any) -> Value:
    return TensorValue("torch.int64")


#: Results by canonical name; None from a function leaves it to the stubs.
RESULTS: dict[str, Callable[[Any], Value | None]] = {
    "torch.einsum": _tensor,
    creation.OF_DATA: creation.made_of_data,
    "torch.from_numpy": arrays.as_tensor,
    "torch.as_tensor": arrays.as_tensor,
    "torch.arange": creation.arranged,
    "torch.where": _places,
    "torch.nonzero": _nonzero,
    "torch.Tensor.nonzero": _nonzero,
    "torch.full": creation.filled,
    "torch.randint": creation.drawn,
    "torch.unique": _unique,
    "torch.meshgrid": lambda arguments: _TENSORS,
    "torch.split": lambda arguments: _TENSORS,
    "torch._utils._unflatten_dense_tensors": lambda arguments: _TENSORS,
    "torch._C._nn.unflatten_dense_tensors": lambda arguments: _TENSORS,
    "torch._utils._flatten_dense_tensors": lambda arguments: TensorValue(),
    "torch._C._nn.flatten_dense_tensors": lambda arguments: TensorValue(),
    "torch.chunk": lambda arguments: _TENSORS,
    "torch.unbind": lambda arguments: _TENSORS,
    "torch.broadcast_tensors": lambda arguments: _TENSORS,
    "torch.jit.annotate": _annotate,
    "torch.jit.is_scripting": lambda arguments: Builtin("bool"),
    "torch.jit.is_tracing": lambda arguments: Builtin("bool"),
    "torch.utils.checkpoint.checkpoint": _checkpoint,
    "torch.utils.checkpoint.checkpoint_sequential": _checkpoint,
    "torch.load": _load,
    "torch.hub.load_state_dict_from_url": lambda arguments: Mapping(None, TensorValue(likely=True)),
    "torch.nn.Module.state_dict": lambda arguments: Mapping(None, TensorValue(likely=True)),
    "torch.nn.Module.modules": lambda arguments: Sequence("iterator", None, Instance("torch.nn.Module", True)),
    "torch.nn.Module.children": lambda arguments: Sequence("iterator", None, Instance("torch.nn.Module", True)),
    "torch.nn.Module.named_modules": lambda arguments: _named(Instance("torch.nn.Module", True)),
    "torch.nn.Module.named_children": lambda arguments: _named(Instance("torch.nn.Module", True)),
    "torch.nn.Module.parameters": lambda arguments: Sequence("iterator", None, TensorValue(parameter=True)),
    "torch.nn.Module.buffers": lambda arguments: Sequence("iterator", None, TensorValue()),
    "torch.nn.Module.named_parameters": lambda arguments: _named(TensorValue(parameter=True)),
    "torch.nn.Module.named_buffers": lambda arguments: _named(TensorValue()),
    "torch.autograd.grad": lambda arguments: _TENSORS,
    "torch.nn.utils.rnn.pad_packed_sequence": _pair,
    "torch.nn.utils.rnn.pad_sequence": _tensor,
    "torch.nn.utils.rnn.pack_padded_sequence": lambda arguments: Instance("torch.nn.utils.rnn.PackedSequence"),
    "torch.nn.utils.rnn.pack_sequence": lambda arguments: Instance("torch.nn.utils.rnn.PackedSequence"),
    "torch.nn.Embedding.from_pretrained": lambda arguments: Instance("torch.nn.Embedding"),
    "torch.Size.numel": lambda arguments: Builtin("int"),
    "torch.is_tensor": lambda arguments: Builtin("bool"),
    "torch.unique_consecutive": lambda arguments: _unique(arguments, 1),
    "torch.Tensor.unique": lambda arguments: _unique(arguments, 1),
    "torch.Tensor.unique_consecutive": lambda arguments: _unique(arguments, 0),
    **{f"torch.linalg.{name}": _fields(name) for name in named_results.FIELDS},
    **dict.fromkeys(("torch.atleast_1d", "torch.atleast_2d", "torch.atleast_3d"), _one_or_more),
    **dict.fromkeys(
        [f"torch.{name}" for name in ("norm", "cdist", "tensordot", "block_diag", "chain_matmul", "nn.functional.logsigmoid")]
        + [f"torch.fft.{name}" for name in ("hfft2", "hfftn", "ihfft2", "ihfftn")]
        + [f"torch.{name}" for name in _OF_FUNCTIONAL]
        + [f"torch.Tensor.{name}" for name in ("norm", "stft", "istft", "unflatten", "to_sparse_coo", "resize", "resize_as", "__ipow__", "__pos__", "__itruediv__")],
        _tensor,
    ),
    **dict.fromkeys([f"torchvision.ops.{owner}{name}" for owner in ("", "boxes.") for name in ("nms", "batched_nms", "remove_small_boxes")], _places_kept),
    **dict.fromkeys(
        [
            f"torchvision.ops.{owner}{name}" for owner in ("", "boxes.") for name in (
                "box_area", "box_convert", "box_iou", "clip_boxes_to_image", "complete_box_iou", "distance_box_iou", "generalized_box_iou", "masks_to_boxes",
            )
        ]
        + [f"torchvision.ops.{name}" for name in ("deform_conv2d", "ps_roi_align", "roi_align", "roi_pool", "sigmoid_focal_loss")],
        _tensor,
    ),
    **dict.fromkeys(
        [f"torchvision.io.{owner}{name}" for owner in ("", "image.") for name in ("read_image", "decode_image", "decode_jpeg", "decode_png", "read_file")],
        lambda arguments: TensorValue("torch.uint8"),
    ),
    **timm.FUNCTIONS,
}
#: What every distribution can be asked for, whatever its class: tensors. Torch annotates them in its base class alone, and not all.
_DISTRIBUTION = "torch.distributions.Distribution"
_OF_DISTRIBUTIONS = frozenset(("cdf", "icdf", "entropy", "log_prob", "sample", "rsample", "sample_n", "enumerate_support", "perplexity"))


def of_distribution(name: str) -> bool:
    """Whether a method is one by which a distribution gives a tensor: ``torch.distributions.Normal.entropy``."""
    cls, _, short = name.rpartition(".")
    return short in _OF_DISTRIBUTIONS and (cls == _DISTRIBUTION or _DISTRIBUTION in torchfacts.ancestors(cls))


def _named(value: Value) -> Value:
    return Sequence("iterator", None, Sequence("tuple", (Builtin("str"), value)))


def dtype_of_function(name: str, arguments: Any, result: TensorValue) -> TensorValue:
    """A function's tensor with the dtype that its arguments say."""
    given = arguments.keywords.get("dtype")
    if given is not None:
        return TensorValue(creation.dtype_of(given), result.shape, likely=result.likely)
    short = name.rpartition(".")[2]
    if short in tensors.RESULT_DTYPES and not tensors.depends_on_weights(short, arguments, 1):
        return TensorValue(tensors.RESULT_DTYPES[short], result.shape, likely=result.likely)
    first = arguments.positional[0] if arguments.positional else None
    if short in tensors.SAME_DTYPE and isinstance(first, TensorValue):
        return TensorValue(tensors.kept_dtype(short, first.dtype), first.shape if tensors.SAME_DTYPE[short] else None, likely=result.likely)
    if tensors.of_all(short, arguments, 1) and isinstance(first, TensorValue):
        return TensorValue(first.dtype, result.shape, likely=result.likely)
    if short in tensors.FLOATING_DTYPE and isinstance(first, TensorValue):
        return TensorValue(tensors.floating_dtype(short, first), result.shape, likely=result.likely)
    if short in tensors.JOINING and isinstance(first, Sequence):
        return TensorValue(_one_dtype(first), result.shape, likely=result.likely)
    return result


def _one_dtype(joined: Sequence) -> str | None:
    """The dtype that all tensors of a sequence are known to have."""
    parts = joined.items if joined.items is not None else (joined.element,)
    dtypes = {part.dtype if isinstance(part, TensorValue) and not part.likely else None for part in parts}
    return dtypes.pop() if len(dtypes) == 1 else None
