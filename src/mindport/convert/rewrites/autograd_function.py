"""Classes with a backward pass of their own: `ms._Function` has the same methods, so the text stays.

The older name of what was saved, ``saved_variables``, becomes ``saved_tensors``. MindSpore saves tensors alone: where a project makes sparse ones,
what is saved becomes an attribute of the context. What it does not have (`jvp`, `vmap`) is said where the class defines it.
Of a parameter whose dtype was changed (``net.double()``) the gradient comes in the dtype that it was made in (2.10): where a project changes dtypes of
modules, the class is given a product of it, ``F.apply(self.w * 1, x)``.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context, Files
from mindport.inference import values as v
from mindport.inference.facts import Facts, Use

FUNCTION = "torch.autograd.Function"
CONTEXT = "torch.autograd.function.FunctionCtx"
#: Methods and attributes that MindSpore's class and its context have, too.
SAME = frozenset(
    [f"{FUNCTION}.apply"]
    + [f"{owner}.{name}" for owner in (FUNCTION, CONTEXT)
       for name in ("save_for_backward", "saved_tensors", "needs_input_grad", "mark_non_differentiable", "mark_dirty", "set_materialize_grads")]
)  # fmt: skip
SAVE, OLD_NAME, NAME = "save_for_backward", "saved_variables", "saved_tensors"
#: The attribute that holds what MindSpore does not save.
HELD = "saved"
#: Methods that a class may define and MindSpore never calls.
OVERRIDDEN = {"jvp": "MindSpore has no forward mode for such a class", "vmap": "MindSpore cannot map such a class over a batch"}
#: What changes the dtype of a module's parameters.
_CASTS = frozenset(f"torch.nn.Module.{name}" for name in ("double", "half", "bfloat16", "type"))
_TO, _DTYPES = "torch.nn.Module.to", frozenset(f"torch.{name}" for name in ("float64", "float16", "bfloat16"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Keep what is the same, and report what is not there."""
    for same_place in uses.values():
        use = same_place[0]
        if use.name in SAME and {u.name for u in same_place} <= SAME:
            context.claimed.add(id(use.node))
            text = context.file.segment(use.node)
            context.record(use, "same", text, text)
            if use.name == f"{FUNCTION}.apply":
                _give_products(context, use.node)
    for cls, ancestors in context.facts.ancestors.items():
        for statement in cls.body if FUNCTION in ancestors else ():
            if isinstance(statement, ast.FunctionDef) and statement.name in OVERRIDDEN:
                context.report(
                    "MP107", f"{cls.name} defines {statement.name}: {OVERRIDDEN[statement.name]}", statement,
                    api=f"{FUNCTION}.{statement.name}", mark=True,
                )  # fmt: skip
            if isinstance(statement, ast.FunctionDef) and statement.args.args:
                saver = statement.args.args[0].arg
                if context.shared.holds_sparse_tensors:
                    _hold(context, statement, saver)
                else:
                    _rename_saved(context, statement, saver, (OLD_NAME,), NAME)


def _give_products(context: Context, node: ast.AST) -> None:
    """Plan products with 1 of the parameters that a call is given, in a project that changes dtypes of modules."""
    call = node if isinstance(node, ast.Call) else context.parents.get(id(node))
    if not isinstance(call, ast.Call) or not context.once(_casts_modules):
        return
    for argument in call.args:
        kinds = v.options(context.facts.value(argument))
        if isinstance(argument, ast.Name | ast.Attribute) and kinds and all(isinstance(kind, v.TensorValue) and kind.parameter for kind in kinds):
            context.plan(argument, lambda a=argument: context.editing.insert(context.editing.span(a)[1], " * 1"))  # type: ignore[misc]


def _casts_modules(project: Files) -> bool:
    return any(use.name in _CASTS or use.name == _TO and _names_dtype(facts, use.node) for _, facts in project for use in facts.uses)


def _names_dtype(facts: Facts, call: ast.AST) -> bool:
    """Whether ``net.to(torch.float64)`` is given a dtype other than the usual one."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)] if isinstance(call, ast.Call) else []
    return any(isinstance(one, v.Api) and one.name in _DTYPES for argument in given for one in v.options(facts.value(argument)))


def _rename_saved(context: Context, method: ast.FunctionDef, saver: str, names: tuple[str, ...], new: str) -> None:
    for node in ast.walk(method):
        if isinstance(node, ast.Attribute) and node.attr in names and isinstance(node.value, ast.Name) and node.value.id == saver:
            end = context.editing.span(node)[1]
            context.plan(node, lambda e=end, old=node.attr: context.editing.replace(e - len(old), e, new))  # type: ignore[misc]


def _hold(context: Context, method: ast.FunctionDef, saver: str) -> None:
    """``ctx.save_for_backward(a, b)`` as ``ctx.saved = (a, b)``, and its reads."""
    _rename_saved(context, method, saver, (OLD_NAME, NAME), HELD)
    for node in ast.walk(method):
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute) and node.value.func.attr == SAVE):
            continue
        if isinstance(node.value.func.value, ast.Name) and node.value.func.value.id == saver:
            context.plan(node.value, lambda c=node.value: _assign(context, c))  # type: ignore[misc]


def _assign(context: Context, call: ast.Call) -> None:
    """The call as an assignment to the attribute, with the text of its arguments."""
    opening, end = context.editing.span(call.func)[1], context.editing.span(call)[1]
    context.editing.replace(end - 1, end, ",)" if call.args else ")")
    context.editing.replace(opening - len(SAVE), opening + 1, f"{HELD} = (")
