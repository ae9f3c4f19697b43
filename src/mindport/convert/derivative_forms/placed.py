"""Where an expression stands in its statement, and whether it may be computed before the rest of it."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from mindport.convert.training.callers import parents_in
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.apart import alone
from mindport.source.file import SourceFile
from mindport.source.rewritten import Rewritten
from mindport.source.walking import walk

SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)
TURNS = (ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.SetComp)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)
#: What does more than compute.
_DOES = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
#: What evaluates a part of itself not at all, or more than once.
_NOT_ONCE = (ast.Lambda, ast.IfExp, ast.BoolOp, ast.Compare, *TURNS, *_DOES)
#: Builtins that take all of an iterator at once.
_ALL = frozenset(("sum", "list", "tuple", "dict"))


def scope_of(file: SourceFile, node: ast.AST) -> ast.AST | None:
    """The function or the module around a node; None in a class."""
    parents = parents_in(file)
    above = parents.get(id(node))
    while above is not None and not isinstance(above, (*SCOPES, ast.ClassDef, ast.Lambda)):
        above = parents.get(id(above))
    return above if isinstance(above, SCOPES) else None


def simple_statement(file: SourceFile, node: ast.AST) -> ast.stmt | None:
    """The simple statement that an expression stands in, if it has its lines for itself, in a function or the module."""
    parents = parents_in(file)
    inner = node
    while not isinstance(inner, ast.stmt):
        inner = parents[id(inner)]
    return inner if isinstance(inner, SIMPLE) and alone(file, inner) and scope_of(file, inner) is not None else None


def may_run_first(facts: Facts, node: ast.expr, top: ast.AST) -> bool:
    """Whether `top` evaluates an expression once, and before it nothing that does more than compute."""
    above = top
    while above is not node:
        if isinstance(above, _NOT_ONCE):
            return False
        children = list(ast.iter_child_nodes(above))
        place = next(i for i, child in enumerate(children) if any(part is node for part in walk(child)))
        if not all(_computes(facts, part) for child in children[:place] for part in walk(child)):
            return False
        above = children[place]
    return True


def takes_all(call: ast.AST | None) -> bool:
    """Whether a builtin is called that takes all of an iterator at once, and nothing else: ``sum(…)``."""
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in _ALL and not call.keywords


def names_around(scope: ast.AST, apart: ast.AST) -> set[str]:
    """The names of a function or module, those left out that a comprehension, or all of `apart`, has for itself."""
    own = {id(part) for part in walk(apart)}
    for made in walk(scope):
        if isinstance(made, TURNS):
            bound = {n.id for generator in made.generators for n in walk(generator.target) if isinstance(n, ast.Name)}
            own |= {id(n) for n in walk(made) if isinstance(n, ast.Name) and n.id in bound}
    return {n.id if isinstance(n, ast.Name) else n.arg for n in walk(scope) if isinstance(n, (ast.Name, ast.arg)) and id(n) not in own}


def fresh(name: str, taken: set[str]) -> str:
    """The name, with a number where it is taken."""
    return next(new for n in range(len(taken) + 2) if (new := name if not n else f"{name}_{n + 1}") not in taken)


def indent_of(file: SourceFile, statement: ast.stmt) -> str:
    """What stands before a statement that begins its line."""
    return file.line(statement.lineno)[: statement.col_offset]


def text_with(file: SourceFile, node: ast.expr, names: Mapping[str, str]) -> str:
    """The text of an expression with others in the place of some names."""
    start, end = file.offsets(node)
    text, at = "", start
    for name in sorted((n for n in walk(node) if isinstance(n, ast.Name) and n.id in names), key=lambda n: (n.lineno, n.col_offset)):
        first, last = file.offsets(name)
        text, at = text + file.text[at:first] + names[name.id], last
    return text + file.text[at:end]


def line_end(file: SourceFile, offset: int) -> int:
    """Where the line of an offset ends, a comment on it included."""
    end = file.text.find("\n", offset)
    return end if end >= 0 else len(file.text)


def function_in_place(file: SourceFile, statement: ast.stmt, text: str, follows: bool = False) -> Rewritten:
    """A function of these lines in the place of a statement, with the blank lines that a function has around it. `follows`: another one stands right above it."""
    indent, last = indent_of(file, statement), statement.end_lineno or statement.lineno
    lines = [(line, min(statement.lineno + i, last)) for i, line in enumerate(f"{indent}{text}".split("\n"))]
    before = [] if follows else _blank(file, statement.lineno, -1, indent)
    return Rewritten(statement.lineno, last, (*before, *lines, *_blank(file, last, 1, indent)))


def _blank(file: SourceFile, line: int, step: int, indent: str) -> list[tuple[str, int]]:
    """Blank lines that a function has before and behind it; none where a block or the file begins or ends, and under a comment."""
    beside = file.line(line + step)
    if not beside.strip() or not beside.startswith(indent) or beside.strip().startswith("#") or step < 0 and beside.rstrip().endswith(":"):
        return []
    return [("", line)] * (1 if indent else 2)


def _computes(facts: Facts, part: ast.AST) -> bool:
    """Whether a part changes nothing: no call but the library's, and of those none in place."""
    if isinstance(part, ast.Call):
        kinds = [kind.function if isinstance(kind, v.Bound) else kind for kind in v.options(facts.value(part.func))]
        return bool(kinds) and all(isinstance(kind, v.Api) and not kind.name.endswith("_") for kind in kinds)
    return not isinstance(part, _DOES)
