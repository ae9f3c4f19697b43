"""``expert(tokens[mask])``: where data may leave no elements, MindSpore's sums, products and linear layers give what lay in memory; the vendored module mends them.

Which call meets them shows in the same function at best (`counted_reductions`); a mask in one file reaches the layers of another. So a file whose tensors
have as many elements as data decide asks for one setting of the vendored module; the texts of all calls stay.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context, Files
from mindport.convert.rewrites.empty_index import COUNTED, LOSSES
from mindport.forms import public
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE, SETTING = "mindport.equivalents.computing_of_none", "COMPUTES_OF_NONE"
#: What is computed wrong of nothing, or raises, as functions and methods.
_REDUCING = ("sum", "mean", "prod", "nansum", "mm", "bmm", "matmul", "addmm", "mv", "baddbmm", "max", "min", "std", "var", "repeat", "tile", "avg_pool1d", "rms_norm", "real", "imag", "gather", "pinverse", "linalg.pinv")
_POOLING = tuple(f"{kind}Pool{rank}d" for kind in ("Avg", "Max", "LP", "AdaptiveAvg", "AdaptiveMax") for rank in (1, 2, 3))
_LAYERS = (
    "Linear", "LayerNorm", "RMSNorm", "LocalResponseNorm", "PReLU", "ZeroPad2d", "Embedding", "L1Loss", "MSELoss", "HuberLoss", "CrossEntropyLoss", "NLLLoss", "BCELoss",
    "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "TransformerEncoderLayer", "TransformerDecoderLayer", "Transformer", "LSTM", *_POOLING,
)  # fmt: skip
_FUNCTIONS = ("linear", "layer_norm", "rms_norm", "pad", "local_response_norm", "instance_norm") + tuple(
    f"{kind}_pool{rank}d" for kind in ("avg", "max", "lp", "adaptive_avg", "adaptive_max") for rank in (1, 2, 3)
)
CONCERNED = (
    frozenset(f"torch.{owner}{name}" for owner in ("", "Tensor.") for name in _REDUCING)
    | frozenset(f"torch.nn.{name}" for name in _LAYERS) | frozenset(f"torch.nn.functional.{name}" for name in _FUNCTIONS) | LOSSES
)  # fmt: skip
#: Tensors that are as large as what a file or a program outside of PyTorch holds.
FROM_ARRAYS = frozenset({"torch.from_numpy", "torch.as_tensor", "torch.frombuffer"})
SIZED = frozenset({"torch.zeros", "torch.ones", "torch.empty", "torch.rand", "torch.randn"})
LISTED = frozenset({"torch.tensor", "torch.Tensor"})
#: What takes a tensor apart by lengths: the argument with these, by place and by name.
PARTING = {
    "torch.split": (1, "split_size_or_sections"), "torch.Tensor.split": (0, "split_size"),
    "torch.split_with_sizes": (1, "split_sizes"), "torch.Tensor.split_with_sizes": (0, "split_sizes"),
}  # fmt: skip


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Ask for the setting where tensors of a file may hold nothing, and the project computes what goes wrong then."""
    if KNOWLEDGE not in context.shared.catalog.modules or not context.once(_is_concerned):
        return
    here = [use for same_place in uses.values() for use in same_place]
    if any(public(use.name) in COUNTED | FROM_ARRAYS or _is_empty(use) or _parts_by_data(context, use) for use in here) or any(_may_hold_nothing(context, node) for node in context.file.nodes):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)


def _is_concerned(project: Files) -> bool:
    return any(public(use.name) in CONCERNED for _, facts in project for use in facts.uses)


def _may_hold_nothing(context: Context, node: ast.AST) -> bool:
    match node:
        case ast.Subscript(ctx=ast.Load(), slice=index):
            items = index.elts if isinstance(index, ast.Tuple) else [index]
            return any(_may_be_mask(context, item) for item in items)
    return False


def _is_empty(use: Use) -> bool:
    """``torch.zeros(0, 4)``, ``torch.empty((0,))``, ``torch.tensor([])``: what grows from there may stay as it is."""
    match use.node:
        case ast.Call(args=[ast.List(elts=[]) | ast.Tuple(elts=[]), *_]):
            return use.name in LISTED
        case ast.Call(args=[ast.List(elts=sizes) | ast.Tuple(elts=sizes), *_]) | ast.Call(args=sizes):
            return use.name in SIZED and any(isinstance(size, ast.Constant) and type(size.value) is int and not size.value for size in sizes)
    return False


def _parts_by_data(context: Context, use: Use) -> bool:
    """``torch.split(rows, counts.tolist())``: a list whose lengths the text does not show may hold zeros, one for an expert that nobody asked."""
    if use.name not in PARTING or not isinstance(use.node, ast.Call):
        return False
    place, name = PARTING[use.name]
    given = [*use.node.args[place : place + 1], *(k.value for k in use.node.keywords if k.arg == name)]
    if any(isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "tolist" for node in given):
        return True
    return any(isinstance(kind, v.Sequence) and kind.items is None for node in given for kind in v.options(context.facts.value(node)))


def _may_be_mask(context: Context, item: ast.expr) -> bool:
    kinds = v.options(context.facts.value(item))
    if any(isinstance(kind, v.TensorValue) and kind.dtype in (None, "torch.bool") and kind.shape != () for kind in kinds):
        return True
    return not any(isinstance(kind, v.TensorValue) for kind in kinds) and _is_comparison(item)


def _is_comparison(index: ast.expr) -> bool:
    """``x[scores > 0.5]``, ``x[~kept]`` and ``x[mask]``, whatever these are: nothing but masks is written so."""
    match index:
        case ast.Compare() | ast.UnaryOp(op=ast.Invert()):
            return True
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return "mask" in name.lower()
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr(), left=left, right=right):
            return _is_comparison(left) or _is_comparison(right)
    return False
