"""What a chain of changes reads of the tensor on its way.

``x.sub_(x.min()).div_(x.max())`` divides by the largest of the differences: the second argument is computed when the first change has been made.
One expression in its place (``x = (x - x.min()).div(x.max())``) would read what was there before.
"""

from __future__ import annotations

import ast

from mindport.convert.aliasing.holders import Verdict
from mindport.convert.aliasing.objects import Mutation, path
from mindport.convert.aliasing.place import Place
from mindport.convert.context import Context

#: Members that no value of a tensor decides.
_FIXED = frozenset(("shape", "ndim", "dtype", "device", "size", "dim", "numel", "nelement", "type", "new_tensor", "new_zeros", "new_ones", "new_full", "new_empty"))


def read_between(place: Place) -> Verdict:
    """The verdict, where a later argument of the chain reads what an earlier link has changed: written into the tensor, link by link, or refused for a part of one."""
    verdict = place.verdict
    names = {*verdict.names, *(name for step in verdict.sync for name in (getattr(step, "name", None) or getattr(step, "base", None), getattr(step, "view", None)) if name)}
    own = path(place.mutation.target) or next((node.id for node in ast.walk(place.mutation.target) if isinstance(node, ast.Name)), "")
    if verdict.kind == "refuse" or not any(_reads(place.context, link, {own, *names}) for link in place.chain[:-1]):
        return verdict
    if verdict.kind == "write" and not verdict.sync and place.item is None:
        return verdict
    reason = f"a later argument (line {place.context.file.number(place.mutation.target.lineno)}) reads {own} as it is by then"
    return Verdict("write", [reason]) if not verdict.sync and place.item is None else Verdict("refuse", [reason], why=reason)


def _reads(context: Context, link: Mutation, names: set[str]) -> bool:
    """Whether an argument of a call reads a value of what stands under one of the names."""
    if not isinstance(link.node, ast.Call):
        return False
    for argument in (*link.node.args, *(keyword.value for keyword in link.node.keywords)):
        for node in ast.walk(argument):
            if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and path(node) in names:
                above = context.parents.get(id(node))
                if not (isinstance(above, ast.Attribute) and above.attr in _FIXED):
                    return True
    return False
