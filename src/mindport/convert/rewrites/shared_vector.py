"""``vector_to_parameters(theta, net.parameters())``: in torch the parameters are parts of `theta` from there on, in MindSpore copies.

A kernel does not write into a part of a tensor, so the memory cannot be shared; it is told where that shows: the vector has a name, and behind the call it is changed in
place, or read behind a step of an optimizer. One that is bound anew first, and one that has no name (``theta + sigma * noise``), show nothing.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.scopes import scope_of
from mindport.inference.facts import Use
from mindport.source.walking import walk

GIVES = "torch.nn.utils.vector_to_parameters"
#: What is asked of a tensor without its elements.
_OUTSIDE = frozenset(("shape", "size", "numel", "dim", "ndim", "dtype", "device", "nelement"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Tell every such call."""
    for same_place in uses.values():
        node = same_place[0].node
        if isinstance(node, ast.Call) and any(use.name == GIVES for use in same_place):
            vector = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg == "vec"), None)
            if isinstance(vector, ast.Name | ast.Attribute) and _shows(context, node, vector):
                text = context.file.segment(vector)
                context.report(
                    "MP109", f"in torch the parameters are parts of {text}'s memory from here on: what changes the one in place changes the other; in MindSpore they are copies",
                    node, mark=True, advice=f"write {text}.clone() where they are to go apart in torch, too; else give the parameters the vector again behind each change",
                )  # fmt: skip


def _shows(context: Context, call: ast.Call, vector: ast.expr) -> bool:
    """Whether the vector's memory is changed, or asked behind a step, before its name stands for another one."""
    inside = walk(scope_of(context, call))
    name = ast.unparse(vector)
    behind = [*_behind(context, call, inside)]
    stepped = False
    for node in behind:
        parent = context.parents.get(id(node))
        if isinstance(node, ast.Attribute) and node.attr == "step" and isinstance(parent, ast.Call):
            stepped = True
        if not isinstance(node, ast.Name | ast.Attribute) or ast.unparse(node) != name:
            continue
        if isinstance(node.ctx, ast.Store) and not isinstance(parent, ast.AugAssign):
            return False
        if isinstance(parent, ast.AugAssign) and parent.target is node or isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Store):
            return True
        if isinstance(parent, ast.Attribute):
            if parent.attr in _OUTSIDE:
                continue
            if parent.attr.endswith("_") and not parent.attr.startswith("_") and parent.attr != "requires_grad_":
                return True
        if stepped:
            return True
    return False


def _behind(context: Context, call: ast.Call, inside: list[ast.AST]) -> list[ast.AST]:
    """The expressions that run behind a call in its function, in the order of the text; those of a loop around it once more from its beginning."""
    placed = sorted((node for node in inside if isinstance(node, ast.Name | ast.Attribute)), key=lambda n: (n.end_lineno or 0, n.end_col_offset or 0))
    end = (call.end_lineno or 0, call.end_col_offset or 0)
    loop: ast.AST | None = context.parents.get(id(call))
    while loop is not None and not isinstance(loop, ast.For | ast.While | ast.FunctionDef | ast.Lambda | ast.ClassDef):
        loop = context.parents.get(id(loop))
    again = {id(node) for node in walk(loop)} if isinstance(loop, ast.For | ast.While) else set()
    later = [node for node in placed if (node.lineno, node.col_offset) >= end]
    return [*later, *(node for node in placed if id(node) in again and (node.end_lineno or 0, node.end_col_offset or 0) <= (call.lineno, call.col_offset))]
