"""Which local names are read after each statement of a function: liveness, backwards over the syntax tree.

Textbook dataflow (Aho et al., Compilers, 9.2.5) on structured code. ``try`` is treated as if control could leave its
body after every statement; names that a nested function or a lambda reads are read for ever.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import lru_cache

from mindport.source.main_block import is_main_block
from mindport.source.walking import children, walk

NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclass
class Liveness:
    """Names read after a statement, by ``id(statement)``."""

    after: dict[int, frozenset[str]] = field(default_factory=dict)
    closed_over: frozenset[str] = frozenset()

    def reads(self, name: str, statement: ast.stmt) -> bool:
        """Whether the value that `name` has after `statement` may be read."""
        return name in self.closed_over or name in self.after.get(id(statement), frozenset())


def liveness(scope: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module) -> Liveness:
    """Liveness in one function, or in a module's own statements (whose names are read by importers, but for
    those that only ``if __name__ == "__main__":`` knows)."""
    found = Liveness()
    body = scope.body if isinstance(scope.body, list) else []
    outer = frozenset(_global_names(scope))
    nested = {name for node in _own_nodes(scope) if isinstance(node, NESTED) for name in _loads(node)}
    if isinstance(scope, ast.Module):
        module_names = {n.id for s in body if not is_main_block(s) for n in ast.walk(s) if isinstance(n, ast.Name)}
        found.closed_over = frozenset(nested)
        outer = frozenset(name for name in module_names if not name.startswith("_"))
    else:
        found.closed_over = frozenset(nested) | outer
    _Backwards(found, outer).block(body, outer)
    return found


def _global_names(scope: ast.AST) -> set[str]:
    return {name for node in walk(scope) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}


def _own_nodes(scope: ast.AST) -> list[ast.AST]:
    """The nodes of a scope; nested scopes themselves, but not what they hold."""
    found: list[ast.AST] = []
    pending = children(scope)
    while pending:
        node = pending.pop()
        found.append(node)
        if not isinstance(node, NESTED):
            pending += children(node)
    return found


def _loads(node: ast.AST | None) -> frozenset[str]:
    if node is None:
        return frozenset()
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))


def stored_names(target: ast.expr) -> frozenset[str]:
    """The names that an assignment to `target` binds."""
    return frozenset(n.id for n in ast.walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


@lru_cache(maxsize=4096)
def bound_once(scope: ast.AST) -> frozenset[str]:
    """Names that are bound in one place of the function, or are parameters or names from outside."""
    counts: dict[str, int] = {}
    nodes = walk(scope)
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            counts[node.id] = counts.get(node.id, 0) + 1
        elif isinstance(node, ast.arg):
            counts[node.arg] = counts.get(node.arg, 0) + 1
        if isinstance(node, ast.comprehension):  # it binds a name many times, and elsewhere that is not there
            counts |= {part.id: 2 for part in ast.walk(node.target) if isinstance(part, ast.Name)}
    loads = {node.id for node in nodes if isinstance(node, ast.Name)}
    return frozenset(name for name in loads | counts.keys() if counts.get(name, 0) <= 1)


class _Backwards:
    def __init__(self, found: Liveness, at_exit: frozenset[str]) -> None:
        self.found = found
        self.at_exit = at_exit
        self.breaks: list[frozenset[str]] = []
        self.continues: list[frozenset[str]] = []
        self.raises: list[frozenset[str]] = []

    def block(self, statements: list[ast.stmt], out: frozenset[str]) -> frozenset[str]:
        """Names read from the start of the block on, given those read after it."""
        for statement in reversed(statements):
            extra = self.raises[-1] if self.raises else frozenset()
            self.found.after[id(statement)] = self.found.after.get(id(statement), frozenset()) | out | extra
            out = self.before(statement, out | extra)
        return out

    def before(self, s: ast.stmt, out: frozenset[str]) -> frozenset[str]:
        """Names read from the start of one statement on."""
        match s:
            case ast.Return():
                return self.at_exit | _loads(s.value)
            case ast.Raise():
                return (self.raises[-1] if self.raises else self.at_exit) | _loads(s)
            case ast.Break():
                return self.breaks[-1] if self.breaks else out
            case ast.Continue():
                return self.continues[-1] if self.continues else out
            case ast.Assign():
                bound = frozenset().union(*(stored_names(t) for t in s.targets))
                return (out - bound) | _loads(s)
            case ast.AnnAssign() if s.value is not None:
                return (out - stored_names(s.target)) | _loads(s.value) | _loads(s.target)
            case ast.AugAssign():
                return out | _loads(s) | stored_names(s.target)
            case ast.If():
                return self.block(s.body, out) | self.block(s.orelse, out) | _loads(s.test)
            case ast.For() | ast.AsyncFor():
                return self.loop(s, out, _loads(s.iter), stored_names(s.target))
            case ast.While():
                return self.loop(s, out, _loads(s.test), frozenset())
            case ast.With() | ast.AsyncWith():
                inside = self.block(s.body, out)
                for item in reversed(s.items):
                    inside = (inside - (stored_names(item.optional_vars) if item.optional_vars else frozenset())) | _loads(item.context_expr)
                return inside
            case ast.Match():
                return out.union(_loads(s.subject), *(self.block(case.body, out) | _loads(case.guard) for case in s.cases))
            case _ if isinstance(s, ast.Try) or type(s).__name__ == "TryStar":
                return self.attempt(s, out)  # type: ignore[arg-type]
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return (out - {s.name}) | _loads(s)
        return out | _loads(s)

    def loop(self, s: ast.For | ast.AsyncFor | ast.While, out: frozenset[str], head: frozenset[str], bound: frozenset[str]) -> frozenset[str]:
        """A loop's body runs any number of times; ``break`` leaves for what follows the loop."""
        end = self.block(s.orelse, out) | out
        entry = end | head
        while True:
            self.breaks.append(out)
            self.continues.append(entry)
            inside = self.block(s.body, entry)
            self.breaks.pop()
            self.continues.pop()
            grown = entry | (inside - bound) | head
            if grown == entry:
                return entry
            entry = grown

    def attempt(self, s: ast.Try, out: frozenset[str]) -> frozenset[str]:
        """``try``: what handlers and ``finally`` read may be read after every statement of the body."""
        final = self.block(s.finalbody, out)
        outer = self.raises[-1] if self.raises else frozenset()
        self.raises.append(final | outer | self.at_exit)
        handlers = frozenset().union(*(self.block(h.body, final) | _loads(h.type) for h in s.handlers))
        self.raises[-1] |= handlers
        inside = self.block(s.body, self.block(s.orelse, final))
        self.raises.pop()
        return inside | handlers
