"""``x = y.unsqueeze(0); x.unsqueeze_(0)``: a change of shape alone is one of the tensor object, and what shares its storage keeps its own.

A view that is made here by a method or an index is such an object: only names that hold the very view see its new shape. What is bound to an attribute and
changed under the same path (``self.w = torch.ones(3); self.w.unsqueeze_(0)``) is held by that path, which is bound anew.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.aliasing.objects import Mutation, Object, path

#: Methods whose result is always a tensor object of its own, also where it has the shape of what it was made of.
_OF_THEIR_OWN = frozenset(("unsqueeze", "squeeze", "view", "transpose", "permute", "t", "expand", "select", "narrow"))


def of_own_shape(mutation: Mutation) -> Mutation:
    """A change of shape as one of objects that have memory of their own; the same mutation where some may be what others hold."""
    own = {one: Object("new", one.key, line=one.line) for one in mutation.objects if _is_made_here(one)}
    if len(own) < len(mutation.objects):
        return mutation
    names = {name: frozenset(own.get(one, one) for one in objects) for name, objects in mutation.names.items()}
    me = path(mutation.target)
    held = {own.get(one, one): keeper for one, keeper in mutation.held.items() if one not in own or not keeper.startswith(f"`{me}` ")}
    return replace(mutation, objects=frozenset(own.values()), names=names, held=held)


def _is_made_here(one: Object) -> bool:
    """Whether an object is new, or a view that an index or a method has made of another one."""
    if one.base is None:
        return one.origin == "new"
    if one.origin != "view":
        return False
    made = one.expression
    return isinstance(made, ast.Subscript) if one.relation == "index" else isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and made.func.attr in _OF_THEIR_OWN
