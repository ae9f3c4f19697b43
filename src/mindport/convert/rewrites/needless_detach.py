"""``x.detach().cpu().numpy()`` becomes ``x.asnumpy()``: a tensor that only a number, an array or a size is read of needs no cutting off.

PyTorch refuses an array of a tensor that wants a gradient; MindSpore gives it, with the same memory. And ``x = Variable(x)``, which programs up to 2018
say of every batch, goes where no gradient leads to x. So does the second of two, ``x.data.detach()``.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.training.cast_gradients import may_carry
from mindport.inference import values as v
from mindport.inference.facts import Use

#: What gives the tensor without its gradient.
CUTTING = frozenset(("torch.Tensor.detach", "torch.Tensor.data"))
#: What gives its argument over the same memory without a gradient.
WRAPPING = "torch.autograd.Variable"
#: Methods that compute another tensor and do nothing else: what is read of it then needs no cutting off either.
COMPUTED = frozenset(
    ("abs", "sum", "mean", "norm", "std", "var", "pow", "sqrt", "square", "exp", "log", "sigmoid", "softmax", "round", "max", "min", "argmax", "argmin", "float", "double", "half", "long", "int", "flatten", "view", "reshape", "squeeze", "unsqueeze")
)
#: What gives Python's numbers. An array may share memory with what it was computed from by a view.
VALUES = frozenset(("item", "tolist"))
#: What no gradient goes through.
READS = frozenset(("numpy", "item", "tolist", "size", "shape", "dim", "ndim", "ndimension", "dtype", "numel", "nelement"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the removal of every such cutting off."""
    cut = {id(same_place[0].node) for same_place in uses.values() if len(same_place) == 1 and same_place[0].name in CUTTING}
    for same_place in uses.values():
        use = same_place[0]
        if len(same_place) == 1 and use.name in CUTTING and id(use.node) not in context.claimed and (_is_only_read(context, use.node) or _is_cut_already(use.node, cut)):
            dot = _dot(context, use.node)
            if dot >= 0:
                context.claimed.add(id(use.node))
                context.record(use, "removed", context.file.segment(use.node))
                context.plan(use.node, lambda d=dot, n=use.node: context.editing.replace(d, context.editing.span(n)[1], ""))  # type: ignore[misc]
        elif len(same_place) == 1 and use.name == WRAPPING and id(use.node) not in context.claimed:
            _unwrap(context, use)


def _is_cut_already(node: ast.AST, cut: set[int]) -> bool:
    """``x.data.detach()``: once is enough."""
    match node:
        case ast.Call(func=ast.Attribute(value=inner), args=[], keywords=[]) | ast.Attribute(value=inner, ctx=ast.Load()):
            return id(inner) in cut
    return False


def _unwrap(context: Context, use: Use) -> None:
    """Plan ``Variable(x)`` as ``x``, where x is a tensor to which no gradient leads."""
    match use.node:
        case ast.Call(args=[wrapped], keywords=[] | [ast.keyword(arg="volatile", value=ast.Constant())]) if not isinstance(wrapped, ast.Starred) and not _is_named_apart(context, use.node, wrapped):
            if not all(isinstance(option, v.TensorValue) and not option.parameter for option in v.options(context.facts.value(wrapped))) or may_carry(context, wrapped):
                return
            context.claimed.add(id(use.node))
            context.record(use, "removed", context.file.segment(use.node))
            context.plan(use.node, lambda: context.editing.replace(*context.editing.span(use.node), context.editing.current(*context.editing.span(wrapped))), last=True)


def _is_named_apart(context: Context, node: ast.expr, wrapped: ast.expr) -> bool:
    """Whether another name gets the tensor, whose shape or flags may then be changed without it, or a method is called on it at once that may do so."""
    if not isinstance(wrapped, ast.Name | ast.Attribute | ast.Subscript):
        return False
    parent = context.parents.get(id(node))
    while isinstance(parent, ast.IfExp) or _hands_back(context, context.parents.get(id(parent)) if isinstance(parent, ast.Attribute) else parent):
        node = parent  # type: ignore[assignment]
        parent = context.parents.get(id(node))
    match parent, context.parents.get(id(parent)):
        case ast.Assign(targets=targets), _:
            return any(ast.unparse(target) != ast.unparse(wrapped) for target in targets)
        case ast.Tuple(elts=values), ast.Assign(targets=[ast.Tuple(elts=targets)]) if len(values) == len(targets):
            return ast.unparse(targets[values.index(node)]) != ast.unparse(wrapped)
    return isinstance(parent, ast.Attribute | ast.Tuple | ast.List | ast.Dict | ast.AnnAssign | ast.NamedExpr)


def _hands_back(context: Context, call: ast.AST | None) -> bool:
    """Whether it is ``x.cuda()``: a method that gives the tensor as it is."""
    used = context.called.get(id(call))
    entries = context.shared.catalog.find(used.name) if used is not None else []
    return bool(entries) and all(entry.hands_back for entry in entries)


def _is_only_read(context: Context, node: ast.expr, reads: frozenset[str] = READS) -> bool:
    """Whether something is read of the value, past methods that hand it back; Python's numbers also past what computes another tensor."""
    member = context.parents.get(id(node))
    if not isinstance(member, ast.Attribute) or not isinstance(member.ctx, ast.Load):
        return False
    call = context.parents.get(id(member))
    is_called = isinstance(call, ast.Call) and call.func is member
    if member.attr in reads:
        return is_called or member.attr in ("shape", "ndim", "dtype")
    used = context.called.get(id(call))
    if is_called and member.attr in COMPUTED and used is not None and used.name == f"torch.Tensor.{member.attr}":
        return _is_only_read(context, call, VALUES)  # type: ignore[arg-type]
    if not is_called or call.args or call.keywords:  # type: ignore[union-attr]
        return False
    return _hands_back(context, call) and _is_only_read(context, call, reads)  # type: ignore[arg-type]


def _dot(context: Context, node: ast.expr) -> int:
    """Where ``.detach()`` begins; -1 where what is written between is more than that."""
    start, end = context.editing.span(node)
    name = node.func if isinstance(node, ast.Call) else node
    if not isinstance(name, ast.Attribute) or (isinstance(node, ast.Call) and (node.args or node.keywords)):
        return -1
    text = context.editing.text
    dot = text.rfind(".", start, context.editing.span(name)[1] - len(name.attr))
    return dot if dot >= context.editing.span(name.value)[1] and "".join(text[dot:end].split()) in (f".{name.attr}", f".{name.attr}()") else -1
