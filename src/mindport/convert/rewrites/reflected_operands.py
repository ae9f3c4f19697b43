"""``s * kernel`` of a tensor and an object of the project's with ``__rmul__``: torch's tensor leaves it to the object, MindSpore's raises before Python asks it."""

from __future__ import annotations

import ast

from mindport.convert.aliasing.objects import path
from mindport.convert.context import MODULE, Context
from mindport.inference import values as v
from mindport.inference.facts import Use

REFLECTED = {
    ast.Add: "__radd__", ast.Sub: "__rsub__", ast.Mult: "__rmul__", ast.Div: "__rtruediv__", ast.MatMult: "__rmatmul__", ast.Pow: "__rpow__",
    ast.FloorDiv: "__rfloordiv__", ast.Mod: "__rmod__",
}  # fmt: skip


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the calls of the objects' own methods."""
    for node in context.file.nodes:
        if isinstance(node, ast.BinOp) and (name := REFLECTED.get(type(node.op))) is not None:
            left, right = (v.options(context.facts.value(part)) for part in (node.left, node.right))
            # The object is evaluated first then: one of both has to be a mere name.
            plain = isinstance(node.right, ast.Call) and path(node.left) is not None or path(node.right) is not None
            if plain and left and all(map(v.is_tensor, left)) and right and all(_answers(kind, name) for kind in right):
                context.claimed.add(id(node))
                context.plan(node, lambda n=node, m=name: _write(context, n, m), last=True)  # type: ignore[misc]


def _answers(kind: v.Value, name: str) -> bool:
    """Whether it is an object of a class of the project's alone, no tensor's and no module's, with the method."""
    if not isinstance(kind, v.ProjectInstance) or kind.cls.scope.has_unknown_base():
        return False
    above = set(kind.cls.scope.ancestors)
    return not above & {MODULE, "torch.Tensor"} and any(name in scope.names for scope in kind.cls.scope.mro)


def _write(context: Context, node: ast.BinOp, name: str) -> None:
    left, right = (context.editing.current(*context.editing.span(part)) for part in (node.left, node.right))
    context.editing.replace(*context.editing.span(node), f"{right}.{name}({left})")
