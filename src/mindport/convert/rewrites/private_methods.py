"""``self._conv_forward(x, w, b)``, ``super()._check_input_dim(x)``: what torch's layers call themselves, in forward passes of a project's own.

No stub has these names, and MindSpore's cells have no such methods, or others of the same name. They are found by their
text, on what may be a module and has no method of that name that the project wrote.
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.convert.rewrites.private_state import may_be_module
from mindport.convert.scopes import class_around, scope_of
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.scopes import ClassScope

NAMES = ("_conv_forward", "_check_input_dim")
#: Others that projects call, and what to write.
ABSENT = {"_output_padding": "give output_padding to the constructor, or compute it from the sizes"}


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the vendored functions."""
    for node in context.file.nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in NAMES or name in ABSENT:
                own = _self_of_super(context, owner)
                if _is_the_projects(context, node, owner, name, above=own is not None) or not (own or may_be_module(context, owner)):
                    continue
                if name in NAMES:
                    context.plan(node, lambda n=node, o=owner, t=own: _write(context, n, o, t))  # type: ignore[misc]
                else:
                    api = f"{MODULE}.{name}"
                    context.report("MP101", f"{api}: nn.Cell has no such method: {ABSENT[name]}", node, api=api, mark=True)


def _self_of_super(context: Context, owner: ast.expr) -> str | None:
    """The name of the object where a module's method asks ``super()``."""
    if not (isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "super"):
        return None
    method = scope_of(context, owner)
    cls = _class_around(context, owner)
    return method.args.args[0].arg if cls is not None and isinstance(method, ast.FunctionDef) and method.args.args else None


def _class_around(context: Context, node: ast.AST) -> ast.ClassDef | None:
    """The module class in whose body a node stands."""
    cls = class_around(context, node)
    return cls if cls is not None and MODULE in context.facts.ancestors.get(cls, ()) else None


def _is_the_projects(context: Context, node: ast.Call, owner: ast.expr, name: str, *, above: bool) -> bool:
    """Whether the method is one that a class of the project has; `above` the class that it is asked in, where ``super()`` is."""
    cls = _class_around(context, node)
    if cls is not None and (above or isinstance(owner, ast.Name)):
        bases = [option.scope for base in cls.bases for option in v.options(context.facts.value(base)) if isinstance(option, v.ProjectClass)]
        defines = any(isinstance(part, ast.FunctionDef) and part.name == name for part in cls.body)
        return (defines and not above) or any(_has(scope, name) for scope in bases)
    return any(isinstance(option, v.ProjectInstance) and _has(option.cls.scope, name) for option in v.options(context.facts.value(owner)))


def _has(scope: ClassScope, name: str) -> bool:
    return any(name in each.methods for each in scope.mro)


def _write(context: Context, node: ast.Call, owner: ast.expr, own: str | None) -> None:
    assert isinstance(node.func, ast.Attribute)
    function = context.vendored_name(context.shared.catalog.find(f"{MODULE}.{node.func.attr}")[0])
    start, end = context.editing.span(node.func)
    opening = context.file.text.index("(", end) + 1
    taker = own or context.editing.current(*context.editing.span(owner))
    comma = ", " if node.args or node.keywords else ""
    context.editing.replace(start, opening, f"{function}({taker}{comma}")
