"""``clone._parameters = clone._parameters.copy()``: a module that goes on with other parameters, buffers or children (copies that are adapted: learn2learn, MAML).

MindSpore's cell has these dictionaries under other names: the assignment would give it an attribute that nothing reads, and the copy would go on sharing
the original's, without an error.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.context import MODULE, Context, Files
from mindport.convert.rewrites.private_state import keeps_own, may_be_module
from mindport.convert.scopes import scope_of
from mindport.inference.facts import Use

KNOWLEDGE, PUT, BARE = "mindport.layers.own_members", "put_members", "bare"
KINDS = ("_parameters", "_buffers", "_modules")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the assignments to a module's dictionaries, and the births without a constructor of what gets them: ``clone = module.__new__(type(module))``."""
    targets = [node for node in context.file.nodes if isinstance(node, ast.Attribute) and node.attr in KINDS and isinstance(node.ctx, ast.Store)]
    born = dict(_born(context)) if targets else {}
    given = set[tuple[str, int]]()
    for node in targets:
        name = (node.value.id, id(scope_of(context, node))) if isinstance(node.value, ast.Name) else None
        if name not in born and (not may_be_module(context, node.value) or keeps_own(context, node)):
            continue
        statement = context.parents.get(id(node))
        if isinstance(statement, ast.Assign) and statement.targets == [node]:
            context.plan(statement, lambda s=statement, t=node: _put(context, s, t), last=True)  # type: ignore[misc]
            if name is not None:
                given.add(name)
        elif not isinstance(statement, ast.AnnAssign) or statement.value is not None:
            api = f"{MODULE}.{node.attr}"
            context.report("MP101", f"{api}: nn.Cell keeps no such dictionary; store into it in a statement of its own", node, api=api, mark=True)
    for birth in (born[name] for name in given & born.keys()):
        context.plan(birth, lambda b=birth: _bear(context, b), last=True)  # type: ignore[misc]


def _born(context: Context) -> Iterator[tuple[tuple[str, int], ast.Call]]:
    """Names with their scopes that are bound to what no constructor has run for, and the calls."""
    for node in context.file.nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(attr="__new__"), args=[_], keywords=[]) as call):
                yield (name, id(scope_of(context, node))), call


def replaced_parameters(files: Files) -> ast.AST | None:
    """Where a project gives modules other parameters, which may have been computed: gradients go through them, wherever the module is called."""
    return next((target for file, _ in files for node in file.nodes if isinstance(node, ast.Assign) for target in node.targets if isinstance(target, ast.Attribute) and target.attr == KINDS[0]), None)


def _put(context: Context, statement: ast.Assign, target: ast.Attribute) -> None:
    whom, what = (context.editing.current(*context.editing.span(part)) for part in (target.value, statement.value))
    context.editing.replace(*context.editing.span(statement), f'{context.definition(KNOWLEDGE, PUT)}({whom}, "{target.attr}", {what})')


def _bear(context: Context, born: ast.Call) -> None:
    cls = context.editing.current(*context.editing.span(born.args[0]))
    context.editing.replace(*context.editing.span(born), f"{context.definition(KNOWLEDGE, BARE)}({cls})")
