"""``vmap(grad(loss), in_dims=(None, 0, 0))(params, x, y)`` with a dict of parameters: a form that computes member by member.

`ms.vmap` compiles what it maps, and cannot compile calls with dicts. The form is taken in files that hold modules' parameters
as such (`functional_call`, `stack_module_state`), or where a mapped function is called with a dict. A function that is written
out and calls ``grad(f)(w, x)`` with a `w` from around it takes another form, in which nothing is compiled, and so does one that reads
a tensor from around it (``vmap(lambda x: f(w, x))``), or may be called with a dict, where gradients are recorded. One that reads
what changes between its calls is compiled for each of them. A function with arguments bound to it, or that is called by name, is handed on as one without.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.context import Context
from mindport.convert.training.changing_state import draws, reads_state
from mindport.convert.training.second_order import DERIVATIVES
from mindport.forms import OF_CLOSURES, OF_DERIVATIVES, OF_PARTIALS, OF_STATE, OF_STRUCTURES
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give such uses the name of the other form."""
    found = [same_place for same_place in uses.values() if any(context.shared.catalog.find(use.name + OF_STRUCTURES) for use in same_place)]
    if not found:
        return
    states = any(use.name.rpartition(".")[2] in ("functional_call", "stack_module_state") for same_place in uses.values() for use in same_place)
    derivatives = {id(use.node) for same_place in uses.values() for use in same_place if use.name in DERIVATIVES and isinstance(use.node, ast.Call)}
    for same_place in found:
        for place, use in enumerate(same_place):
            mapped = use.node.args[0] if isinstance(use.node, ast.Call) and use.node.args else None
            if mapped is not None and draws(context, mapped):  # once for the batch, as in torch: not member by member
                form = OF_STATE
            elif _differentiates_outside(context, use.node, derivatives) or (mapped is not None and _gives_dicts(context, mapped)):
                form = OF_DERIVATIVES
            elif mapped is not None and (_is_partial(context, mapped) or _by_name(context, use.node)):
                form = OF_PARTIALS
            elif states or _called_with(context, use.node, v.Mapping):
                form = OF_STRUCTURES
            elif mapped is not None and (_reads_tensors(context, mapped) or _called_with(context, use.node, v.Unknown)):
                form = OF_CLOSURES
            elif mapped is not None and reads_state(context, mapped):
                form = OF_STATE
            else:
                continue
            if context.shared.catalog.find(use.name + form):
                same_place[place] = replace(use, name=use.name + form)


def _differentiates_outside(context: Context, mapped: ast.AST, derivatives: set[int]) -> bool:
    """Whether what is mapped calls one derivative with a name from around it; a derivative of a derivative is right only where it is compiled."""
    function: ast.AST | None = mapped.args[0] if isinstance(mapped, ast.Call) and mapped.args else None
    if isinstance(function, ast.Name):
        function = next((d for d in (n for n in context.file.nodes if isinstance(n, ast.FunctionDef)) if d.name == function.id), None)
    if not isinstance(function, (ast.Lambda, ast.FunctionDef)):
        return False
    inside = list(ast.walk(function))
    own = _own_names(inside)
    taken = [n for n in inside if id(n) in derivatives]
    calls = [n for n in inside if isinstance(n, ast.Call) and isinstance(n.func, ast.Call) and id(n.func) in derivatives]
    return len(taken) == 1 and any(isinstance(a, ast.Name) and a.id not in own for call in calls for a in call.args)


def _own_names(inside: list[ast.AST]) -> set[str]:
    """The names that a function's nodes bind: arguments, and what is stored."""
    return {a.arg for a in inside if isinstance(a, ast.arg)} | {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _reads_tensors(context: Context, mapped: ast.expr) -> bool:
    """Whether what is mapped, or a function of this file that it names, reads what may be a tensor and is neither its argument nor made by it."""
    waiting: list[ast.AST] = [mapped]
    seen: set[int] = set()
    while waiting:
        function = waiting.pop()
        seen.add(id(function))
        inside = list(ast.walk(function))
        own = _own_names(inside)
        for name in (n for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id not in own):
            for option in v.options(context.facts.value(name)):
                if isinstance(option, (v.TensorValue, v.Mapping, v.Sequence, v.Unknown)):
                    return True
                if isinstance(option, v.ProjectFunction) and id(option.scope.node) not in seen and option.scope.module.file is context.file:
                    waiting.append(option.scope.node)
    return False


def _called_with(context: Context, mapped: ast.AST, kind: type[v.Mapping | v.Unknown]) -> bool:
    """Whether what a call makes is called with a value of one of these kinds, at its place or by the name that it is bound to."""
    return any(isinstance(option, kind) for call in _calls(context, mapped) for given in call.args for option in v.options(context.facts.value(given)))


def _by_name(context: Context, mapped: ast.AST) -> bool:
    """Whether it is called with arguments by name, which MindSpore's compiler does not take."""
    return any(call.keywords for call in _calls(context, mapped))


def _calls(context: Context, mapped: ast.AST) -> list[ast.Call]:
    """The calls of what a call makes, at its place or by the name that it is bound to."""
    above = context.parents.get(id(mapped))
    names = {t.id for t in above.targets if isinstance(t, ast.Name)} if isinstance(above, ast.Assign) else set()
    calls = [call for call in context.file.nodes if isinstance(call, ast.Call)]
    return [call for call in calls if call.func is mapped or (isinstance(call.func, ast.Name) and call.func.id in names)]


def _is_partial(context: Context, mapped: ast.expr) -> bool:
    """Whether what is mapped is a function with arguments bound to it, which MindSpore's compiler does not take for one."""
    return any(isinstance(option, v.Partial) for option in v.options(context.facts.value(mapped)))


def _gives_dicts(context: Context, mapped: ast.expr) -> bool:
    """Whether a function of the project returns a dict, or a tuple with one in it; what `ms.vmap` maps gives tensors alone."""
    functions = [mapped, *(option.scope.node for option in v.options(context.facts.value(mapped)) if isinstance(option, v.ProjectFunction))]
    returned = [node.value for function in functions for node in ast.walk(function) if isinstance(node, ast.Return) and node.value is not None]
    returned += [function.body for function in functions if isinstance(function, ast.Lambda)]
    return any(isinstance(part, (ast.Dict, ast.DictComp)) for value in returned for part in (value.elts if isinstance(value, ast.Tuple) else [value]))
