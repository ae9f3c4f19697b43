"""``def __getattr__(self, name): return getattr(self.model, name)`` of a class that is no module: ``wrapped.parameters()`` reaches the module by a text.

It becomes ``handed_on(self.model, name, parameters=parameters)``, with the methods of modules that the project asks such objects for.
"""

from __future__ import annotations

import ast

from mindport.catalog import Entry
from mindport.convert.choice import KNOWLEDGE
from mindport.convert.context import MODULE, Context, Files
from mindport.convert.module_values import members
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.source.walking import walk

METHOD = "__getattr__"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the edit of every such place."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    for cls, above in context.facts.ancestors.items():
        for method in cls.body if MODULE not in above and MODULE not in context.facts.mixed_into.get(cls, ()) else ():
            if isinstance(method, ast.FunctionDef) and method.name == METHOD and len(method.args.args) == 2:
                for node in walk(method):
                    if _hands_on(context, node, method.args.args[1].arg) and (found := members(context.shared.catalog, MODULE, context.shared.once(_asked))):
                        context.plan(node, lambda n=node, f=found: _write(context, n, f), last=True)  # type: ignore[misc]


def _hands_on(context: Context, node: ast.AST, name: str) -> bool:
    """Whether it is ``getattr(x, name)`` of an x that may be a module."""
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[target, ast.Name(id=asked)], keywords=[]) if asked == name:
            options = v.options(context.facts.value(target))
            return any(isinstance(o, v.Unknown) or isinstance(o, v.Instance | v.ProjectInstance) and _is_module(o) for o in options)
    return False


def _is_module(made: v.Instance | v.ProjectInstance) -> bool:
    return MODULE in made.cls.scope.ancestors if isinstance(made, v.ProjectInstance) else made.cls.startswith("torch.nn.")


def _asked(project: Files) -> frozenset[str]:
    """The methods of modules that the project asks objects for whose classes hand names on, and objects of which nothing is known."""
    found = set()
    for file, facts in project:
        found |= {place.text.lstrip(".") for place in facts.unresolved if any(c.startswith(f"{MODULE}.") for c in place.candidates)}
        for node in file.nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and any(_reaches(o, node.attr) for o in v.options(facts.value(node.value))):
                found.add(node.attr)
    return frozenset(name for name in found if torchfacts.member(MODULE, name) is not None)


def _reaches(value: v.Value, name: str) -> bool:
    """Whether an object's class leaves a name to its ``__getattr__``."""
    if not isinstance(value, v.ProjectInstance) or MODULE in value.cls.scope.ancestors:
        return False
    return any(METHOD in one.methods for one in value.cls.scope.mro) and not any(name in one.methods or name in one.stores for one in value.cls.scope.mro)


def _write(context: Context, node: ast.AST, found: dict[str, Entry]) -> None:
    assert isinstance(node, ast.Call)
    target, name = (context.editing.current(*context.editing.span(part)) for part in node.args)
    given = ", ".join(f"{text}={context.vendored_name(entry)}" for text, entry in found.items())
    context.editing.replace(*context.editing.span(node), f"{context.definition(KNOWLEDGE, 'handed_on')}({target}, {name}, {given})")
