"""``attention @ values`` of a batch of one, of one row or column: MindSpore takes such a product's gradient wrong; the vendored module mends it.

How many rows there are shows in no call: a file that multiplies asks for one setting of the vendored module where its project takes gradients, and
shows somewhere that a batch, or a part of one, may be of one. The texts of all products stay.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context, Files
from mindport.convert.training.seen_gradients import are_taken
from mindport.forms import public
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE, SETTING = "mindport.equivalents.products_of_one", "MULTIPLIES_AS_TORCH"
_PRODUCTS = frozenset({"torch.Tensor.matmul"})
#: Calls whose first number is the size of the first axis.
_SIZED = frozenset({"view", "reshape", "zeros", "ones", "empty", "full", "rand", "randn", "expand", "repeat"})
_LOADER = frozenset({"torch.utils.data.DataLoader"})


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Ask for the setting where a product may be of a batch of one."""
    if KNOWLEDGE not in context.shared.catalog.modules or not context.once(are_taken):
        return
    products = [(node.left, node.right) for node in context.file.nodes if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)]
    if not any(_may_be_batch(context, left) or _may_be_batch(context, right) for left, right in products) and not any(
        public(use.name) in _PRODUCTS and _multiplies_batches(context, use.node) for same_place in uses.values() for use in same_place
    ):
        return
    if context.once(_shows_one):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)


def _multiplies_batches(context: Context, node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=owner), args=given, keywords=named):
            operands = (owner, *given, *(k.value for k in named))
            return any(_may_be_batch(context, operand) for operand in operands if not isinstance(context.facts.value(operand), v.Api))
    return True  # handed on


def _may_be_batch(context: Context, operand: ast.expr) -> bool:
    """Whether a factor may be a tensor of more than two axes."""
    return any(isinstance(kind, v.Unknown) or (isinstance(kind, v.TensorValue) and (kind.shape is None or len(kind.shape) > 2)) for kind in v.options(context.facts.value(operand)))


def _shows_one(project: Files) -> bool:
    """Whether a text says that an axis has, or may have, one element: ``x.unsqueeze(0)``, ``x[None]``, ``h[:, t:t + 1]``, ``batch_size=1``."""
    return any(_is_one(node) for file, _ in project for node in file.nodes) or any(_loads_one(use) for _, facts in project for use in facts.uses)


def _is_one(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="unsqueeze"), args=[*_, ast.Constant(value=0)]) | ast.keyword(arg="batch_size", value=ast.Constant(value=1)):
            return True
        case ast.Subscript(slice=ast.Constant(value=None) | ast.Tuple(elts=[ast.Constant(value=None), *_])):
            return True
        case ast.Call(func=ast.Attribute(attr=name), args=[ast.Constant(value=1) | ast.Tuple(elts=[ast.Constant(value=1), *_]) | ast.List(elts=[ast.Constant(value=1), *_]), *_]):
            return name in _SIZED
        case ast.Slice(lower=ast.expr() as lower, upper=ast.BinOp(op=ast.Add(), left=left)):
            return ast.dump(lower) == ast.dump(left)
    return False


def _loads_one(use: Use) -> bool:
    """``DataLoader(data)``: batches of one."""
    return use.name in _LOADER and isinstance(use.node, ast.Call) and len(use.node.args) < 2 and not any(k.arg in ("batch_size", "batch_sampler", None) for k in use.node.keywords)
