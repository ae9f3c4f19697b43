"""``self.logit = nn.Linear(…)`` in a class from which one with a method `logit` derives becomes ``set_child(self, "logit", …)``.

torch keeps the layer among the children, and the name stands for the method, or for what the class's body binds it to (``act = nn.SiLU()``);
MindSpore's cells raise "already exists".
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context, Files
from mindport.convert.instances import is_instance_of
from mindport.convert.rewrites.assigned_bias import KNOWLEDGE
from mindport.inference import values as v
from mindport.inference.facts import Use

FUNCTION = "set_child"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the function for modules that are assigned under a name that the class has itself."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    for node in context.file.nodes:
        match node:
            case ast.Assign(targets=[ast.Attribute(value=owner, attr=name)], value=value) if any(
                isinstance(option, v.ProjectInstance) and _has_itself(context, option, name) for option in v.options(context.facts.value(owner))
            ) and any(is_instance_of(option, {MODULE}) for option in v.options(context.facts.value(value))):
                context.plan(node, lambda n=node, o=owner, a=name: _write(context, n, o, a), last=True)  # type: ignore[misc]


def _has_itself(context: Context, option: v.ProjectInstance, name: str) -> bool:
    scope = option.cls.scope
    if MODULE not in scope.ancestors:
        return False
    derived = [*scope.mro, *scope.all_subclasses()]
    return any(name in one.methods or name in one.names or name in context.once(_methods_below).get(one.name, ()) for one in derived)


def _methods_below(project: Files) -> dict[str, set[str]]:
    """What classes that name a base define, by the name of the base: files that import each other do not show all that derives from a class."""
    found: dict[str, set[str]] = {}
    for file, _ in project:
        for cls in file.nodes:
            for base in cls.bases if isinstance(cls, ast.ClassDef) else ():
                name = base.id if isinstance(base, ast.Name) else base.attr if isinstance(base, ast.Attribute) else ""
                found.setdefault(name, set()).update(s.name for s in cls.body if isinstance(s, ast.FunctionDef))  # type: ignore[attr-defined]
    return found


def _write(context: Context, node: ast.Assign, owner: ast.expr, name: str) -> None:
    texts = [context.editing.current(*context.editing.span(part)) for part in (owner, node.value)]
    context.editing.replace(*context.editing.span(node), f'{context.definition(KNOWLEDGE, FUNCTION)}({texts[0]}, "{name}", {texts[1]})')
