"""Arrays that share their memory with tensors, and where such an array is changed in place.

An array is *handed over* where a tensor is made on its memory. Which arrays are the same is told by names: a local name's
own assignments, an attribute's name in all of the project, a function's parameter by what its callers give.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.context import Files
from mindport.convert.training.callers import scopes_in
from mindport.convert.training.names import own_nodes
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile

#: Methods of NumPy's arrays that change them, and functions that change what stands first, or what `out` names.
_METHODS = frozenset(("fill", "sort", "partition", "put", "itemset"))
_FUNCTIONS = frozenset(("shuffle", "copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis"))
#: Functions and methods of NumPy's that may give the same memory again.
_SAME = frozenset(("asarray", "ascontiguousarray", "reshape", "ravel", "transpose", "swapaxes", "squeeze", "view", "expand_dims", "atleast_1d", "atleast_2d", "moveaxis", "T", "flat"))
_LOOPS = (ast.For, ast.While, ast.AsyncFor)


class Arrays:
    """Questions about one project's arrays."""

    def __init__(self, project: Files) -> None:
        self.files = list(project)
        self.attributes = {target.attr for file, _ in self.files for target, node in changes(file.nodes) if isinstance(target, ast.Attribute) and not _in_init(file, node)}

    def changes_later(self, file: SourceFile, facts: Facts, scope: ast.AST, array: ast.expr, at: ast.AST, depth: int = 2) -> bool:
        """Whether an array that is handed over at a place of a function may be changed in place afterwards."""
        root = _root(array)
        if isinstance(root, ast.Attribute):
            return root.attr in self.attributes
        if not isinstance(root, ast.Name):
            return False
        nodes = list(own_nodes(scope))
        for target, node in changes(nodes):
            if isinstance(target, ast.Name) and target.id == root.id and (_line(node) > _line(at) or _same_loop(nodes, root.id, at, node)):
                return True
        bound = [n.value for n in nodes if isinstance(n, ast.Assign) for t in n.targets if isinstance(t, ast.Name) and t.id == root.id]
        if depth and any(self.changes_later(file, facts, scope, value, at, depth - 1) for value in bound if _root(value) is not value or isinstance(value, (ast.Name, ast.Attribute))):
            return True
        return bool(depth) and isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)) and self.callers_change(scope, root.id, depth - 1)

    def callers_change(self, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str, depth: int) -> bool:
        """Whether a caller changes what it gave for a parameter."""
        order = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
        if name not in order:
            return False
        for file, facts in self.files:
            for call in (n for n in file.nodes if isinstance(n, ast.Call)):
                for option in v.options(facts.value(call.func)):
                    target, skipped = (option.function, 1) if isinstance(option, v.Bound) else (option, 0)
                    if isinstance(target, v.ProjectFunction) and target.scope.node is function:
                        place = order.index(name) - skipped
                        given = [*call.args[place:place + 1], *(k.value for k in call.keywords if k.arg == name)] if place >= 0 else []
                        if any(self.changes_later(file, facts, scopes_in(file, call)[0], one, call, depth) for one in given):
                            return True
        return False


def changes(nodes: list[ast.AST] | tuple[ast.AST, ...]) -> Iterator[tuple[ast.expr, ast.AST]]:
    """(the name or attribute, or the call that gave the array; the statement or call) of all that may change an array in place."""
    for node in nodes:
        targets: list[ast.expr] = []
        match node:
            case ast.Assign():
                targets = [t for t in node.targets if isinstance(t, ast.Subscript)]
            case ast.AugAssign():
                targets = [node.target]
            case ast.Call(func=ast.Attribute(value=owner, attr=name), args=arguments, keywords=keywords):
                targets = [owner] if name in _METHODS else arguments[:1] if name in _FUNCTIONS else []
                targets = [*targets, *(k.value for k in keywords if k.arg == "out")]
        for target in targets:
            root = _root(target)
            if isinstance(root, (ast.Name, ast.Attribute, ast.Call)):
                yield root, node


def _root(node: ast.expr) -> ast.expr:
    """The name or attribute whose memory an expression shows; the expression itself where it makes memory of its own."""
    match node:
        case ast.Subscript(value=value):
            return _root(value)
        case ast.Attribute(value=value, attr=name) if name in _SAME:
            return _root(value)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np" | "numpy"), attr=name), args=[first, *_]) if name in _SAME:
            return _root(first)
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _SAME:
            return _root(value)
    return node


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def _same_loop(nodes: list[ast.AST], name: str, first: ast.AST, second: ast.AST) -> bool:
    """Whether a loop holds both places and does not bind the name anew: the next turn changes what this one handed over."""
    for loop in nodes:
        if isinstance(loop, _LOOPS):
            inside = list(ast.walk(loop))
            held = {id(n) for n in inside}
            bound = any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) and not _is_augmented(inside, n) for n in inside)
            if id(first) in held and id(second) in held and not bound:
                return True
    return False


def _is_augmented(nodes: list[ast.AST], name: ast.Name) -> bool:
    return any(isinstance(n, ast.AugAssign) and n.target is name for n in nodes)


def _in_init(file: SourceFile, node: ast.AST) -> bool:
    scope = scopes_in(file, node)[0]
    return isinstance(scope, ast.FunctionDef) and scope.name == "__init__"
