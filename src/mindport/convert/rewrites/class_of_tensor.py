"""``type(x)(n, 1)``, ``kind = type(x)`` and ``make(kind=type(x))``, which a call makes a tensor with: the class of a tensor is called.

MindSpore's own class takes other arguments (``Tensor(2)`` is the number 2, ``Tensor([1, 2])`` whole numbers). Where nothing is known of ``x``, only a
call with sizes tells that it is a tensor; what is compared with a class stays the class.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.rewrites.tensor_class import compared_in
from mindport.convert.scopes import scope_of
from mindport.convert.training.names import own_nodes
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE, FUNCTION = "mindport.equivalents.classes_of_values", "class_of"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the vendored `class_of` for ``type(…)`` of what is, or may be, a tensor, where the class is called."""
    asked = [node for node in context.file.nodes if isinstance(node, ast.Call) and _asks_for_class(node)] if uses and KNOWLEDGE in context.shared.catalog.modules else []
    if not asked or "type" in context.imports.bound:
        return
    compared = compared_in(context.file.tree)
    for node in asked:
        sized = _of_a_size(context, node, compared)
        for argument in sized:
            context.plan(argument, lambda a=argument: context.editing.insert(context.editing.span(a)[0], "*"), last=True)  # type: ignore[misc]
        if sized or _makes_tensors(context, node, compared):
            context.plan(node, lambda f=node.func: context.editing.replace(*context.editing.span(f), context.definition(KNOWLEDGE, FUNCTION)))  # type: ignore[misc]


def _asks_for_class(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "type" and len(node.args) == 1 and not node.keywords


def _makes_tensors(context: Context, node: ast.Call, compared: set[str]) -> bool:
    """Whether the class is called, by its value's being a tensor or by what the calls are given."""
    calls = _calls(context, node, compared)
    value = node.args[0]
    if v.is_tensor(context.facts.value(value)):
        return bool(calls)
    kinds = v.options(context.facts.value(value))  # a helper that moves tensors and modules gives anything: `class_of` asks when it runs
    return any(isinstance(kind, v.TensorValue | v.Unknown) for kind in kinds) and any(_of_sizes(context, call) for call in calls)


def _of_a_size(context: Context, node: ast.Call, compared: set[str]) -> list[ast.expr]:
    """The sizes that the class of what is no tensor for certain, but most likely one, is called with: ``type(x.data)(y.size())``.

    A size is a tuple here, which is data as well; of a known tensor's class `size_or_data` sees to it.
    """
    value = node.args[0]
    kinds = v.options(context.facts.value(value))
    if v.is_tensor(context.facts.value(value)) or not (any(isinstance(kind, v.TensorValue) for kind in kinds) or isinstance(value, ast.Attribute) and value.attr == "data"):
        return []
    alone = [call.args[0] for call in _calls(context, node, compared) if len(call.args) == 1 and not call.keywords]
    return [size for size in alone if not isinstance(size, ast.Starred) and _is_size(context.facts.value(size))]


def _calls(context: Context, node: ast.Call, compared: set[str]) -> list[ast.Call]:
    """The calls of the class that stands at a node: of itself, or of the name that it is given to."""
    above = context.parents.get(id(node))
    if isinstance(above, ast.Call) and above.func is node:
        return [above]
    if isinstance(above, ast.Call | ast.keyword):
        return _calls_by_others(context, node, above)
    if not isinstance(above, ast.Assign) or above.value is not node:
        return []
    names = {ast.unparse(target) for target in above.targets}
    if names & compared:
        return []
    return [call for call in ast.walk(scope_of(context, node)) if isinstance(call, ast.Call) and isinstance(call.func, ast.Name | ast.Attribute) and ast.unparse(call.func) in names]


def _calls_by_others(context: Context, node: ast.Call, above: ast.Call | ast.keyword) -> list[ast.Call]:
    """The calls of the class by the functions of the project that it is given to."""
    call = above if isinstance(above, ast.Call) else context.parents.get(id(above))
    found: list[ast.Call] = []
    for kind in v.options(context.facts.value(call.func)) if isinstance(call, ast.Call) else ():
        function = kind.function if isinstance(kind, v.Bound) else kind
        if not isinstance(function, v.ProjectFunction) or isinstance(call, ast.Call) and any(isinstance(argument, ast.Starred) for argument in call.args):
            continue
        given = function.scope.node.args
        names = [one.arg for one in (*given.posonlyargs, *given.args)][isinstance(kind, v.Bound) :]
        name = above.arg if isinstance(above, ast.keyword) else names[above.args.index(node)] if above.args.index(node) < len(names) else None
        inside = list(own_nodes(function.scope.node))
        if not any(isinstance(side, ast.Name) and side.id == name for part in inside if isinstance(part, ast.Compare) for side in (part.left, *part.comparators)):
            found += [part for part in inside if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == name]
    return found


def _of_sizes(context: Context, call: ast.Call) -> bool:
    """Whether a call's arguments are whole numbers, at least one of them known to be one; a size that is written out (``*x.shape``) is such ones."""
    values = [context.facts.value(argument) for argument in call.args]
    known = [_is_size(value) if isinstance(argument, ast.Starred) else _is_whole(value) for argument, value in zip(call.args, values, strict=True)]
    return any(known) and not call.keywords and all(whole or isinstance(value, v.Unknown) for whole, value in zip(known, values, strict=True))


def _is_size(value: v.Value) -> bool:
    """Whether a value is a tensor's size wherever it is known."""
    kinds = [kind for kind in v.options(value) if not isinstance(kind, v.Unknown)]
    return bool(kinds) and all(isinstance(kind, v.Sequence) and kind.type == "torch.Size" for kind in kinds)


def _is_whole(value: v.Value) -> bool:
    """Whether a value is a whole number wherever it is known."""
    kinds = [kind for kind in v.options(value) if not isinstance(kind, v.Unknown)]
    return bool(kinds) and all(v.widen(kind) == v.Builtin("int") for kind in kinds)
