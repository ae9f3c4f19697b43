"""``clone._parameters = clone._parameters.copy()``: a module that goes on with other parameters, buffers or children (copies that are adapted: learn2learn, MAML).

MindSpore's cell has these dictionaries under other names: the assignment would give it an attribute that nothing reads, and the copy would go on sharing
the original's, without an error.
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context, Files
from mindport.convert.instances import may_be_instance_of
from mindport.convert.scopes import scope_of
from mindport.inference import values as v
from mindport.inference.facts import Use

KNOWLEDGE, PUT, BARE = "mindport.layers.own_members", "put_members", "bare"
KINDS = ("_parameters", "_buffers", "_modules")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the assignments to a module's dictionaries, and the births without a constructor of what gets them: ``clone = module.__new__(type(module))``."""
    given = set()
    for node in context.file.nodes:
        match node:
            case ast.Assign(targets=[ast.Attribute(attr=kind, value=owner)], value=value) if kind in KINDS and _may_be_module(context, owner):
                context.plan(node, lambda s=node, k=kind, o=owner, g=value: _put(context, s, k, o, g), last=True)  # type: ignore[misc]
                if isinstance(owner, ast.Name):
                    given.add((owner.id, id(scope_of(context, node))))
    for node in context.file.nodes if given else ():
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(attr="__new__"), args=[cls], keywords=[]) as born) if (name, id(scope_of(context, node))) in given:
                context.plan(born, lambda b=born, c=cls: _bear(context, b, c), last=True)  # type: ignore[misc]


def replaced_parameters(files: Files) -> ast.AST | None:
    """Where a project gives modules other parameters, which may have been computed: gradients go through them, wherever the module is called."""
    return next((target for file, _ in files for node in file.nodes if isinstance(node, ast.Assign) for target in node.targets if isinstance(target, ast.Attribute) and target.attr == KINDS[0]), None)


def _may_be_module(context: Context, owner: ast.expr) -> bool:
    """Whether a module is among what has the attribute, as far as is known."""
    return any(isinstance(kind, v.Unknown) or may_be_instance_of(kind, {MODULE}) for kind in v.options(context.facts.value(owner)))


def _put(context: Context, statement: ast.Assign, kind: str, owner: ast.expr, given: ast.expr) -> None:
    whom, what = (context.editing.current(*context.editing.span(part)) for part in (owner, given))
    context.editing.replace(*context.editing.span(statement), f'{context.definition(KNOWLEDGE, PUT)}({whom}, "{kind}", {what})')


def _bear(context: Context, born: ast.Call, cls: ast.expr) -> None:
    context.editing.replace(*context.editing.span(born), f"{context.definition(KNOWLEDGE, BARE)}({context.editing.current(*context.editing.span(cls))})")
