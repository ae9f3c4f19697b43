"""``if p.dim() == 3:`` of what a module's parameters are: the weight of a one-dimensional convolution has four axes in MindSpore.

Which parameter it is only the program's run says, so it is told where the answer would be another one: a count of axes compared with 3 or 4, a length of an
axis behind the second; a count that is reckoned with (``1 / p.dim()``) and what is done for each axis (``for n in p.shape``), as optimizers with a matrix for every axis do;
and where all lengths are shown as a text (``print(name, tuple(p.shape))``). ``p.dim() > 1`` and ``p.shape[0]`` mean the same. A gradient has its parameter's axes.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.scopes import assigned, scope_of
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.source.literals import whole_number

WHY = "the weight of a one-dimensional convolution has an axis of length 1 more in MindSpore, at 2: its count of axes is 4, and the lengths behind stand one further"
_COUNTS = frozenset(("dim", "ndim", "ndimension"))
#: What lengths are handed to on their way into a text.
_AS_A_WHOLE = frozenset(("tuple", "list", "str", "repr"))
#: The counts of axes that such a weight has here and in torch.
_AFFECTED = frozenset((3, 4))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Tell the questions about a parameter's axes that have another answer where it is such a weight."""
    if not context.shared.stores_an_axis_more:
        return
    for node in context.file.nodes:
        asked = _compared(node) if isinstance(node, ast.Compare) else _length(node) or _reckoned(node) or _each_axis(context, node)
        if asked is not None and _is_parameter(context, asked):
            context.report("MP103", WHY, node, certainty="likely", risk="silent")
        shown = _all_lengths(node)
        if shown is not None and _is_parameter(context, shown) and _becomes_text(context, node):
            context.report("MP103", WHY, node, certainty="likely", risk="style")


def _is_parameter(context: Context, node: ast.expr) -> bool:
    """Whether it is a parameter that comes by a plain name, or its gradient: one by its layer's attribute is dealt with there."""
    node = _of_gradient(context, node) or node
    return isinstance(node, ast.Name) and any(isinstance(kind, v.TensorValue) and kind.parameter for kind in v.options(context.facts.value(node)))


def _of_gradient(context: Context, node: ast.expr) -> ast.expr | None:
    """The tensor whose gradient it is, by itself or by the only value of a name: ``grad = p.grad.data.clone()``."""
    if isinstance(node, ast.Name):
        given = [found.value for found in assigned(scope_of(context, node)).get(node.id, []) if found.targets == [t for t in found.targets if isinstance(t, ast.Name)]]
        node = given[0] if len(given) == 1 else node
    while isinstance(node, ast.Call | ast.Attribute):
        if isinstance(node, ast.Attribute) and node.attr == "grad":
            return node.value
        node = node.func if isinstance(node, ast.Call) else node.value
    return None


def _reckoned(node: ast.AST) -> ast.expr | None:
    """The tensor whose count of axes something is multiplied or divided by."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div | ast.FloorDiv | ast.Pow):
        return _counted(node.left) or _counted(node.right)
    return None


def _each_axis(context: Context, node: ast.AST) -> ast.expr | None:
    """The tensor for each of whose axes a loop does something: ``for axis, length in enumerate(p.size())``, ``for axis in range(p.dim())``."""
    parent = context.parents.get(id(node))
    if not (isinstance(parent, ast.For | ast.comprehension) and parent.iter is node):
        return None
    match node:
        case ast.Call(func=ast.Name(id="enumerate"), args=[lengths, *_]):
            return _all_lengths(lengths)
        case ast.Call(func=ast.Name(id="range"), args=[count]):
            return _counted(count)
    return _all_lengths(node)


def _compared(node: ast.Compare) -> ast.expr | None:
    """The tensor whose count of axes is compared with a number that lies between."""
    parts = [node.left, *node.comparators]
    numbers = {n.value for part in parts for n in ast.walk(part) if isinstance(n, ast.Constant)}
    return next((found for part in parts if (found := _counted(part)) is not None), None) if numbers & _AFFECTED else None


def _counted(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Attribute(value=tensor, attr=name), args=[]) | ast.Attribute(value=tensor, attr=name) if name in _COUNTS:
            return tensor
        case ast.Call(func=ast.Name(id="len"), args=[ast.Attribute(value=tensor, attr="shape") | ast.Call(func=ast.Attribute(value=tensor, attr="size"), args=[])]):
            return tensor
    return None


def _all_lengths(node: ast.AST) -> ast.expr | None:
    """The tensor of ``p.shape`` or ``p.size()``."""
    match node:
        case ast.Call(func=ast.Attribute(value=tensor, attr="size"), args=[], keywords=[]) | ast.Attribute(value=tensor, attr="shape"):
            return tensor
    return None


def _becomes_text(context: Context, node: ast.AST) -> bool:
    """Whether a value is printed or formatted where it stands, by itself or as a tuple, a list or a text of it."""
    parent = context.parents.get(id(node))
    while isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id in _AS_A_WHOLE:
        node, parent = parent, context.parents.get(id(parent))
    match parent:
        case ast.FormattedValue() | ast.Call(func=ast.Name(id="print") | ast.Attribute(attr="format")):
            return True
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
            return True
        case ast.Tuple():
            around = context.parents.get(id(parent))
            return isinstance(around, ast.BinOp) and isinstance(around.op, ast.Mod) and isinstance(around.left, ast.Constant)
    return False


def _length(node: ast.AST) -> ast.expr | None:
    """The tensor of ``p.size(2)`` or ``p.shape[-2]``."""
    match node:
        case ast.Call(func=ast.Attribute(value=tensor, attr="size"), args=[place]) | ast.Subscript(value=ast.Attribute(value=tensor, attr="shape"), slice=place):
            index = whole_number(place)
            return tensor if index is not None and (index > 1 or index < -1) else None
    return None
