"""The parts of a difference's condition that an argument's dtype or its axes decide, where inference knows them: ``input.dtype == ms.float64``.

A vendored function sees all axes and dtypes that its guards ask for (``not seen_axes(input, 2) and input.ndim == 2``).

Only conditions of differences are read so. A body's guards are not: what they choose has to be right even where inference is not.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from mindport.convert.dtypes import COMPLEX, WHOLE

#: The dtype of a parameter's argument, by the parameter's name: "torch.float64"; None where it is not known.
DtypeOf = Callable[[str], str | None]
#: How many axes it has.
AxesOf = Callable[[str], int | None]


def settle(condition: ast.expr, dtype_of: DtypeOf, axes_of: AxesOf, vendored: bool) -> ast.expr:
    """The condition with True or False for each test of a known dtype or of known axes."""
    return _Settle(dtype_of, axes_of, vendored).visit(condition)  # type: ignore[no-any-return]


class _Settle(ast.NodeTransformer):
    def __init__(self, dtype_of: DtypeOf, axes_of: AxesOf, vendored: bool) -> None:
        self.dtype_of = dtype_of
        self.axes_of = axes_of
        self.vendored = vendored

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        match node:
            case ast.Compare(left=ast.Attribute(value=ast.Name(id=name), attr="dtype"), ops=[operator], comparators=[right]):
                dtype = self.dtype_of(name)
                wanted = [_name(part) for part in (right.elts if isinstance(right, ast.Tuple) else [right])]
                if dtype is not None and None not in wanted:
                    return ast.Constant((dtype in wanted) is isinstance(operator, (ast.Eq, ast.In)))
            case ast.Compare(left=ast.Attribute(value=ast.Name(id=name), attr="ndim"), ops=[ast.Eq()], comparators=[ast.Constant(value=count)]):
                axes = self.axes_of(name)
                if axes is not None:
                    return ast.Constant(axes == count)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id="seen_axes" | "seen_dtype")) if self.vendored:
                return ast.Constant(True)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="is_complex" | "is_floating_point" as asked), args=[]):
                dtype = self.dtype_of(name)
                if dtype is not None:
                    return ast.Constant(dtype in COMPLEX if asked == "is_complex" else dtype not in COMPLEX | WHOLE)
        return node


def _name(node: ast.expr) -> str | None:
    """``ms.float64`` → "torch.float64"."""
    match node:
        case ast.Attribute(value=ast.Name(id="ms"), attr=name):
            return f"torch.{name}"
    return None
