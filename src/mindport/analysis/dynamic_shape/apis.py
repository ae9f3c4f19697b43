"""What is known about APIs and shapes, as data: which results change their shape with values, and which arguments are sizes.

Positions are those of the function (``torch.topk(input, k)``); a method's are one less. Sources: the API's page on
https://docs.pytorch.org/docs/2.13/ , https://docs.pytorch.org/vision/0.28/ and the table of ten rows of MindSpore's
migration guide ("APIs that cause shape changes during network execution"), whose row each entry names.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Literal

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape.sized_apis import OF_NUMBERS
from mindport.analysis.network_run.layer_rules import SAME

#: A condition on an argument: always; the argument is not given; it is a tensor (not a number).
Condition = Literal["always", "not given", "tensor"]


@dataclass(frozen=True)
class Dynamic:
    """An API whose result's shape depends on values. `parameter` and `position` are those of the condition.

    `unless`: keywords that fix the shape.
    """

    row: str
    why: str
    condition: Condition = "always"
    parameter: str = ""
    position: int = 0
    unless: tuple[str, ...] = ()
    code: str = "MP202"


_NMS = Dynamic("NonZero", "how many boxes stay depends on their overlaps")
PACK = Dynamic("MaskedSelect", "packing keeps as many steps as the lengths add up to")
_SEGMENT = Dynamic("UnsortedSegmentX", "without a number of segments it is the greatest index + 1", "not given", "dim_size", 4)
_POOLED = Dynamic("UnsortedSegmentX", "without a number of graphs it is the greatest index + 1", "not given", "size", 2)

DYNAMIC: dict[str, Dynamic] = {
    "torch.masked_select": Dynamic("MaskedSelect", "as many elements as the mask is true for"),
    "torch.nonzero": Dynamic("NonZero", "as many rows as there are elements other than zero"),
    "torch.argwhere": Dynamic("NonZero", "as many rows as there are elements other than zero"),
    "torch.where": Dynamic("Sampler", "with one argument it gives the places where the condition is true", "not given", "input", 1),
    "torch.unique": Dynamic("Unique", "as many elements as there are different values"),
    "torch.unique_consecutive": Dynamic("Unique", "as many elements as there are runs of equal values"),
    "torch.sparse_coo_tensor": Dynamic("UnsortedSegmentX", "without a size it is the greatest index + 1", "not given", "size", 2),
    "torch.repeat_interleave": Dynamic("Gather", "as many elements as the repeats add up to", "tensor", "repeats", 1, ("output_size",)),
    "torch.bincount": Dynamic("UnsortedSegmentX", "as many bins as the greatest value + 1"),
    "torch.nn.functional.one_hot": Dynamic("UnsortedSegmentX", "without num_classes it is the greatest value + 1", "not given", "num_classes", 1),
    "torch.nn.utils.rnn.pack_padded_sequence": PACK,
    "torch.nn.utils.rnn.pack_sequence": PACK,
    "torch.nn.utils.rnn.pad_packed_sequence": Dynamic("Slice", "pads to the longest of this batch", "not given", "total_length", 3, code="MP201"),
    "torch.nn.utils.rnn.pad_sequence": Dynamic("Slice", "pads to the longest sequence it is given", code="MP201"),
    "torchvision.ops.nms": _NMS,
    "torchvision.ops.batched_nms": _NMS,
    "torchvision.ops.boxes.nms": _NMS,
    "torchvision.ops.boxes.batched_nms": _NMS,
    "torch.ops.torchvision.nms": _NMS,
    "torchvision.ops.remove_small_boxes": Dynamic("NonZero", "how many boxes stay depends on their sizes"),
    "torchvision.ops.boxes.remove_small_boxes": Dynamic("NonZero", "how many boxes stay depends on their sizes"),
    **dict.fromkeys(
        [f"torch_scatter.{name}" for name in ("scatter", "scatter_add", "scatter_sum", "scatter_mean", "scatter_max", "scatter_min", "scatter_softmax")],
        _SEGMENT,
    ),
    **dict.fromkeys(
        [f"torch_geometric.utils.{name}" for name in (
            "remove_self_loops", "segregate_self_loops", "add_remaining_self_loops", "to_undirected", "subgraph", "bipartite_subgraph", "k_hop_subgraph", "dropout_edge", "dropout_node", "dropout_path", "dropout_adj",
            "coalesce", "dense_to_sparse", "negative_sampling", "batched_negative_sampling", "structured_negative_sampling", "remove_isolated_nodes", "unbatch",
        )]
        + ["torch_sparse.coalesce", "torch_geometric.nn.radius_graph", "torch_geometric.nn.radius", "torch_cluster.radius_graph", "torch_cluster.radius", "torch_geometric.nn.pool.radius_graph"],
        Dynamic("NonZero", "how many edges or nodes there are depends on the graph and its values"),
    ),
    **dict.fromkeys(["torch_geometric.utils.to_dense_batch", "torch_geometric.utils.to_dense_adj"], Dynamic("Slice", "pads to the largest graph of this batch", "not given", "max_num_nodes", 4)),
    "torch.nn.utils.rnn.unpad_sequence": Dynamic("Slice", "each sequence has its own length"),
    **dict.fromkeys([f"torch_geometric.nn.global_{name}_pool" for name in ("add", "mean", "max")], _POOLED),
}  # fmt: skip
TRANSFORMS = "torchvision.transforms."
#: A method of the same name has the function's rules.
METHOD, FUNCTION = torch_names.METHOD, torch_names.FUNCTION

#: Reductions: without a dimension the result is one number; with one, the shape loses it.
REDUCING = frozenset(f"torch.{name}" for name in (
    "sum", "mean", "amax", "amin", "prod", "all", "any", "std", "var", "norm", "median", "max", "min", "argmax", "argmin",
    "logsumexp", "count_nonzero", "nansum", "nanmean",
))  # fmt: skip
#: Losses that give one number unless ``reduction="none"``.
LOSSES = frozenset(f"torch.nn.functional.{name}" for name in (
    "cross_entropy", "nll_loss", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy", "kl_div",
    "binary_cross_entropy_with_logits", "cosine_embedding_loss", "margin_ranking_loss", "triplet_margin_loss", "ctc_loss",
    "poisson_nll_loss", "gaussian_nll_loss", "soft_margin_loss", "hinge_embedding_loss", "multi_margin_loss",
))  # fmt: skip
#: The result has the shape that the named arguments say, whatever the input's.
SIZED_BY_ARGUMENT = frozenset((
    "torch.topk", "torch.zeros", "torch.ones", "torch.empty", "torch.rand", "torch.randn", "torch.eye", "torch.full", "torch.arange",
    "torch.linspace", "torch.logspace", "torch.randperm", "torch.randint", "torch.multinomial", "torch.new_tensor", "torch.new_zeros", "torch.new_ones", "torch.new_full", "torch.new_empty",
))  # fmt: skip
#: Written into, the shape is the receiver's.
OWN_SHAPE = frozenset(f"torch.{name}" for name in (
    "masked_fill", "masked_scatter", "scatter", "scatter_add", "scatter_reduce", "index_add", "index_copy", "index_put", "index_fill",
    "copy", "fill", "zero", "clamp",
))  # fmt: skip
#: The shape of the first argument, for comparing branches.
PRESERVING = frozenset(
    [f"torch.{name}" for name in (
        "relu", "sigmoid", "tanh", "abs", "exp", "log", "sqrt", "sin", "cos", "neg", "clamp", "clip", "flip", "roll", "clone", "softmax",
        "zeros_like", "ones_like", "rand_like", "randn_like", "full_like", "empty_like", "detach", "dropout", "masked_fill", "square",
        "nan_to_num", "float", "half", "double", "to", "cuda", "cpu", "contiguous", "bool", "long", "int", "type_as", "log_softmax", "round",
        "cumsum", "sort", "argsort", "tril", "triu", "isnan", "isinf", "type", "rsqrt", "pow", "erf", "floor", "ceil", "sign", "logical_not",
    )]
    + [f"torch.nn.functional.{name}" for name in ("relu", "gelu", "silu", "softmax", "log_softmax", "dropout", "sigmoid", "tanh", "leaky_relu", "elu", "normalize", "layer_norm", "batch_norm", "softplus", "mish", "hardswish")]
)  # fmt: skip
#: Pooling by a stride: with one of 1 it may keep the shape.
POOLING = frozenset(f"torch.nn.functional.{kind}_pool{n}d" for kind in ("avg", "max", "lp") for n in (1, 2, 3))
#: Functions of images that give another size.
RESIZING_FUNCTIONS = frozenset(f"torchvision.transforms.{part}functional.{name}" for part in ("", "v2.") for name in ("resize", "crop", "center_crop", "resized_crop", "pad"))
#: Steps that change a shape in a way worth comparing.
RESHAPING = frozenset(("torch.unsqueeze", "torch.squeeze", "torch.repeat", "torch.tile", "torch.nn.functional.pad", "torch.nn.functional.interpolate", *POOLING, *RESIZING_FUNCTIONS))
#: What values decide is the first axis of what they give.
IN_ROWS = frozenset(("torch.nonzero", "torch.argwhere", "torch.masked_select", "torch.unique", "torch.unique_consecutive"))
JOINING = frozenset(("torch.cat", "torch.concat", "torch.concatenate", "torch.hstack", "torch.vstack"))
#: They stack what the samples hold.
DEFAULT_COLLATIONS = frozenset("torch.utils.data." + name for name in ("default_collate", "dataloader.default_collate", "_utils.collate.default_collate"))
#: It makes an attribute of a tensor.
REGISTERING = frozenset(("torch.nn.Module.register_buffer",))
#: They make one tensor of a Python container: its length becomes a dimension.
FROM_LISTS = JOINING | frozenset(("torch.stack", "torch.tensor", "torch.as_tensor", "torch.dstack", "torch.block_diag", "torch.from_numpy", "torch.new_tensor", "torch.column_stack", "torch.cartesian_prod", *DEFAULT_COLLATIONS, *("torch." + name for name in OF_NUMBERS)))
#: It makes a tensor of its second argument; these take the tensors one by one.
OF_KIND = "torch.new_tensor"
SPREAD = frozenset(("torch.block_diag", "torch.cartesian_prod", "torch.meshgrid"))
#: Functions that look values up in a tensor, whatever their arguments are called.
OF_SORTED = frozenset("torch." + name for name in ("searchsorted", "bucketize", "isin", "cdist", "sort", "argsort", "topk", "quantile", "kthvalue", "cumsum", "diff", "matmul", "bmm", "einsum", "gather", "where", "histc"))
#: Methods of networks that go over their weights, and whether with their names.
OF_WEIGHTS = {"parameters": False, "buffers": False, "named_parameters": True, "named_buffers": True}
#: They make a tensor of numbers in lists.
OF_LISTS = frozenset(("torch.tensor", "torch.as_tensor", "torch.LongTensor", "torch.FloatTensor"))
#: What these make has constant values, whatever its sizes: selecting from it gives the same number of elements in every step.
CONSTANT_VALUES = frozenset((*("torch." + name for name in ("zeros", "ones", "empty", "eye")), *("numpy." + name for name in ("zeros", "ones", "eye", "identity"))))
#: Factories: the values are the arguments', not data. RANDOM_VALUES: they draw.
FACTORIES = frozenset(("torch.zeros", "torch.ones", "torch.empty", "torch.full", "torch.eye", "torch.arange", "torch.linspace", "torch.tensor", "torch.as_tensor", *("torch." + name for name in OF_NUMBERS)))
RANDOM_VALUES = frozenset("torch." + name for name in (
    "rand", "randn", "randint", "randperm", "normal", "bernoulli", "multinomial", "poisson", "binomial", "rand_like", "randn_like", "randint_like",
    "uniform", "random", "geometric", "exponential", "cauchy", "log_normal",
))  # fmt: skip
#: What reads values out of tensors into Python.
VALUE_READS = frozenset(f"torch.{name}" for name in ("item", "tolist", "equal", "allclose", "is_nonzero", "numpy", "__bool__"))
#: What reads shapes.
SHAPE_READS = frozenset(("torch.shape", "torch.stride", "torch.size", "torch.numel", "torch._shape_as_tensor", "torch.nelement"))
#: What says something about a tensor that no step changes.
METADATA = frozenset(f"torch.{name}" for name in ("dim", "ndim", "dtype", "device", "is_cuda", "requires_grad", "is_floating_point", "is_contiguous", "layout", "is_sparse", "is_tensor", "is_complex", "is_grad_enabled", "is_autocast_enabled", "element_size", "get_device", "type"))
#: Draws in Python and NumPy, by prefix. SHUFFLING: they change their argument.
RANDOM_PREFIXES = ("random.", "numpy.random.", "secrets.")
#: Generators of random numbers: what makes one, and the module whose functions its methods are like; how they are called where nothing says what they are; methods under another name.
GENERATORS: dict[str, str] = {
    "random.Random": "random.", "random.SystemRandom": "random.", "numpy.random.default_rng": "numpy.random.", "numpy.random.RandomState": "numpy.random.", "numpy.random.Generator": "numpy.random.",
    "sklearn.utils.check_random_state": "numpy.random.", "gym.utils.seeding.np_random": "numpy.random.",
}  # fmt: skip
GENERATOR_WORDS = frozenset(("rng", "prng", "np_rng", "np_random", "random_state", "py_rng"))
DRAWS_ALIKE = {"integers": "randint", "random_sample": "random", "random_integers": "randint"}
SHUFFLING = frozenset(("random.shuffle", "numpy.random.shuffle"))
#: Draws whose number of elements is an argument: name → (parameter, position).
RANDOM_COUNTS: dict[str, tuple[str, int]] = {
    "random.sample": ("k", 1), "random.choices": ("k", 3), "numpy.random.choice": ("size", 1), "numpy.random.permutation": ("x", 0),
    "numpy.random.randint": ("size", 2), "numpy.random.uniform": ("size", 2), "numpy.random.normal": ("size", 2),
}  # fmt: skip
#: Draws of arrays: each argument is a size.
RANDOM_ARRAYS = frozenset(("numpy.random.rand", "numpy.random.randn"))
#: NumPy functions whose result has as many elements as values say (``where`` with one argument).
ARRAY_DYNAMIC: dict[str, int] = {
    "numpy.where": 1, "numpy.nonzero": 0, "numpy.flatnonzero": 0, "numpy.argwhere": 0, "numpy.unique": 0, "numpy.intersect1d": 0,
    "numpy.setdiff1d": 0, "numpy.setxor1d": 0, "numpy.trim_zeros": 0,
    "scipy.signal.find_peaks": 0, "scipy.signal.argrelextrema": 0, "scipy.signal.argrelmax": 0, "scipy.ndimage.find_objects": 0, "scipy.sparse.find": 0, "scipy.spatial.Delaunay": 0, "scipy.spatial.ConvexHull": 0,
    "cv2.findContours": 0, "cv2.HoughLinesP": 0, "cv2.HoughLines": 0, "cv2.HoughCircles": 0, "cv2.goodFeaturesToTrack": 0, "cv2.connectedComponentsWithStats": 0, "cv2.findNonZero": 0,
    "skimage.measure.regionprops": 0, "skimage.measure.find_contours": 0, "skimage.feature.peak_local_max": 0, "skimage.feature.corner_peaks": 0, "skimage.measure.marching_cubes": 0,
    "librosa.effects.split": 0, "scipy.ndimage.center_of_mass": 0, "librosa.onset.onset_detect": 0, "librosa.beat.beat_track": 0, "scipy.optimize.linear_sum_assignment": 0, "numpy.union1d": 0, "numpy.extract": 0, "numpy.compress": 0,
}  # fmt: skip
#: Arrays that tell several things at once: a tuple of arrays of their own lengths.
ARRAY_TUPLES = ("where", "nonzero", "assignment", "find_peaks", "findContours", "argrelextrema", "argrelmax", "find", "marching_cubes", "connectedComponentsWithStats", "beat_track")
#: What a function tells besides, where it is asked to, in that order; whether data decide how long that is.
ARRAY_BESIDES: dict[str, tuple[tuple[str, bool], ...]] = {
    "numpy.unique": (("return_index", True), ("return_inverse", False), ("return_counts", True)), "numpy.intersect1d": (("return_indices", True), ("return_indices", True)),
}
#: Those whose arrays hold arrays, each of its own length.
OF_ARRAYS = ("findContours",)
#: Functions by one of whose arguments an array has its length: at which place it stands (-1: all positional ones), and its name.
ARRAY_SIZES: dict[str, tuple[int, str]] = {
    "numpy.arange": (-1, "stop"), "numpy.linspace": (2, "num"), "numpy.logspace": (2, "num"), "numpy.tile": (1, "reps"), "numpy.repeat": (1, "repeats"), "numpy.eye": (0, "N"), "numpy.identity": (0, "n"),
    "numpy.resize": (1, "new_shape"), "numpy.broadcast_to": (1, "shape"), "numpy.bincount": (0, "x"), "numpy.hanning": (0, "M"),
}  # fmt: skip
#: Functions whose result is as long as their parts together; that leave out, or put in, as many as their second argument says.
ARRAY_JOINS = frozenset("numpy." + name for name in ("concatenate", "hstack", "append", "block", "vstack"))
#: Functions that make one of all rows, or of all elements.
ARRAY_REDUCTIONS = frozenset("numpy." + name for name in ("sum", "mean", "max", "min", "amax", "amin", "prod", "median", "std", "var", "any", "all", "average"))
ARRAY_PADDED, ARRAY_STACKED = frozenset(("numpy.pad",)), frozenset(("numpy.stack", "numpy.array", "numpy.asarray"))
ARRAY_LEFT_OUT = frozenset(("numpy.delete", "numpy.insert"))
#: Python's functions of numbers and containers.
NUMBERS = frozenset(f"builtins.{name}" for name in ("int", "float", "bool", "abs", "round", "min", "max", "sum", "divmod", "pow")) | frozenset(("math.ceil", "math.floor", "math.sqrt", "math.log", "math.log2", "math.prod", "math.pow", "math.exp"))
#: Keywords of a tokenizer's call that pad to the longest text of the batch.
LONGEST = (True, "longest")
TOKENIZERS, TOKENIZER_WORDS = "transformers.", frozenset(("return_tensors", "truncation", "max_length"))
#: Words in the name of a parameter of unknown type that speak of a boolean mask.
MASK_WORDS = ("mask", "valid", "ok", "alive", "visible", "inside")
#: Last words of names of places, not of masks: mask_pos, valid_ids.
PLACE_WORDS = frozenset(("pos", "position", "positions", "idx", "idxs", "ids", "id", "index", "indices", "inds", "ind", "token", "tokens", "ratio", "prob", "size", "len", "lens", "lengths", "value"))
#: Methods that tensors have, and no array, list or dictionary: their receiver is a tensor. Those of COMPARING tables have, too.
COMPARING = frozenset(("gt", "ge", "lt", "le", "eq", "ne"))
PLACING = frozenset(("nonzero",))
GIVES_TRUTH = COMPARING | frozenset(("bool", "logical_and", "logical_or", "logical_not", "logical_xor"))
TESTING = frozenset(("any", "all"))
#: Functions that give truth values.
TRUTH_FUNCTIONS = frozenset("torch." + name for name in ("isin", "isnan", "isinf", "isfinite", "isclose", "isneginf", "isposinf", "isreal", "signbit", *COMPARING, "greater", "less", "not_equal", "greater_equal", "less_equal", "logical_and", "logical_or", "logical_not", "logical_xor"))
#: What inference calls a comparison's methods of which it does not know what is compared.
OF_TRUTH = "builtins.bool."
#: Functions that test along an axis; that cast; the kinds of numbers that are no truth values.
TESTS = frozenset(("torch.any", "torch.all"))
#: What chooses by a mask, element by element: of three arguments, of two or three.
CHOOSING = frozenset(("torch.where",))
BY_MASKS = frozenset("torch." + name for name in ("masked_fill", "masked_fill_", "masked_select", "masked_scatter", "masked_scatter_"))
CASTS = frozenset(("torch.to", "torch.type"))
KINDS = frozenset(("float", "float16", "float32", "float64", "bfloat16", "half", "double", "int", "int8", "int16", "int32", "int64", "long", "short", "uint8", "dtype", "FloatTensor", "LongTensor"))
#: What gives a mask of a mask.
MASK_KEEPING = frozenset("torch." + name for name in (
    "view", "reshape", "squeeze", "unsqueeze", "flatten", "unflatten", "expand", "expand_as", "view_as", "repeat", "tile", "transpose", "permute", "t", "swapaxes", "cpu", "cuda", "detach",
    "clone", "contiguous", "roll", "flip", "broadcast_to", "movedim", "select", "narrow", "index_select", "gather", "repeat_interleave", "masked_fill", "diagonal", "tril", "triu", "ravel",
    "cat", "concat", "stack", "byte", "chunk", "split", "unbind", "as_tensor", "tensor", "from_numpy", "zero", "fill", "scatter", "index_fill", "any", "all",
))  # fmt: skip
#: What of a mask counts or places what is true.
COUNTING = frozenset(("sum", "any", "all", "nonzero", "numel", "argmax"))
ONLY_OF_TENSORS = GIVES_TRUTH | PLACING | frozenset(("sigmoid", "softmax", "log_softmax", "masked_select", "masked_fill", "topk", "unsqueeze", "long"))
#: Methods that make a tensor like their receiver's, which is one: also of a sample in a collation.
MAKING = frozenset(("new_zeros", "new_ones", "new_full", "new_empty"))
CASTING = frozenset(("float", "int", "double", "half", "long", "type_as"))
#: Those that show what an unknown parameter is (a module has neither); those that do with one number, an axis.
MARKING_TENSORS = frozenset(("numel", "nelement", "unsqueeze", "permute", "detach", "contiguous", "masked_fill", "masked_fill_", "masked_select", "scatter_", "index_select", "topk", "expand_as", "view_as", "type_as", "new_zeros", "new_ones", "new_full", "log_softmax", "unbind"))
#: Methods that no array, table, container, module or object of another kind has, as a rule; those of mathematics, where they are given nothing.
OF_TENSORS_ALONE = frozenset(["amax", "amin", "addmm", "baddbmm", "bmm", "bernoulli_", "clamp_", "clamp_max", "clamp_min", "clamp", "copysign", "cumsum_", "detach_", "diag_embed", "expand", "fill_", "fill_diagonal_", "index_add", "index_add_", "index_copy", "index_copy_", "index_fill", "index_fill_", "index_put", "index_put_", "kthvalue", "lerp", "lerp_", "logaddexp", "logcumsumexp", "logsumexp", "masked_scatter", "masked_scatter_", "matmul", "mm", "movedim", "mul_", "multinomial", "nan_to_num", "narrow", "new_tensor", "permute", "repeat_interleave", "reshape_as", "scatter_add", "scatter_add_", "scatter_reduce", "scatter_reduce_", "softmax", "split_with_sizes", "tensor_split", "topk", "tril", "triu", "unflatten", "uniform_", "unique_consecutive", "unsqueeze_", "requires_grad"])
OF_TENSORS_UNARY = frozenset(["exp", "exp_", "exp2", "expm1", "erf", "floor", "floor_", "ceil", "frac", "log1p", "log2", "log10", "log_", "neg", "neg_", "reciprocal", "relu", "relu_", "rsqrt", "sigmoid", "sigmoid_", "sin", "cos", "tanh", "tanh_", "sqrt", "sqrt_", "trunc", "zero_", "logical_not", "isnan", "isfinite"])
#: Those that arrays have, too: they show a tensor where no array is about.
SHARED_WITH_ARRAYS = frozenset(("item", "tolist", "reshape", "view", "squeeze", "transpose", "argmax", "argmin", "argsort", "clip", "cumsum", "mean", "std", "max", "min", "sum", "any", "all", "nonzero", "clamp", "expand", "abs", "norm", "pow", "square", *GIVES_TRUTH))
#: With several sizes, a tensor's.
VIEW = "view"
#: Keywords that only tensors' methods have.
KEYWORDS_OF_TENSORS = frozenset(("dim", "keepdim", "descending", "largest", "non_blocking", "dims"))
#: Methods that give the parts of a tensor.
PARTING = frozenset(("split", "chunk", "unbind", "tensor_split"))
#: Methods that no array has: there `size` is a number.
ASKING_SHAPES = frozenset(("size", "dim"))
WITH_AN_AXIS = frozenset(("size", "flatten", "softmax"))
#: Methods that read the values of an array or a tensor, whichever it is.
READING_VALUES = frozenset(("max", "min", "sum", "argmax", "argmin"))
#: Packages whose arrays and tables look like tensors.
ARRAY_PACKAGES = frozenset(("numpy", "pandas", "scipy", "cv2", "polars", "xarray", "cupy", "jax", "tensorflow"))
#: Methods of Python's containers.
CONTAINER_METHODS = frozenset(("append", "extend", "insert", "items", "keys", "values", "get", "pop", "sort", "reverse", "update", "copy", "setdefault"))
#: Packages that give no tensors of tensors.
HOST_PACKAGES = ARRAY_PACKAGES | sys.stdlib_module_names | {"sklearn", "skimage", "matplotlib", "tqdm", "wandb", "PIL", "seaborn", "librosa", "soundfile"}
#: What draws where a part of a given size is cut: top, left, height, width.
PLACED = frozenset((f"{TRANSFORMS}RandomCrop.get_params", f"{TRANSFORMS}v2.RandomCrop.get_params"))
#: What NumPy says of a kind of numbers.
OF_KINDS = frozenset(("numpy.finfo", "numpy.iinfo", "numpy.dtype"))
#: Methods of lists that say where or how often something stands, and of counters.
OF_COUNTERS = frozenset(("most_common",))
COUNTING_METHODS = frozenset(("index", "count")) | OF_COUNTERS
#: Words in the names of functions that keep those boxes that do not overlap.
SUPPRESSION = frozenset(("nms", "suppression"))
#: Methods of environments whose result says whether an episode has ended.
STEPPING = frozenset(("step",))
#: Collective calls: they write into their first argument what other processes hold.
COLLECTIVES = frozenset(f"torch.distributed.{name}" for name in ("all_gather", "all_gather_into_tensor", "all_gather_object", "all_reduce", "broadcast", "recv", "reduce", "reduce_scatter", "scatter", "all_to_all", "all_to_all_single"))
BATCH_SAMPLER = "torch.utils.data.BatchSampler"
#: Loaders that join graphs: a batch has the nodes and edges of all of them. Collators that pad to the longest of a batch.
GRAPH_LOADERS = ("torch_geometric.loader.DataLoader", "torch_geometric.data.DataLoader", "torch_geometric.loader.NeighborLoader", "torch_geometric.loader.ClusterLoader", "torch_geometric.loader.GraphSAINT", "dgl.dataloading.", "dgl.batch")
COLLATORS = ("torchtext.data.BucketIterator", "torchtext.legacy.data.BucketIterator", "torchtext.data.Iterator", "torchtext.legacy.data.Iterator", "torchtext.data.BucketIterator.splits", "torchtext.legacy.data.BucketIterator.splits", "torchtext.data.Iterator.splits", "torchtext.legacy.data.Iterator.splits", "transformers.DataCollatorWithPadding", "transformers.DataCollatorForSeq2Seq", "transformers.DataCollatorForTokenClassification", "transformers.data.data_collator.DataCollatorWithPadding")
#: Last words of parameters that hold how long the samples of a batch are.
LENGTHS = frozenset(("lens", "lengths", "durations", "counts"))
#: Last words that say whose number it is: ``boxes_per_image``.
OWNERS = frozenset(("image", "sample", "graph", "img", "sentence", "document"))
#: Last words of parameters that are numbers of the configuration, and first words.
NUMBER_WORDS = frozenset(("rate", "ratio", "prob", "fraction", "frac", "size", "stride", "factor", "dim", "axis", "temperature", "threshold", "eps", "epoch", "iterations", "layers", "heads", "k"))
COUNTING_WORDS = frozenset(("num", "n", "max", "min", "is", "use", "return", "with"))
#: Names of what is known or found of each image of a batch, a dictionary or an object an image.
TRUTHS = frozenset(("targets", "annotations", "gts", "truths", "proposals"))
#: Words in the names of parameters that hold the samples of a step, in the form in which they were drawn; of those that hold episodes, each as long as it took.
#: Words in the names of what holds the keys and values of the steps before.
#: Methods that give the text they are given with what follows it.
CONTINUING = frozenset(("generate",))
PAST_WORDS = frozenset(("past", "cache", "kv"))
EPISODE_WORDS = frozenset(("episodes", "trajectories"))
SAMPLE_WORDS = ("batch", "samples", "transitions", "episodes")
#: Calls that end a training step: a loop around them is the training loop, not a part of the network.
STEPS = frozenset(("torch.Tensor.backward", "torch.autograd.backward", "torch.optim.Optimizer.step"))

#: Data sets all of whose samples have one shape.
ONE_SIZE = frozenset(f"torchvision.datasets.{name}" for name in ("CIFAR10", "CIFAR100", "MNIST", "FashionMNIST", "KMNIST", "EMNIST", "QMNIST", "SVHN", "STL10", "USPS", "FakeData"))
#: Data sets of images of their own sizes.
ANY_SIZE = frozenset(f"torchvision.datasets.{name}" for name in ("ImageFolder", "DatasetFolder", "ImageNet", "CocoDetection", "VOCDetection", "VOCSegmentation", "Caltech101", "Caltech256", "Flowers102", "OxfordIIITPet", "Food101", "StanfordCars", "Places365", "SBDataset", "Cityscapes", "WIDERFace", "CelebA"))
#: Transforms after which all images have one size, and those where that needs two sizes.
FIXING_TRANSFORMS = frozenset(("CenterCrop", "RandomCrop", "RandomResizedCrop", "FiveCrop", "TenCrop"))
RESIZING = "Resize"

#: Layers, by the last part of their names: what keeps the shape; the beginning of those with sizes of their own, the end of those that give one number.
KEEPING_LAYERS = SAME | frozenset(("LayerNorm", "BatchNorm1d", "BatchNorm2d"))
SIZED_LAYERS, LOSS_LAYERS = "Adaptive", "Loss"
#: Layers whose constructors say how they change the shape, by their names without the number of axes: their parameters in order.
_WINDOW = ("in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation")
CHANGING_LAYERS: dict[str, tuple[str, ...]] = {"Linear": ("in_features", "out_features"), "Conv": _WINDOW, "MaxPool": ("kernel_size", "stride", "padding", "dilation"), "AvgPool": ("kernel_size", "stride", "padding")}
#: What makes one axis of all where it is given nothing, or -1.
TO_ONE_AXIS = frozenset(("torch.reshape", "torch.view", "torch.flatten", "torch.ravel"))


def plain(name: str) -> str:
    """The name under which a method stands in these tables: its function's."""
    return FUNCTION + name[len(METHOD) :].removesuffix("_") if name.startswith(METHOD) else name


#: What has a shape, and is no tensor, by its name; methods of trees and indices that give all within a distance.
WITH_SHAPES = frozenset(("space", "spec", "config", "cfg", "args", "env", "np", "box"))
WITHIN_A_DISTANCE = frozenset(("query_ball_point", "query_ball_tree", "query_pairs", "query_radius", "radius_neighbors"))
#: As many as a skeleton has.
OF_ONE_SKELETON = frozenset(("keypoints", "joints", "landmarks"))
#: They join along the first axis where nothing says another; what spreads its first argument over the second.
JOINING_FIRST, EXPANDED_AS = frozenset(("torch.cat", "torch.concat", "torch.concatenate", "torch.vstack")), frozenset(("torch.expand_as",))
JOINING_IN_ROWS = frozenset(("torch.cat", "torch.concat", "torch.concatenate", "torch.hstack", "numpy.concatenate"))
FLATTENING = frozenset(("itertools.chain", "itertools.chain.from_iterable"))
FILLING = frozenset(("itertools.zip_longest",))

#: Python's containers by their constructors: dictionaries (those whose first argument makes what is missing), sequences, objects that hold their keywords.
DICTIONARIES = frozenset(("builtins.dict", "collections.OrderedDict", "collections.defaultdict", "collections.Counter"))
OF_DEFAULTS = frozenset(("collections.defaultdict", "collections.Counter"))
SEQUENCES = frozenset(("collections.deque",))
NAMESPACES = frozenset(("types.SimpleNamespace", "argparse.Namespace"))
COPIES = frozenset(("copy.copy", "copy.deepcopy", "builtins.dict.copy", "builtins.list.copy"))
CHAINS = frozenset(("itertools.chain", "itertools.chain.from_iterable", "itertools.islice", "itertools.cycle"))
#: Functions that give several things in each turn: one of each argument, or several of the only one.
OF_EACH = frozenset(("itertools.product", "itertools.zip_longest"))
PAIRING = OF_EACH | frozenset("itertools." + name for name in ("combinations", "permutations", "combinations_with_replacement", "pairwise"))
#: Functions of heaps, which are lists; those that give what they take out.
TAKING_OF_HEAPS = frozenset("heapq." + name for name in ("heappop", "heapreplace", "heappushpop"))
HEAPS = TAKING_OF_HEAPS | {"heapq.heappush"}
#: Functions of the standard library whose result's length follows from values: equal ones count once, are counted, come in runs, pass a test, are marked.
STANDARD = frozenset(("builtins", "collections", "itertools", "functools", "heapq", "operator", "statistics", "bisect", "math"))
DISTINCT = frozenset(("builtins.dict.fromkeys", "collections.Counter", "builtins.frozenset"))
COUNTED = frozenset(("collections.Counter",))
GROUPING = frozenset(("itertools.groupby",))
TESTED = frozenset(("itertools.filterfalse", "itertools.takewhile", "itertools.dropwhile"))
COMPRESSING = frozenset(("itertools.compress",))
REDUCED = frozenset(("functools.reduce",))
#: Modules whose functions compute a number of numbers; those that give several.
COMPUTING = frozenset(("heapq", "operator", "statistics", "bisect", "math"))
GIVING_LISTS = frozenset(("heapq.nlargest", "heapq.nsmallest", "heapq.merge"))
BINDING = "functools.partial"
#: Methods of arrays that give one number.
OF_ARRAYS_ONE = frozenset(("item", "sum", "max", "min", "mean", "any", "all"))
#: Lists that the code fills one by one are known item by item up to so many.
FEW = 8

#: Methods of texts that give a text; parts of the names of what makes numbers of texts; keywords that pad or cut them to one length.
OF_TEXTS = frozenset(("strip", "lstrip", "rstrip", "lower", "upper", "replace", "decode", "encode", "title", "casefold"))
ENCODING = ("token", "encode", "sequence", "phone", "words", "segment", "_ids", "ids_")
ENCODERS = frozenset(("encode", "tokenize", "encode_plus", "convert_tokens_to_ids", "text_to_sequence"))
TEXT_WORDS = frozenset(("text", "texts", "prompt", "prompts", "sentence", "sentences", "caption", "captions", "question", "utterance", "transcript", "tokens"))
#: Last words of the names of parameters that hold one text.
ONE_TEXT = frozenset(("text", "prompt", "sentence", "caption", "question", "utterance", "transcript", "string"))
#: Words in the names of what gives batches.
LOADER_WORDS = frozenset(("loader", "dataloader", "loaders", "trainloader", "testloader", "valloader", "dl"))
BATCHING_WORDS = frozenset(("batches", "minibatches", "loader", "dataloader"))
#: How the ends of segments of a batch are called, in pairs.
FIRST_ENDS, LAST_ENDS = ("start", "begin", "st", "lo"), ("end", "stop", "ed", "hi")
#: Words in the names of what holds settings.
SETTING_WORDS = frozenset(("config", "cfg", "args", "opt", "opts", "options", "hparams", "hps", "params", "settings", "conf", "self", "cls"))
#: What a batch says about itself that is the same in every step.
ABOUT_BATCHES = frozenset(("num_graphs", "batch_size", "num_features", "num_classes", "num_node_features"))
PADDING = frozenset(("padding", "pad_to_max_length", "truncation"))
#: Tables: where they come from, what selects some of their rows, what says something about all of them.
TABLES = ("pandas.read_", "pandas.DataFrame", "pandas.concat", "pandas.merge")
#: Methods of a column that make something of each entry; functions that read a list out of a text.
APPLYING = frozenset(("apply", "map", "transform"))
READING_LISTS = frozenset(("ast.literal_eval", "json.loads", "builtins.eval", "builtins.str.split"))
OF_TABLES = frozenset(("groupby",))
SELECTING_ROWS = frozenset(("unique", "dropna", "drop_duplicates", "query", "nonzero", "get_group"))
ABOUT_TABLES = frozenset(("ndim", "dtype", "itemsize", "columns", "index", "name", "dtypes"))
#: NumPy's functions that give truth values.
ARRAY_TRUTHS = frozenset(f"numpy.{name}" for name in ("logical_not", "logical_and", "logical_or", "logical_xor", "isin", "in1d", "isnan", "isinf", "isfinite", "isclose"))
#: NumPy's arrays of given sizes.
ARRAY_FACTORIES = frozenset(f"numpy.{name}" for name in ("zeros", "ones", "full", "empty"))
STACKING = frozenset(("torch.stack", "numpy.stack", "torch.utils.data.default_collate", "torch.utils.data.dataloader.default_collate"))
OPENING = frozenset(("builtins.open", "io.open", "codecs.open", "gzip.open"))
#: Words in the names of what each sample has another number of.
RAGGED_WORDS = frozenset((
    "targets", "boxes", "bboxes", "box", "bbox", "annotations", "anns", "annos", "gts", "polygons", "points", "coords", "xyz", "nodes", "edges", "edge", "atoms", "tokens", "spans", "entities", "mentions", "sequences", "phonemes",
    "instances", "proposals", "keypoints", "rois", "objects", "pts", "pcd", "events",
))
#: Words in the names of what a batch holds that is no tensor.
METADATA_WORDS = frozenset((
    "name", "names", "id", "ids", "path", "paths", "file", "files", "filename", "filenames", "key", "keys", "uttid", "info", "infos", "meta", "metas", "text", "texts", "caption", "captions", "str",
    "url", "urls", "len", "lens", "length", "lengths", "num", "nums", "size", "sizes", "shape", "shapes", "index", "indices", "idx", "word", "words", "raw", "scale", "scales", "title", "uid", "uids",
))  # fmt: skip
