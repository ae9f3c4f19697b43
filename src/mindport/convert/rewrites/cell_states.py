"""``def __getstate__(self): return self.__dict__.copy()`` of a module, and ``def __setstate__(self, state)``: MindSpore's cells hand `copy` and `pickle` a pair."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.convert.own_modes import module_classes
from mindport.convert.scopes import scope_of
from mindport.inference.facts import Use

KNOWLEDGE, TAKE = "mindport.equivalents.cell_states", "take_state"
DECORATORS = {"__getstate__": "gives_cell_state", "__setstate__": "takes_cell_state"}


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the decorators of such methods, and what their `super()` does."""
    classes = [cls for cls in module_classes(context.facts) if not _calls_for(cls, "__getstate__")]
    for method in (part for cls in classes for part in cls.body):
        if isinstance(method, ast.FunctionDef) and method.name in DECORATORS and not method.decorator_list:
            context.plan(method, lambda m=method: _decorate(context, m))  # type: ignore[misc]
            for call in ast.walk(method):
                if _is_of_super(call, "__setstate__") and scope_of(context, call) is method:
                    assert isinstance(call, ast.Call)
                    context.plan(call, lambda c=call, m=method: _take(context, c, m), last=True)  # type: ignore[misc]


def _calls_for(cls: ast.ClassDef, name: str) -> bool:
    """Whether a class asks the class above for its state, which is a pair in MindSpore."""
    return any(_is_of_super(node, name) for node in ast.walk(cls))


def _is_of_super(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=attr)):
            return attr == name
    return False


def _decorate(context: Context, method: ast.FunctionDef) -> None:
    start = context.editing.span(method)[0]
    context.editing.insert(start, f"@{context.definition(KNOWLEDGE, DECORATORS[method.name])}\n{context.editing.indent(start)}")


def _take(context: Context, call: ast.Call, method: ast.FunctionDef) -> None:
    given = ", ".join(context.editing.current(*context.editing.span(part)) for part in call.args)
    context.editing.replace(*context.editing.span(call), f"{context.definition(KNOWLEDGE, TAKE)}({method.args.args[0].arg}, {given})")
