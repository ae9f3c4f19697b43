"""``t = torch.from_numpy(a); u = t * 2; a[:] = 0``: kernels run in the program's order where an array is changed that tensors share.

MindSpore's kernels run later, from another thread, and read what then stands in the array. So it is with a parameter's
``.numpy()`` that is kept: read before the update has run, it holds the old numbers.

And ``np.random.shuffle(x[:9].numpy())`` becomes ``np.random.shuffle(array_of(x[:9]))``: of a view MindSpore gives a copy, and what is changed there
would not reach the tensor. An array that gets a name is followed where what it is taken from shows a view, and no device is left for it.
"""

from __future__ import annotations

import ast

from mindport.convert.array_memory import Arrays, changes
from mindport.convert.context import Context
from mindport.convert.scopes import scope_of
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE, SETTING = "mindport.equivalents.launch_order", "KERNELS_IN_ORDER"
#: What makes a tensor on an array's memory, and an array on a tensor's.
_SHARING = frozenset(("torch.from_numpy", "torch.as_tensor", "torch.asarray"))
_GIVING = "torch.Tensor.numpy"
OF_VIEWS, ARRAY_OF = "mindport.equivalents.arrays_of_views", "array_of"
#: Methods and attributes that give a view, and those that give the same tensor.
_VIEWS = frozenset(("view", "reshape", "transpose", "permute", "squeeze", "unsqueeze", "t", "T", "mT", "select", "narrow", "expand", "diagonal", "view_as", "flatten"))
_SAME = frozenset(("detach", "data", "contiguous"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Have the vendored module set it where one such place is found."""
    found = [use for same_place in uses.values() for use in same_place if isinstance(use.node, ast.Call)]
    shared = [use.node for use in found if use.name in _SHARING]
    given = [use.node for use in found if use.name == _GIVING]
    if any(_is_changed(context, call) for call in shared if isinstance(call, ast.Call)) or any(_is_kept(context, call) for call in given if isinstance(call, ast.Call)):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)
    if given and OF_VIEWS in context.shared.catalog.modules:
        changed = {id(root) for root, _ in changes(context.file.nodes) if isinstance(root, ast.Call)}
        for call in given:
            if isinstance(call, ast.Call) and (id(call) in changed or _is_named_and_changed(context, call)):
                context.plan(call, lambda c=call: _write(context, c), last=True)  # type: ignore[misc]


def _is_named_and_changed(context: Context, call: ast.Call) -> bool:
    """Whether a local name keeps a view's array, which is changed afterwards."""
    match context.parents.get(id(call)), call.func:
        case ast.Assign(targets=[ast.Name() as name]), ast.Attribute(value=tensor) if _is_view(tensor):
            return context.shared.once(Arrays).changes_later(context.file, context.facts, scope_of(context, call), name, call)
    return False


def _is_view(tensor: ast.expr) -> bool:
    """Whether an expression shows that its tensor is a part of another one, or another form of it."""
    match tensor:
        case ast.Subscript():
            return True
        case ast.Call(func=ast.Attribute(value=inner, attr=name)) | ast.Attribute(value=inner, attr=name):
            return name in _VIEWS or (name in _SAME and _is_view(inner))
    return False


def _write(context: Context, call: ast.Call) -> None:
    """``x.asnumpy()`` as ``array_of(x)``, where it still stands so."""
    assert isinstance(call.func, ast.Attribute)
    start, end = context.editing.span(call)
    if context.editing.current(start, end).endswith(".asnumpy()"):
        name = context.definition(OF_VIEWS, ARRAY_OF)
        context.editing.replace(start, end, f"{name}({context.editing.current(start, end).removesuffix('.asnumpy()')})")


def _is_changed(context: Context, call: ast.Call) -> bool:
    arrays = context.shared.once(Arrays)
    return bool(call.args) and arrays.changes_later(context.file, context.facts, scope_of(context, call), call.args[0], call)


def _is_kept(context: Context, call: ast.Call) -> bool:
    """Whether a name, an attribute or a container keeps the array of what is, or is part of, a parameter."""
    above = context.parents.get(id(call))
    kept = isinstance(above, (ast.Assign, ast.List, ast.Tuple, ast.Dict, ast.DictComp, ast.ListComp, ast.Return)) or (
        isinstance(above, ast.Call) and isinstance(above.func, ast.Attribute) and above.func.attr == "append"
    )
    node: ast.expr = call
    while kept:
        if any(isinstance(kind, v.TensorValue) and kind.parameter for kind in v.options(context.facts.value(node))):
            return True
        match node:
            case ast.Call(func=ast.Attribute(value=inner)) | ast.Attribute(value=inner) | ast.Subscript(value=inner):
                node = inner
            case _:
                return False
    return False
