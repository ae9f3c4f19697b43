"""Changes through a view that no gradient records: MindSpore's views share memory then, and the change reaches every holder.

Measured (docs/differences/in_place.md): inside ``_no_grad``, also within ``value_and_grad``, a function that writes into a view, or
into what was detached, changes the tensor as torch does. Under ``ms.jit`` it does not.
"""

from __future__ import annotations

import ast

from mindport.convert.aliasing.objects import Mutation, Object, links
from mindport.convert.aliasing.regions import is_plain_script, without_gradient
from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.overlays import storage

#: Views that MindSpore makes as torch does: of the same memory.
_SHARING = frozenset(("index", "part", "reshape", "swap", "detached", "row"))
#: Views of other kinds that share memory in MindSpore, too (measured, docs/differences/in_place.md).
_OTHERS = frozenset(("diagonal", "permute", "narrow", "select", "chunk", "split", "unbind"))
#: Views of torch that are copies in MindSpore.
_COPIES = frozenset(("flatten", "meshgrid", "unsafe_chunk", "unsafe_split"))
#: Methods that graphs are compiled of.
_COMPILED = frozenset(("forward", "__call__"))


def is_written_through(context: Context, mutation: Mutation, uses: list[list[Use]], whole: bool, refused: bool) -> bool:
    """Whether a vendored function, called on the view, changes what torch changes.

    `mutation` as it is written, `uses` of its chain, `whole`: whether it is a statement of its own, `refused`: whether there
    is no other way, which would hold in every mode.
    """
    if mutation.kind not in ("method", "function", "augmented", "item") or not _is_of_one_memory(context, mutation):
        return False
    if mutation.kind == "item" and not (isinstance(mutation.node, ast.Subscript) and is_region(context, mutation.node)):
        return False
    names = [use.name for same in uses for use in same]
    if any(name.rpartition(".")[2] in storage.SHAPE_ONLY for name in names):
        return False
    if mutation.kind == "function":
        return bool(names) and all(name.startswith(storage.CHANGING) for name in names)
    return _is_unrecorded(context, mutation, refused) or ((whole or mutation.kind == "item") and _is_detached(mutation))


def is_put_through(context: Context, mutation: Mutation) -> bool:
    """Whether ``w[mask] = v``, which has no other way, reaches what `w` is a view of where a function puts it there: ``w = p.data``. Written as it is, it changes a copy."""
    node, statement = mutation.node, mutation.statement
    if not (mutation.kind == "item" and isinstance(statement, ast.Assign) and statement.targets == [node] and isinstance(node, ast.Subscript)) or isinstance(node.value, ast.Subscript):
        return False
    return _is_of_one_memory(context, mutation) and (_is_unrecorded(context, mutation, refused=True) or _is_detached(mutation))


def _is_of_one_memory(context: Context, mutation: Mutation) -> bool:
    """Whether all that shares the tensor's storage in torch does in MindSpore, outside of what is compiled."""
    roots = {one.root for one in mutation.objects}
    others = [one for objects in mutation.names.values() for one in objects if one.root in roots]
    shared = all(_shares(context, link) for one in [*mutation.objects, *others, *mutation.held] if one.root in roots for link in _to_root(one))
    return bool(mutation.objects) and shared and not _in_compiled(context, mutation.statement)


def _is_unrecorded(context: Context, mutation: Mutation, refused: bool) -> bool:
    return without_gradient(context, mutation.statement) or (refused and is_plain_script(context, mutation.statement))


def _is_detached(mutation: Mutation) -> bool:
    return all(any(link.relation == "detached" for link in _to_root(one)) for one in mutation.objects)


def _shares(context: Context, link: Object) -> bool:
    """Whether MindSpore's view is one, too."""
    match link.expression:
        case ast.Subscript() as taken:
            return link.relation == "part" or (link.relation == "index" and is_region(context, taken)) or decides_at_run(link)
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in _COPIES:
            return False
        case ast.Call(func=ast.Attribute(attr=name)) if name in storage.COPYING_GAPS:
            return link.relation in ("reshape", "maybe")  # MindSpore copies what does not lie in one piece, too
        case ast.Call(func=ast.Attribute(attr=name)) if name in _OTHERS:
            return link.relation in _SHARING or link.relation == "other"
    return link.relation in _SHARING


def decides_at_run(link: Object) -> bool:
    """Whether an index of which too little is known took it: tensors that index as torch's do give a view, or memory of its own."""
    parts = link.expression.slice if isinstance(link.expression, ast.Subscript) else None
    stepped = any(isinstance(part, ast.Slice) and part.step is not None for part in (ast.walk(parts) if parts is not None else ()))
    return parts is not None and link.origin == "maybe" and link.relation == "maybe" and not stepped


def is_region(context: Context, node: ast.Subscript) -> bool:
    """Whether the index holds numbers and slices without a step: others are rewritten, or write into a copy."""
    for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
        if isinstance(part, ast.Constant):
            continue
        if isinstance(part, ast.Slice):
            if part.step is not None:
                return False
        elif not all(isinstance(option, (v.Const, v.Builtin)) for option in v.options(context.facts.value(part))):
            return False
    return True


def _to_root(one: Object) -> list[Object]:
    """The views between an object and the tensor whose storage it is."""
    return [link for link in links(one) if link.base is not None]


def _in_compiled(context: Context, node: ast.AST) -> bool:
    current: ast.AST | None = node
    while current is not None:
        if isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef)) and current.name in _COMPILED:
            return True
        current = context.parents.get(id(current))
    return False
