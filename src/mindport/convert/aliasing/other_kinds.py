"""Names, and what loops go through, that hold no tensor, because the text beside them asks for what only containers and arrays have.

``for key, value in batch.items(): batch[key] = value.to(device)`` puts something under a key of a mapping, whatever a loader gives: a tensor
has no `items`, and takes no text for an index. What stands on one branch says nothing about another one (``if isinstance(x, dict): … else: …``),
so a place counts only for what stands in the same block of statements, or further inside.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from mindport.convert.aliasing.liveness import bound_once
from mindport.source.file import SourceFile
from mindport.source.walking import children, walk

#: Methods of mappings, lists and NumPy's arrays of which PyTorch's tensors have none.
OF_OTHERS = frozenset(
    ["append", "astype", "copy", "extend", "get", "insert", "items", "keys", "pop", "popitem", "remove", "reverse", "setdefault", "tobytes", "tofile", "update"]
)
#: What is inside of these runs under a condition, or for something else of the same name.
_NOT_ALWAYS = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@lru_cache(maxsize=4096)
def places_of_others(file: SourceFile) -> frozenset[int]:
    """``id(node)`` of all names in a file that stand for something else than a tensor."""
    found: set[int] = set()
    for scope in file.nodes:
        if not isinstance(scope, (*_FUNCTIONS, ast.Module)):
            continue
        inside = walk(scope)
        if any(_evidence(node) for node in inside):
            single = bound_once(scope)
            _in_block(scope.body, frozenset(), single, found)
            found |= {id(part) for loop in inside if isinstance(loop, (ast.For, ast.AsyncFor)) and _gives_others(loop, single) for part in (loop.iter, loop.target)}
    return frozenset(found)


def _gives_others(loop: ast.For | ast.AsyncFor, single: frozenset[str]) -> bool:
    """Whether what a loop gives is no tensor, as its first statements show: then what it goes through has no rows that share its memory."""
    return isinstance(loop.target, ast.Name) and loop.target.id in single and any(loop.target.id in _asked_in(statement) for statement in _until_left(loop.body))


def _until_left(block: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a block that run whenever it does: up to one in which it may be left."""
    for statement in block:
        yield statement
        if any(isinstance(node, (ast.Continue, ast.Break, ast.Return, ast.Raise)) for node in walk(statement)):
            return


def _in_block(block: list[ast.stmt], known: frozenset[str], single: frozenset[str], found: set[int]) -> None:
    known |= {name for statement in block for name in _asked_in(statement) if name in single}
    for statement in block:
        if isinstance(statement, ast.Assign) and isinstance(target := statement.targets[0], ast.Tuple) and any(isinstance(part, ast.Name) and part.id in known for part in target.elts):
            found.add(id(statement.value))  # state, reward, done, info = env.step(action): info["score"] is of no tensor's row, so there is no tensor with rows
        found |= {id(node) for part in _header(statement) for node in walk(part) if isinstance(node, ast.Name) and node.id in known}
        for inner in _blocks(statement):
            _in_block(inner, known, single, found)


def _asked_in(statement: ast.stmt) -> Iterator[str]:
    """Names that a statement asks, whenever it runs, for what tensors lack."""
    waiting: list[ast.AST] = [] if isinstance(statement, _FUNCTIONS) else _header(statement)
    while waiting:
        node = waiting.pop()
        if isinstance(node, _NOT_ALWAYS):
            continue
        if name := _evidence(node):
            yield name
        waiting += children(node)


def _evidence(node: ast.AST) -> str:
    """The name that is no tensor if the node runs."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in OF_OTHERS:
            return name
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str()) | ast.JoinedStr()):
            return name
    return ""


def _header(statement: ast.stmt) -> list[ast.AST]:
    """The parts of a statement that are no statements."""
    return [part for part in ast.iter_child_nodes(statement) if not isinstance(part, (ast.stmt, ast.excepthandler, ast.match_case))]


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of statements inside of a statement."""
    for name in ("body", "orelse", "finalbody"):
        if inner := getattr(statement, name, None):
            yield inner
    for part in [*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]:
        yield part.body
