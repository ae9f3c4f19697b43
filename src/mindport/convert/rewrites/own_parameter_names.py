"""``net.parameters()`` of a class that defines `named_parameters`: torch's gives what that gives."""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context, Files
from mindport.convert.own_modes import module_classes
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.scopes import ClassScope

KNOWLEDGE, FUNCTION = "mindport.equivalents.own_parameter_names", "parameters_by_names"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the calls on what may be an object of such a class."""
    classes = context.shared.once(_naming)
    for same_place in uses.values() if classes else ():
        node = same_place[0].node
        match node:
            case ast.Call(func=ast.Attribute(value=receiver, attr="parameters"), args=args, keywords=keywords) if any(use.name == f"{MODULE}.parameters" for use in same_place):
                if len(args) + len(keywords) < 2 and any(_may_be(kind, classes) for kind in v.options(context.facts.value(receiver))):
                    context.claimed.add(id(node))
                    context.plan(node, lambda n=node, r=receiver: _write(context, n, r), last=True)  # type: ignore[misc]


def _naming(files: Files) -> frozenset[str]:
    """Names of module classes that define `named_parameters`."""
    return frozenset(cls.name for _, facts in files for cls in module_classes(facts) if any(isinstance(part, ast.FunctionDef) and part.name == "named_parameters" for part in cls.body))


def _may_be(kind: v.Value, classes: frozenset[str]) -> bool:
    """Whether a value may be an object of such a class, or of one below."""
    match kind:
        case v.ProjectInstance(cls=cls):
            return any(_names(scope, classes) for scope in (cls.scope, *cls.scope.all_subclasses()))
        case v.Instance(cls=name):
            return name == MODULE
    return isinstance(kind, v.Unknown)


def _names(scope: ClassScope, classes: frozenset[str]) -> bool:
    return any(above.name in classes for above in scope.mro)


def _write(context: Context, node: ast.Call, receiver: ast.expr) -> None:
    texts = [context.editing.current(*context.editing.span(part)) for part in (receiver, *node.args, *node.keywords)]
    context.editing.replace(*context.editing.span(node), f"{context.definition(KNOWLEDGE, FUNCTION)}({', '.join(texts)})")
