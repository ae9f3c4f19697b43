"""``F.relu(x, inplace=self.inplace)``: whether a function overwrites its input is decided when the program runs."""

from __future__ import annotations

import ast

from mindport.convert.aliasing.inplace_layers import positional
from mindport.convert.aliasing.objects import path
from mindport.convert.context import Context
from mindport.forms import WHERE_ASKED


def asked_by(node: ast.expr, api: str) -> ast.expr | None:
    """The argument `inplace` of a call of a function, where it is no constant."""
    if not isinstance(node, ast.Call):
        return None
    asked = next((k.value for k in node.keywords if k.arg == "inplace"), None) or positional(api, node.args, "inplace")
    return None if asked is None or isinstance(asked, ast.Constant) else asked


def write_where_asked(context: Context, node: ast.expr, asked: ast.expr, name: str | None) -> str:
    """Plan ``into_where(x, ops.relu(x), self.inplace)``; why that cannot be, or nothing."""
    flag = context.file.segment(asked)
    if name is None or path(asked) is None:
        return f"whether it overwrites its input is decided by `{flag}`"

    def work() -> None:
        start, end = context.editing.span(node)
        function = context.vendored_name(context.shared.catalog.find(f"torch.Tensor.copy_{WHERE_ASKED}")[0])
        context.editing.replace(start, end, f"{function}({name}, {context.editing.current(start, end)}, {flag})")

    context.plan(node, work, last=True)
    return ""
