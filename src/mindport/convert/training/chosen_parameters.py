"""Whether the parameters that an optimizer is given were chosen among those of a module: ``[p for n, p in net.named_parameters() if "lora" in n]``.

The rest has gradients in torch, too, which nobody clears. Two choices that complete each other (``if any(…)`` and ``if not any(…)``: with and without
weight decay) are the whole, and so is what leaves out the frozen ones alone, which have none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.training.names import FUNCTIONS, own_nodes
from mindport.inference import values as v
from mindport.inference.facts import Facts

_PARAMETERS = ("parameters", "named_parameters")
_PAIRS = ((ast.In, ast.NotIn), (ast.Lt, ast.GtE), (ast.Gt, ast.LtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot))
_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {**{one: other for one, other in _PAIRS}, **{other: one for one, other in _PAIRS}}


def are_chosen(facts: Facts, tree: ast.AST, given: ast.expr) -> bool:
    """Whether an expression that an optimizer is made of, or what its names stand for in the file, or a function that it calls, chooses or names single parameters."""
    return _choose(facts, [given, *_named(facts, tree, given)])


def _choose(facts: Facts, nodes: list[ast.AST]) -> bool:
    parts = [part for node in nodes for part in ast.walk(node)]
    if any(_is_single(facts, part) or _is_own(facts, part) for part in parts):
        return True
    tests = {ast.unparse(test): test for part in parts for test in _tests(part)}
    return any(not _is_of_frozen(test) and _opposite(test) not in tests for test in tests.values())


def _named(facts: Facts, tree: ast.AST, given: ast.expr) -> Iterator[ast.AST]:
    """What the expression's names were assigned, and the functions that it calls."""
    names = {part.id for part in ast.walk(given) if isinstance(part, ast.Name)}
    for part in ast.walk(tree):
        if isinstance(part, ast.Assign) and any(isinstance(target, ast.Name) and target.id in names for target in part.targets) and _reads_parameters(part.value):
            yield part.value
        elif isinstance(part, ast.For) and _reads_parameters(part.iter) and any(_is_filled(node) in names for node in ast.walk(part)):
            yield part
    for part in ast.walk(given):
        for kind in v.options(facts.value(part.func)) if isinstance(part, ast.Call) else ():
            if isinstance(kind, v.ProjectFunction) and isinstance(kind.scope.node, FUNCTIONS) and _reads_parameters(kind.scope.node):
                yield kind.scope.node


def _is_filled(node: ast.AST) -> str | None:
    """The list of ``params.append(p)``."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "add" | "extend")):
            return name
    return None


def _reads_parameters(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr in _PARAMETERS for part in ast.walk(node))


def _tests(node: ast.AST) -> Iterator[ast.expr]:
    """What a comprehension over parameters, `filter`, a generator function or a loop that fills a list asks before it takes one."""
    match node:
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            if _reads_parameters(node):
                yield from (test for part in node.generators for test in part.ifs)
        case ast.Call(func=ast.Name(id="filter"), args=[ast.Lambda(body=test), source]) if _reads_parameters(source):
            yield test
        case ast.For(iter=source, body=body) if _reads_parameters(source):
            for branch in body:
                if isinstance(branch, ast.If) and not branch.orelse:
                    taken = any(isinstance(part, ast.Yield) or _is_filled(part) for part in own_nodes(branch))
                    if taken or isinstance(branch.body[0], ast.Continue):
                        yield branch.test


def _opposite(test: ast.expr) -> str:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return ast.unparse(inner)
        case ast.Compare(left=left, ops=[how], comparators=[right]):
            return ast.unparse(ast.Compare(left, [_OPPOSITES[type(how)]()], [right]))
    return ast.unparse(ast.UnaryOp(op=ast.Not(), operand=test))


def _is_of_frozen(test: ast.expr) -> bool:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    return isinstance(test, ast.Attribute) and test.attr == "requires_grad"


def _is_own(facts: Facts, node: ast.AST) -> bool:
    """``net.parameters()`` of a class that defines `parameters` or `named_parameters` itself."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=method)) if method in _PARAMETERS:
            kinds = [kind.cls.scope for kind in v.options(facts.value(owner)) if isinstance(kind, v.ProjectInstance)]
            return any(name in scope.names for kind in kinds for scope in kind.mro for name in _PARAMETERS)
    return False


def _is_single(facts: Facts, node: ast.AST) -> bool:
    """``net.head.weight`` in a list."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return False
    kinds = v.options(facts.value(node))
    return all(isinstance(kind, v.TensorValue) and kind.parameter for kind in kinds) and isinstance(node.value, ast.Attribute | ast.Name | ast.Subscript)
