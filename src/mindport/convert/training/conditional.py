"""Optimizers that exist on some runs only: ``if args.gan: opt_d = Adam(…)``, and every use of it behind the same question."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mindport.convert.context import Context
from mindport.convert.training.names import FUNCTIONS, key, names, own_nodes
from mindport.convert.training.region import Obstacle, Region

_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Compare, ast.UnaryOp, ast.BoolOp, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)


def question(context: Context, region: Region, optimizer: ast.expr, uses: Sequence[ast.AST]) -> str | None:
    """The text of the question behind which an optimizer exists; None where it exists on every run that comes here.

    Raises Obstacle where it may not exist and no question says so.
    """
    if not uses or not all(_questions(context, use, region) for use in uses):
        return None
    bindings = _bindings(context, region, optimizer)
    if any(isinstance(b.value, ast.Constant) and b.value.value is None for b in bindings):
        return f"{ast.unparse(optimizer)} is not None"
    asked = [_questions(context, b, region) for b in bindings]
    if not bindings or not all(asked):
        return None
    text = ast.unparse(asked[0][0].test)
    if (
        len(bindings) == 1
        and all(any(ast.unparse(q.test) == text for q in _questions(context, use, region)) for use in uses)
        and all(isinstance(n, _PLAIN) for n in ast.walk(asked[0][0].test))
        and not _bound_after(region, asked[0][0])
    ):
        return text
    raise Obstacle(f"`{ast.unparse(optimizer)}` is bound on some ways only", bindings[0])


def own_question(region: Region, optimizer: ast.expr) -> str | None:
    """The text by which the step's function itself asks whether it got an optimizer (``def run(self, data, optimizer)``, then ``if optimizer is not None:``)."""
    text = ast.unparse(optimizer)
    for node in own_nodes(region.scope):
        match node:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]) if ast.unparse(left) == text:
                return f"{text} is not None"
            case ast.If(test=ast.Name() | ast.Attribute() as test) | ast.If(test=ast.UnaryOp(op=ast.Not(), operand=test)) if ast.unparse(test) == text:
                return text
    return None


def _bindings(context: Context, region: Region, optimizer: ast.expr) -> list[ast.Assign | ast.AnnAssign]:
    """Where the optimizer's name gets its value: in the step's own scope, else on the module's level; an attribute anywhere in the file."""
    wanted = key(optimizer)
    nodes = [own_nodes(region.scope), own_nodes(context.file.tree)] if isinstance(optimizer, ast.Name) else [context.file.nodes]
    for some in nodes:
        found = [n for n in some if isinstance(n, (ast.Assign, ast.AnnAssign)) and wanted in {key(t) for t in _targets(n)}]
        if found:
            return found
    return []


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _questions(context: Context, node: ast.AST, region: Region) -> list[ast.If]:
    """The if statements, innermost first, whose first branch holds a node and not the step."""
    found = []
    inner, above = node, context.parents.get(id(node))
    while above is not None and not isinstance(above, FUNCTIONS):
        if isinstance(above, ast.If) and inner in above.body and not any(n is region.call for n in ast.walk(above)):
            found.append(above)
        inner, above = above, context.parents.get(id(above))
    return found


def _bound_after(region: Region, question: ast.If) -> bool:
    """Whether the question may have another answer at the step than where the optimizer was made."""
    asked = {n.id for n in ast.walk(question.test) if isinstance(n, ast.Name)}
    later = [n for n in own_nodes(region.scope) if isinstance(n, ast.stmt) and n.lineno >= question.lineno and n is not question]
    return any(asked & set(names(n).stores) for n in later if isinstance(n, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.With)))
