"""``mask = loss < limit`` and then ``(loss * mask).sum() / mask.sum()``: the comparison is written without a gradient.

MindSpore's operators give truth values a gradient of truth values; where a mask is computed with twice, their sum raises
in PyNative ("For primitive[Add] … but got Tensor[Bool]"). A comparison has no gradient, so leaving it out changes nothing else.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.scopes import scopes
from mindport.convert.training.names import own_nodes
from mindport.inference import values as v
from mindport.inference.facts import Use

_BOOLEAN = "torch.bool"
_COMPUTING = (ast.Mult, ast.MatMult, ast.Add, ast.Sub, ast.Div)
_LOGICAL = (ast.BitAnd, ast.BitOr, ast.BitXor)


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan it for names of comparisons that arithmetic uses, and something else, too."""
    if not uses:
        return
    for scope in scopes(context):
        nodes = list(own_nodes(scope))
        for statement in nodes:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_mask(context, value):
                    loads = [n for n in nodes if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)]
                    computing = [n for n in loads if _computes(context, n) or _handed_on(context, n)]
                    if computing and sum(_may_compute(context, n) for n in loads) > 1:
                        context.plan(value, lambda e=value: _write(context, e), last=True)  # type: ignore[misc]


def _is_mask(context: Context, node: ast.expr) -> bool:
    """Whether an expression compares tensors, or what may be tensors, element by element."""
    match node:
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _LOGICAL):  # ``still & (seen < limit)``: one comparison makes it one
            sides = (left, right)
            return any(_is_mask(context, side) for side in sides) and all(_is_mask(context, side) or _is_named(context, side) for side in sides)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):  # ``(x >= low) * (x < high)``
            return _is_mask(context, left) and _is_mask(context, right)
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return _is_mask(context, operand)
        case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE() | ast.Eq() | ast.NotEq()], comparators=[right]):
            compared = [kind for side in (left, right) for kind in v.options(context.facts.value(side))]
            return all(map(_may_be_compared, compared)) and any(isinstance(kind, (v.TensorValue, v.Unknown)) for kind in compared)
    kinds = v.options(context.facts.value(node))
    return isinstance(node, ast.Call) and bool(kinds) and all(isinstance(kind, v.TensorValue) and kind.dtype == _BOOLEAN for kind in kinds)


def _is_named(context: Context, node: ast.expr) -> bool:
    """Whether it is a name or attribute of what may be a tensor: beside a comparison it is a mask."""
    return isinstance(node, (ast.Name, ast.Attribute)) and any(isinstance(k, (v.TensorValue, v.Unknown)) for k in v.options(context.facts.value(node)))


def _may_be_compared(kind: v.Value) -> bool:
    """Whether it may stand in a comparison of tensors; what is unknown may be a number, too, which `stop_gradient` hands back."""
    return isinstance(kind, (v.TensorValue, v.Unknown)) or isinstance(kind, v.Const) and kind.kind in (int, float) or isinstance(kind, v.Builtin)


def _computes(context: Context, name: ast.Name) -> bool:
    """Whether arithmetic takes the mask as a number."""
    above = context.parents.get(id(name))
    return isinstance(above, ast.BinOp) and isinstance(above.op, _COMPUTING) or isinstance(above, ast.AugAssign) and isinstance(above.op, _COMPUTING)


def _handed_on(context: Context, name: ast.Name) -> bool:
    """Whether a function of the project gets the mask by place and takes it as a number: ``weighted(loss, mask)``."""
    call = context.parents.get(id(name))
    if not isinstance(call, ast.Call) or name not in call.args or any(isinstance(a, ast.Starred) for a in call.args):
        return False
    for kind in v.options(context.facts.value(call.func)):
        if isinstance(kind, v.ProjectFunction) and isinstance(kind.scope.node, ast.FunctionDef):
            parameters = [*kind.scope.node.args.posonlyargs, *kind.scope.node.args.args]
            place = call.args.index(name)
            if place < len(parameters) and any(_is_computed(part, parameters[place].arg) for part in own_nodes(kind.scope.node)):
                return True
    return False


def _is_computed(part: ast.AST, name: str) -> bool:
    """Whether a part is arithmetic with a name."""
    return isinstance(part, ast.BinOp) and isinstance(part.op, _COMPUTING) and any(isinstance(side, ast.Name) and side.id == name for side in (part.left, part.right))


def _may_compute(context: Context, name: ast.Name) -> bool:
    """Whether a use of the mask may give it a gradient: not as an index, nor in a question."""
    above = context.parents.get(id(name))
    if isinstance(above, ast.Subscript):
        return above.value is name
    return not isinstance(above, (ast.If, ast.While, ast.IfExp, ast.Compare, ast.BoolOp))


def _write(context: Context, value: ast.expr) -> None:
    text = context.editing.current(*context.editing.span(value))
    context.editing.replace(*context.editing.span(value), f"{context.imports.local('mindspore', 'ops', 'ops')}.stop_gradient({text})")
