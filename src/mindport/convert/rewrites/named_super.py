"""``super().forward(x)`` in a class that has subclasses: ``super(Base, self).construct(x)``.

MindSpore's graphs take a bare `super()` for what stands above the *object's* class: an object of a subclass calls the same
method again, without end, or the method of another class where several override it. With the class's name they look it up.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context, Files
from mindport.convert.scopes import scope_of
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Name the class in every bare `super()` whose method a graph may reach."""
    for node in context.file.nodes:
        if isinstance(node, ast.Attribute) and _is_bare_super(node.value):
            method = scope_of(context, node)
            cls = context.parents.get(id(method))
            if isinstance(cls, ast.ClassDef) and isinstance(method, ast.FunctionDef) and _is_reached(context, cls, method, node.attr):
                context.plan(node.value, lambda n=node.value, c=cls, m=method: _write(context, n, c, m))  # type: ignore[misc]


def _is_bare_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args


def _is_reached(context: Context, cls: ast.ClassDef, method: ast.FunctionDef, called: str) -> bool:
    """Whether a module class of the file's top level has subclasses, and what is called is the forward pass or a method of the project's."""
    if cls not in context.facts.ancestors or cls.decorator_list or not method.args.args or method.name.startswith("__") or not isinstance(context.parents.get(id(cls)), ast.Module):
        return False
    return (called == "forward" or called in _inherited(context, cls)) and id(cls) in context.once(_with_subclasses)


def _inherited(context: Context, cls: ast.ClassDef) -> set[str]:
    bases = [option for base in cls.bases for option in v.options(context.facts.value(base))]
    return {name for base in bases if isinstance(base, v.ProjectClass) for above in base.scope.mro for name in above.methods}


def _with_subclasses(project: Files) -> frozenset[int]:
    """The class statements whose classes others of the project derive from."""
    bases = (option for _, facts in project for cls in facts.ancestors for base in cls.bases for option in v.options(facts.value(base)))
    return frozenset(id(base.scope.node) for base in bases if isinstance(base, v.ProjectClass))


def _write(context: Context, node: ast.expr, cls: ast.ClassDef, method: ast.FunctionDef) -> None:
    context.editing.replace(*context.editing.span(node), f"super({cls.name}, {method.args.args[0].arg})")
