"""Libraries built on torch, and names that other types share with tensors and modules."""

from __future__ import annotations

import sys

#: Import roots whose uses are listed: torch, and libraries whose values are torch's.
TORCH_BASED = frozenset(
    ["torch", "torchvision", "torchaudio", "torchtext", "torchdata", "functorch", "timm", "einops", "einx", "kornia", "apex", "pytorch_lightning", "lightning", "lightning_fabric", "torchmetrics", "transformers", "pytorch_transformers", "pytorch_pretrained_bert", "accelerate", "diffusers", "peft", "sentence_transformers", "torch_geometric", "torch_scatter", "torch_sparse", "torch_cluster", "mmcv", "mmdet", "mmengine", "mmseg", "mmcls", "mmpretrain", "mmpose", "detectron2", "fvcore", "fairscale", "fairseq", "deepspeed", "xformers", "flash_attn", "thop", "ptflops", "torchinfo", "torchsummary", "segmentation_models_pytorch", "monai", "bitsandbytes", "triton", "torch_xla", "torch_npu", "open_clip", "clip", "efficientnet_pytorch", "pretrainedmodels", "pytorch_msssim", "lpips", "ignite", "skorch", "catalyst", "fastai", "gpytorch", "botorch", "pyro", "torchdiffeq", "torchopt", "geoopt", "higher", "learn2learn", "torchrl", "tensordict", "yolox", "ultralytics", "spconv", "MinkowskiEngine", "pytorch3d", "nvdiffrast", "e3nn", "mamba_ssm", "causal_conv1d", "entmax", "ema_pytorch", "torch_ema", "torch_optimizer", "torchsde", "torchcde", "pytorch_metric_learning", "x_transformers", "vit_pytorch", "rotary_embedding_torch", "local_attention", "vector_quantize_pytorch", "speechbrain", "asteroid", "tinycudann", "horovod", "tensorboardX"]
)

#: Attributes of builtin types; a name among them says nothing about an unknown receiver. (Nobody asks a plain number for its real part,
#: and the choice when the program runs leaves it alone.)
OF_BUILTINS = frozenset(name for kind in (str, bytes, list, dict, set, tuple, int, float, complex) for name in dir(kind)) - {"real", "imag"}

#: Attributes of numpy's arrays that tensors have too (numpy 1.26; `device` and `mT`, which 2 has, mean a tensor in code that was written for torch).
OF_ARRAYS = frozenset(
    ["T", "all", "any", "argmax", "argmin", "argsort", "clip", "conj", "conjugate", "copy", "cumprod", "cumsum", "data", "diagonal", "dot", "dtype", "fill", "flatten", "imag", "item", "itemsize", "max", "mean", "min", "nbytes", "ndim", "nonzero", "prod", "ptp", "put", "ravel", "real", "repeat", "reshape", "resize", "round", "searchsorted", "shape", "size", "sort", "squeeze", "std", "strides", "sum", "swapaxes", "take", "tolist", "trace", "transpose", "var", "view"]
)

#: Among them what MindSpore's tensors compute as arrays do (over n) and torch's do not (over n - 1): left as text it would be silently different, and the choice when the program runs is right for both.
SPREAD = frozenset(("std", "var"))

#: Among them what MindSpore's tensors compute rightly of truth values alone (of a row of numbers it reads the low byte, and gives a truth value that is 128).
OF_TRUTH = frozenset(("any",))

#: Among them what an array holds and a tensor computes: called, the receiver is no array.
HELD_BY_ARRAYS = frozenset(("size",))

#: Methods that arrays have, by how many places of a call a tensor's is likelier: ``x.repeat(2, 1)`` (an array's axis is written by name).
BY_PLACES = {"repeat": 2}

#: What arrays' methods and lists' take by name; ``x.sort(descending=True)``, ``x.nonzero(as_tuple=True)``, ``x.cumsum(dim=1)`` are no array's.
BY_NAME = frozenset(
    (
        "axis", "axis1", "axis2", "copy", "ddof", "decimals", "dtype", "fill_value", "indices", "initial", "keepdims", "key", "kind", "max", "min", "mode", "offset",
        "order", "out", "refcheck", "repeats", "reverse", "shape", "side", "sorter", "type", "v", "value", "values", "where",
    )
)  # fmt: skip

#: Methods that nothing but a module has in everyday code: a name they are called on is one.
OF_MODULES = frozenset(
    (
        "parameters", "named_parameters", "named_modules", "named_children", "named_buffers", "eval", "register_forward_hook",
        "register_forward_pre_hook", "register_full_backward_hook",
    )
)  # fmt: skip
#: What one class of torch's has, and nothing else in everyday code.
OF_ONE_CLASS = {"flatten_parameters": "torch.nn.RNNBase", "in_features": "torch.nn.Linear", "out_features": "torch.nn.Linear"}
#: Methods that many classes outside torch define as well (optimizers, files, loggers, estimators).
OF_MANY = frozenset(
    ["state_dict", "load_state_dict", "add_module", "train", "eval", "apply", "to", "step", "zero_grad", "type", "compile", "forward", "share_memory", "get", "float", "double", "half", "bool", "int", "long", "short", "char", "byte", "cpu", "cuda", "name", "names", "values", "indices", "set_", "map_", "add", "div", "mul", "sub", "sqrt", "log", "exp", "abs", "index_select", "select", "where", "equal", "register_hook", "is_shared", "backward", "module", "storage", "pin_memory", "training", "buffers", "children", "modules", "stride", "offset", "layout", "start"]
)

#: Methods of SciPy's sparse matrices and of pandas' tables as well: tensors are meant only where a file imports neither.
OF_TABLES = frozenset(
    ["arcsin", "arcsinh", "arctan", "arctanh", "ceil", "count_nonzero", "cov", "cummax", "cummin", "deg2rad", "diff", "divide", "eq", "expm1", "floor", "ge", "gt", "le", "log1p", "lt", "maximum", "median", "minimum", "mode", "multiply", "ne", "pow", "quantile", "rad2deg", "sign", "sin", "sinh", "subtract", "tan", "tanh", "trunc", "unique"]
)
#: Whose methods these are.
TABLES = frozenset(("scipy", "pandas"))
#: Methods of Python's own streams and sockets as well: tensors are meant only where a file imports torch.
OF_STREAMS = frozenset(("detach",))


def built_on_torch(name: str, why: str = "") -> str:
    """What is said of another library's API that nothing is known of: `why`, or the way to its source."""
    return f"{name} comes from a library built on PyTorch; {why or f'take its source along: --with {root(name)}'}"


def elsewhere(name: str, uses_torch: bool, uses_tables: bool) -> bool:
    """Whether a file that imports torch, or tables, may mean another library's method by a name."""
    return (name in OF_STREAMS and not uses_torch) or (name in OF_TABLES and uses_tables)


STDLIB = frozenset(sys.stdlib_module_names)

#: Modules whose functions and objects give back what they were given, or what code that they load by its name makes.
_HANDING_ON = frozenset(
    (
        "collections", "concurrent", "contextlib", "contextvars", "copy", "functools", "heapq", "imp", "importlib", "itertools", "operator", "pickle", "pydoc", "queue",
        "runpy", "types", "weakref", "cloudpickle", "dill", "hydra", "joblib",
    )
)  # fmt: skip
_HANDING_ON_NAMES = frozenset(
    (
        "builtins.__import__", "builtins.eval", "builtins.globals", "builtins.locals", "builtins.vars", "multiprocessing.Manager", "multiprocessing.Pipe", "multiprocessing.Pool",
        "multiprocessing.Queue", "random.choice", "random.choices", "random.sample", "threading.local",
    )
)  # fmt: skip


def root(name: str) -> str:
    """The import root of a dotted name."""
    return name.partition(".")[0]


def made_by(name: str) -> str:
    """The outside API that a value is of where this one gave it; none ("") where it hands on what may be a tensor, a module, anything."""
    return "" if root(name) in _HANDING_ON or name in _HANDING_ON_NAMES else name


def is_torch_based(name: str) -> bool:
    """Whether uses of a name are listed."""
    return name.partition(".")[0] in TORCH_BASED
