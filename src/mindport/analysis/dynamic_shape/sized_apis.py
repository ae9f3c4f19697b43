"""Which arguments of an API are sizes of its result, as data: a size that changes changes the shape.

Positions are those of the function; a method's receiver is the first. Sources: as in `apis`.
"""

from __future__ import annotations

from dataclasses import dataclass

#: All positional arguments from `Sized.first` on.
REST = -1
#: In place of `Sized.parameters`: every keyword is a size.
ANY = ("*",)


@dataclass(frozen=True)
class Sized:
    """Arguments that decide the result's shape. `position` REST: all positional ones from `first` on. `unless`: keywords that fix the shape."""

    row: str
    parameters: tuple[str, ...]
    position: int
    first: int = 0
    what: str = "size"
    random_code: str = "MP204"
    unless: tuple[str, ...] = ()


FACTORY = Sized("Slice", ("size",), REST)
#: Constructors that take sizes, or what the tensor holds: a size is a number.
OF_NUMBERS = ("FloatTensor", "LongTensor", "IntTensor", "DoubleTensor", "HalfTensor", "ByteTensor", "BoolTensor", "Tensor")
_METHOD_SIZES = Sized("Slice", ("size", "shape"), REST, 1)
_RESIZE = Sized("Slice", ("size", "scale_factor"), 1, what="size", random_code="MP201")
_AXIS = Sized("ReduceX", ("dim", "axis"), 1, what="axis")
_CROP = Sized("Slice", ("height", "width"), REST, 3, random_code="MP201")
#: Windows that move over the input: how wide, how far apart, and what is put around it.
_POOL = Sized("Slice", ("kernel_size", "stride", "padding", "dilation", "output_size"), REST, 1)
_CONVOLUTION = Sized("Slice", ("stride", "padding", "dilation", "output_padding"), REST, 3)
_POOL_LAYER = Sized("Slice", _POOL.parameters, REST)
_PAD_LAYER = Sized("Slice", ("padding",), 0, what="padding")
_SCALE_LAYER = Sized("Slice", ("size", "scale_factor"), REST, random_code="MP201")
_FFT = Sized("Slice", ("n",), 1, what="length")
#: Kinds of windows: what is as wide as it is padded keeps the length.
OF_WINDOWS = (_POOL, _POOL_LAYER, _CONVOLUTION)
SIZED: dict[str, Sized] = {
    "torch.topk": Sized("TopK", ("k",), 1, what="k"),
    "torch.narrow": Sized("Slice", ("length",), 3, what="length"),
    "torch.split": Sized("Slice", ("split_size_or_sections", "split_size"), 1, what="sections"),
    "torch.tensor_split": Sized("Slice", ("indices_or_sections",), 1, what="sections"),
    "torch.chunk": Sized("Slice", ("chunks",), 1, what="number of chunks"),
    "torch.arange": Sized("Slice", ("start", "end", "step"), REST, what="end"),
    "torch.linspace": Sized("Slice", ("steps",), 2, what="number of steps"),
    "torch.randperm": Sized("Sampler", ("n",), 0, what="length"),
    **dict.fromkeys(["torch." + name for name in ("zeros", "ones", "empty", "rand", "randn", "eye")], FACTORY),
    **dict.fromkeys(["torch." + name for name in OF_NUMBERS], FACTORY),
    "torch.full": Sized("Slice", ("size",), 0),
    "torch.randint": Sized("Sampler", ("size",), 2, what="size of the draws"),
    "torch.multinomial": Sized("Sampler", ("num_samples",), 1, what="number of samples"),
    "torch.repeat_interleave": Sized("Gather", ("repeats",), 1, what="number of repeats", unless=("output_size",)),
    "torch.reshape": _METHOD_SIZES,
    "torch.broadcast_to": _METHOD_SIZES,
    **dict.fromkeys(
        ["torch.Tensor." + name for name in ("view", "expand", "repeat", "tile", "new_zeros", "new_ones", "new_empty", "resize_")], _METHOD_SIZES
    ),
    "torch.Tensor.new_full": Sized("Slice", ("size",), 1),
    "torch.tile": _METHOD_SIZES,
    "torch.nn.functional.pad": Sized("Slice", ("pad",), 1, what="padding"),
    "torch.nn.functional.interpolate": _RESIZE,
    "torch.nn.functional.upsample": _RESIZE,
    "torchvision.transforms.functional.resize": _RESIZE,
    "torchvision.transforms.v2.functional.resize": _RESIZE,
    "torch.nn.functional.one_hot": Sized("UnsortedSegmentX", ("num_classes",), 1, what="number of classes"),
    **dict.fromkeys(["torch.nn.functional.adaptive_" + name for name in ("avg_pool1d", "avg_pool2d", "avg_pool3d", "max_pool1d", "max_pool2d", "max_pool3d")], Sized("Slice", ("output_size",), 1)),
    **dict.fromkeys([f"torch_scatter.{name}" for name in ("scatter", "scatter_add", "scatter_sum", "scatter_mean", "scatter_max", "scatter_min")], Sized("UnsortedSegmentX", ("dim_size",), 4, what="number of segments")),
    **dict.fromkeys(
        ["torch." + name for name in ("sum", "mean", "amax", "amin", "prod", "all", "any", "std", "var", "logsumexp", "norm", "median")], _AXIS
    ),
    "torch.max": _AXIS, "torch.min": _AXIS, "torch.argmax": _AXIS, "torch.argmin": _AXIS,
    "torch.permute": Sized("Transpose", ("dims",), REST, 1, "axis"),
    "torch.transpose": Sized("Transpose", ("dim0", "dim1"), REST, 1, "axis"),
    "torch.movedim": Sized("Transpose", ("source", "destination"), REST, 1, "axis"),
    **dict.fromkeys([f"torch.nn.functional.{kind}_pool{n}d" for kind in ("avg", "max", "lp") for n in (1, 2, 3)], _POOL),
    **dict.fromkeys([f"torch.nn.functional.conv{kind}{n}d" for kind in ("", "_transpose") for n in (1, 2, 3)], _CONVOLUTION),
    "torch.nn.functional.fold": _POOL, "torch.nn.functional.unfold": _POOL,
    "torch.unfold": Sized("Slice", ("size", "step"), REST, 2),
    "torch.nn.functional.pixel_shuffle": Sized("Slice", ("upscale_factor",), 1),
    "torch.nn.functional.affine_grid": Sized("Slice", ("size",), 1),
    **dict.fromkeys([f"torch.nn.{kind}Pool{n}d" for kind in ("Avg", "Max", "LP") for n in (1, 2, 3)], _POOL_LAYER),
    **dict.fromkeys([f"torch.nn.Adaptive{kind}Pool{n}d" for kind in ("Avg", "Max") for n in (1, 2, 3)], Sized("Slice", ("output_size",), 0)),
    **dict.fromkeys([f"torch.nn.{kind}Pad{n}d" for kind in ("Constant", "Zero", "Reflection", "Replication", "Circular") for n in (1, 2, 3)], _PAD_LAYER),
    "torch.nn.Upsample": _SCALE_LAYER, "torch.nn.UpsamplingNearest2d": _SCALE_LAYER, "torch.nn.UpsamplingBilinear2d": _SCALE_LAYER,
    "torch.nn.Fold": _POOL_LAYER, "torch.nn.Unfold": _POOL_LAYER, "torch.nn.PixelShuffle": Sized("Slice", ("upscale_factor",), 0),
    "torch.logspace": Sized("Slice", ("steps",), 2, what="number of steps"),
    **dict.fromkeys([f"torch.{kind}_window" for kind in ("hann", "hamming", "blackman", "bartlett", "kaiser")], Sized("Slice", ("window_length",), 0, what="length")),
    "torch.tril_indices": Sized("Slice", ("row", "col"), REST), "torch.triu_indices": Sized("Slice", ("row", "col"), REST),
    "torch.unflatten": Sized("Slice", ("sizes",), 2),
    "torch.as_strided": Sized("Slice", ("size",), 1),
    "torch.normal": Sized("Sampler", ("size",), 2),
    "torch.histc": Sized("UnsortedSegmentX", ("bins",), 1, what="number of bins"),
    "torch.histogram": Sized("UnsortedSegmentX", ("bins",), 1, what="number of bins"),
    "torch.sparse_coo_tensor": Sized("Slice", ("size",), 2),
    "torch.vander": Sized("Slice", ("N",), 1, what="number of columns"),
    "torch.diff": Sized("Slice", ("n",), 1, what="order"),
    "torch.stft": Sized("Slice", ("n_fft", "hop_length"), 1, what="length"),
    **dict.fromkeys([f"torch.fft.{name}" for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")], _FFT),
    **dict.fromkeys(["torch." + name for name in ("hsplit", "vsplit", "dsplit")], Sized("Slice", ("indices_or_sections",), 1, what="sections")),
    **dict.fromkeys(["torch." + name for name in ("flatten", "squeeze", "unsqueeze", "unbind")], _AXIS),
    "torch.Tensor.new": _METHOD_SIZES,
    "torch.nn.utils.rnn.pad_packed_sequence": Sized("Slice", ("total_length",), 3, what="length"),
    **{f"torchvision.transforms.{part}functional.{name}": entry for part in ("", "v2.") for name, entry in (("crop", _CROP), ("center_crop", Sized("Slice", ("output_size",), 1, random_code="MP201")), ("pad", Sized("Slice", ("padding",), 1, what="padding")), ("resized_crop", Sized("Slice", ("size",), 5, random_code="MP201")))},
    **dict.fromkeys([f"torchvision.transforms.{part}{name}" for part in ("", "v2.") for name in ("Resize", "CenterCrop", "RandomCrop", "RandomResizedCrop", "Pad")], Sized("Slice", ("size", "padding"), 0, random_code="MP201")),
    "torchaudio.functional.resample": Sized("Slice", ("orig_freq", "new_freq"), REST, 1, what="rate", random_code="MP201"),
    "torchaudio.functional.phase_vocoder": Sized("Slice", ("rate",), 1, what="rate", random_code="MP201"),
    "torchaudio.functional.speed": Sized("Slice", ("factor",), 2, what="rate", random_code="MP201"),
    "torchaudio.transforms.Resample": Sized("Slice", ("orig_freq", "new_freq"), REST, what="rate", random_code="MP201"),
    **dict.fromkeys([f"einops.{name}" for name in ("rearrange", "repeat", "reduce")], Sized("Slice", ANY, -2)),
}  # fmt: skip
#: Objects of other libraries that do what a function does with what they are called with: ``stretch(spectrogram, rate)``.
OBJECTS = {"torchaudio.transforms.TimeStretch": "torchaudio.functional.phase_vocoder"}
#: Layers among them, by the last parts of their names: what they make changes the shape of what it is called with.
LAYERS = frozenset(last for name in SIZED if (last := name.rpartition(".")[2])[:1].isupper() and last not in OF_NUMBERS)

#: Layers whose result is as long as their first argument, whatever the others are.
AS_LONG_AS_THE_QUERY = frozenset(("MultiheadAttention",))
