"""``nn.Parameter(weight[:, :n])`` becomes ``Parameter(weight[:, :n].copy())``: a MindSpore parameter must own its storage.

Made of a view, with strides or an offset of its own, it cannot be written: `copy_` (so the loading of a state, too) and
MindSpore's own optimizers leave it as it was without a word, `assign` raises. A parameter's data do not follow another tensor here:
where torch makes it of another parameter's memory (``nn.Parameter(encoder.weight)``, which trains both as one), that is told.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.operands import may_be_tensor
from mindport.convert.scopes import assigned, scope_of
from mindport.inference import values as v
from mindport.inference.facts import Use

PARAMETERS = frozenset(("torch.nn.Parameter", "torch.nn.parameter.Parameter"))
#: Methods and functions of one name whose result may lie in their operand's storage, and attributes that do.
_METHODS = frozenset(
    ("reshape", "view", "t", "transpose", "permute", "unsqueeze", "squeeze", "expand", "flatten", "narrow", "swapaxes", "swapdims", "movedim",
     "moveaxis", "unflatten", "diagonal", "select", "view_as", "expand_as", "reshape_as", "contiguous", "detach", "broadcast_to", "to", "ravel", "float")
)  # fmt: skip
_SEVERAL = frozenset(("chunk", "split", "unbind", "tensor_split"))
_ATTRIBUTES = frozenset(("T", "mT", "H", "mH", "data"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan a copy of what may be a view, in every call that makes a parameter of it."""
    for same_place in uses.values():
        node = same_place[0].node
        if not isinstance(node, ast.Call) or not any(use.name in PARAMETERS and use.kind == "call" for use in same_place):
            continue
        data = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg == "data"), None)
        if data is not None and not isinstance(data, ast.Starred) and _may_be_view(context, data):
            context.plan(data, lambda n=data: _write(context, n), last=True)  # type: ignore[misc]
        elif data is not None and (owner := _owner(context, data)) is not None and not _takes_its_place(context, node, owner):
            text = context.file.segment(owner)
            context.report(
                "MP109", f"in torch the new parameter and {text} are one memory: each sees what training makes of the other; in MindSpore they go apart",
                node, mark=True, advice=f"assign {text} itself where both are to be trained as one; add .clone() where they are not",
            )  # fmt: skip


def _owner(context: Context, node: ast.expr) -> ast.Attribute | None:
    """The parameter of a module whose memory an expression is, whole: ``encoder.weight``, ``encoder.weight.data``."""
    match node:
        case ast.Attribute(attr="data", value=value) | ast.Call(func=ast.Attribute(attr="detach", value=value), args=[]):
            return _owner(context, value)
        case ast.Attribute():
            kinds = v.options(context.facts.value(node))
            return node if kinds and all(isinstance(kind, v.TensorValue) and kind.parameter for kind in kinds) else None
    return None


def _takes_its_place(context: Context, call: ast.Call, owner: ast.Attribute) -> bool:
    """Whether nobody else has the memory afterwards: ``self.weight = nn.Parameter(self.weight.data)``."""
    binding = context.parents.get(id(call))
    return isinstance(binding, ast.Assign) and any(ast.unparse(target) == ast.unparse(owner) for target in binding.targets)


def _may_be_view(context: Context, node: ast.expr, through_names: bool = True) -> bool:
    """Whether an expression may be a part or another arrangement of a tensor that is more than itself."""
    match node:
        case ast.Subscript(value=value, slice=index):
            return may_be_tensor(context, value) and not _picks_copies(context, index)
        case ast.Attribute(attr=attribute, value=value) if attribute in _ATTRIBUTES:
            return attribute != "data" or _may_be_view(context, value, through_names)
        case ast.Call(func=ast.Attribute(attr=name, value=value), args=args):
            called = context.facts.value(node.func)
            if name in ("contiguous", "detach", "to", "float"):
                return _may_be_view(context, value, through_names)  # they change nothing of what has the form already
            if name in _METHODS:
                return not isinstance(called, v.Api) or called.name.startswith("torch.") and bool(args)
        case ast.Name(id=name) if through_names:
            return any(_view_in(context, one, name) for one in assigned(scope_of(context, node)).get(name, ()))
    return False


def _picks_copies(context: Context, index: ast.expr) -> bool:
    """Whether an index is known to hold a tensor or a list, which make a copy."""
    items = index.elts if isinstance(index, ast.Tuple) else [index]
    return any(isinstance(item, ast.List) or any(isinstance(k, v.TensorValue) and k.shape != () for k in v.options(context.facts.value(item))) for item in items)


def _view_in(context: Context, binding: ast.Assign, name: str) -> bool:
    if any(isinstance(target, ast.Name) and target.id == name for target in binding.targets):
        return _may_be_view(context, binding.value, through_names=False)
    match binding.value:  # a, b = w.chunk(2)
        case ast.Call(func=ast.Attribute(attr=method)):
            return method in _SEVERAL
    return False


def _write(context: Context, node: ast.expr) -> None:
    editing = context.editing
    text = editing.current(*editing.span(node))
    editing.replace(*editing.span(node), f"{text}.copy()")
