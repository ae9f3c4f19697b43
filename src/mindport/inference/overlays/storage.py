"""Whose storage torch's results share: facts about torch that its stubs do not state.

Sources: "Tensor Views" (https://docs.pytorch.org/docs/2.13/tensor_view.html) and torch's documentation of each function.
"""

from __future__ import annotations

from mindport.inference.overlays import timm
from mindport.inference.overlays.tensors import SEQUENCES, VIEWS, is_in_place

#: Views that hold the same elements in the same order: ``base = view.reshape(base.shape)``.
RESHAPES = frozenset(("view", "reshape", "flatten", "unsqueeze", "squeeze", "view_as", "reshape_as", "unflatten", "ravel"))
#: Those that copy what does not lie in one piece (``x.t().reshape(-1)``).
COPYING_GAPS = frozenset(("reshape", "reshape_as", "flatten", "ravel"))
#: Views that undo themselves when they are taken again with the same arguments.
SWAPS = frozenset(("t", "T", "mT", "transpose", "swapaxes", "swapdims"))
#: Of them, those that have a matrix's columns as their rows.
TRANSPOSED = frozenset(("t", "T"))
#: Methods that give the parts along an axis (the first, or the one that they are given).
ROWS = frozenset(("unbind",))
#: Views that an index takes as well, by what their methods are given: the axis, a place on it, and how many.
INDEXED = {"select": ("dim", "index"), "narrow": ("dim", "start", "length")}
#: Methods after which nothing of the old values is left, by the parameter that holds the new ones, or by their text.
STORING = {"copy_": "src", "fill_": "value", "zero_": "0"}
#: The same elements, cut off from the gradient.
DETACHED = frozenset(("detach", "data", "detach_"))
#: What a tensor holds as an object holds an attribute: a tensor of its own, the same one at each reading.
HELD = frozenset(("grad",))
#: The operand itself, or a copy: which of them depends on dtype, device, strides or mode.
MAYBE = frozenset(
    ["contiguous", "to", "type", "type_as", "float", "double", "half", "bfloat16", "long", "int", "bool", "cpu", "cuda", "numpy",
     "as_tensor", "asarray", "from_numpy", "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_tensors", "real", "resolve_conj", "positive"]
)  # fmt: skip
#: Functions and methods whose result has memory of its own, whatever they are given.
NEW = frozenset(
    ["zeros", "ones", "empty", "full", "tensor", "zeros_like", "ones_like", "empty_like", "full_like", "new_zeros", "new_ones", "new_empty", "new_full", "new_tensor", "clone"]
)
#: Functions that give back their operand itself where they have nothing to do.
PASSING = frozenset(("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout"))
#: Such functions of other libraries.
PASSING_ELSEWHERE = frozenset(("timm.layers.drop_path",))
#: Private functions that give the parts of their first operand.
PARTS_ELSEWHERE = frozenset(("torch._utils._unflatten_dense_tensors", "torch._C._nn.unflatten_dense_tensors"))
#: In place on the shape alone, or on what autograd knows: the values stay.
SHAPE_ONLY = frozenset(("unsqueeze_", "squeeze_", "t_", "transpose_", "swapaxes_", "swapdims_"))
VALUES_STAY = frozenset(("detach_", "requires_grad_", "retain_grad", "share_memory_"))
#: Modules whose result may be their input itself.
MAYBE_LAYERS = frozenset(
    "torch.nn." + name
    for name in ("Identity", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout", "Module")
) | {"timm.layers.DropPath"}
RESHAPING_LAYERS = frozenset(("torch.nn.Flatten", "torch.nn.Unflatten"))
#: Containers of modules that hand the input to the first of them.
SEQUENCES_OF_LAYERS = frozenset(("torch.nn.Sequential",))
#: Layers that change nothing of what they made themselves.
IDEMPOTENT_LAYERS = frozenset(("torch.nn.ReLU", "torch.nn.ReLU6", "torch.nn.Hardtanh"))
#: Functions outside the tensor class that change their first argument.
CHANGING = ("torch.nn.init.", *timm.INITIALISERS)
#: Names of methods that compute something new, of tensors, arrays, tables and matrices alike.
COMPUTING = frozenset(
    ("mean", "sum", "std", "var", "prod", "cumsum", "cumprod", "argmax", "argmin", "argsort", "abs", "sqrt", "exp", "log", "norm", "round", "dot", "matmul", "softmax", "sigmoid", "tanh")
)
#: Libraries whose objects are no tensors.
WITHOUT_TENSORS = frozenset(("pandas", "sklearn", "yaml", "json", "csv", "configparser", "xml", "argparse", "easydict", "logging"))
#: Methods by which a module gets hold of a tensor, their second argument.
REGISTERING = frozenset(("torch.nn.Module.register_buffer", "torch.nn.Module.register_parameter"))
#: Functions that take gradients through what was recorded.
TAKING_GRADIENTS = frozenset(("torch.autograd.grad", "torch.autograd.backward", "torch.Tensor.backward"))
#: Contexts and decorators inside which no gradient is recorded.
WITHOUT_GRADIENT = frozenset(("torch.no_grad", "torch.autograd.no_grad", "torch.inference_mode", "torch.autograd.inference_mode"))
#: What a call gives that shares nothing with its arguments although its name is a view's.
OWNERS = ("torch.Tensor.", "torch.nn.functional.", "torch.")


def relation(name: str) -> str:
    """How the result of a tensor function or method relates to its first operand: "new", "same", "maybe", "passing",
    "held" (another tensor, which it keeps), "row" (a sequence of views), or the kind of view: "reshape", "swap", "detached", "other"."""
    owner, _, short = name.rpartition(".")
    if name in PASSING_ELSEWHERE:
        return "passing"
    if name in PARTS_ELSEWHERE:
        return "row"
    if owner + "." not in OWNERS:
        return "new"
    if short in VALUES_STAY or changes_operand(name):
        return "same"
    if short in PASSING:
        return "passing"
    if short in HELD and owner == "torch.Tensor":
        return "held"
    if short in MAYBE:
        return "maybe"
    for names, kind in ((RESHAPES, "reshape"), (SWAPS, "swap"), (DETACHED, "detached"), (SEQUENCES, "row"), (VIEWS, "other")):
        if short in names:
            return kind
    return "new"


def changes_operand(name: str) -> bool:
    """Whether a function or method changes the values or the shape of its first operand."""
    short = name.rpartition(".")[2]
    if short in VALUES_STAY or not is_in_place(short):
        return False
    return name.rpartition(".")[0] + "." in OWNERS or name.startswith(CHANGING)


def layer_relation(cls: str) -> str:
    """How a library layer's result relates to its input."""
    if cls in MAYBE_LAYERS:
        return "passing"
    return "reshape" if cls in RESHAPING_LAYERS else "new"
