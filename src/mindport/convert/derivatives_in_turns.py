"""``sum(grad(f[:, i].sum(), z, create_graph=True)[0][:, i] for i in range(d))``: a derivative for each turn of an expression is a loop's, before anything else is converted.

Derivatives that are differentiated again become functions of the statements around them (`training/derivatives.py`), and the turns of a comprehension have no
statement: ``parts = []``, ``for i in range(d): parts.append(…)``, then ``sum(parts)``. Python evaluates the comprehension where it stands; the loop runs before the
rest of the statement, so that what is evaluated earlier may do nothing but compute.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from mindport.convert.training.callers import parents_in
from mindport.convert.training.second_order import GRAD, keeps_graph
from mindport.inference.facts import Facts
from mindport.source.apart import alone
from mindport.source.file import SourceFile
from mindport.source.rewritten import Rewritten, rewritten
from mindport.source.walking import walk

_TURNS = (ast.ListComp, ast.GeneratorExp, ast.DictComp)
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)
#: What does more than compute.
_DOES = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
#: What evaluates a part of itself not at all, or more than once.
_NOT_ONCE = (ast.Lambda, ast.IfExp, ast.BoolOp, ast.SetComp, ast.Compare, *_DOES)
#: Builtins that take all of a generator at once.
_ALL = frozenset(("sum", "list", "tuple"))
_STEP = "    "


@dataclass(frozen=True)
class Turns:
    """A comprehension in its statement, and the function or module around."""

    node: ast.ListComp | ast.GeneratorExp | ast.DictComp
    statement: ast.stmt
    scope: ast.AST


def derivatives_in_turns(file: SourceFile, facts: Facts) -> SourceFile:
    """The file with loops in the place of expressions that take a derivative each turn; itself where there are none, or one has to stay."""
    if file.cells:  # the cells' places are those of lines
        return file
    calls = {id(use.node): use.name for use in facts.uses}
    found: dict[int, Turns] = {}
    for use in facts.uses:
        if use.name == GRAD and isinstance(use.node, ast.Call) and keeps_graph(use.node):
            turns = _around(file, use.node)
            if turns is not None and _may_run_first(turns, calls):
                found.setdefault(turns.statement.lineno, turns)
    changes, named = list[Rewritten](), dict[int, set[str]]()
    for turns in found.values():
        if (change := _looped(file, turns, named.setdefault(id(turns.scope), set()))) is not None:
            changes.append(change)
    return rewritten(file, changes) if changes else file


def _around(file: SourceFile, call: ast.Call) -> Turns | None:
    """The outermost comprehension around a call, in a statement that has a line of its own."""
    parents, outermost = parents_in(file), None
    inner: ast.AST = call
    while not isinstance(inner, ast.stmt):
        if isinstance(inner, _TURNS):
            outermost = inner
        inner = parents[id(inner)]
    if outermost is None or not isinstance(inner, _SIMPLE) or not alone(file, inner):
        return None
    scope = parents.get(id(inner))
    while scope is not None and not isinstance(scope, (*_SCOPES, ast.ClassDef)):
        scope = parents.get(id(scope))
    return Turns(outermost, inner, scope) if isinstance(scope, _SCOPES) else None


def _may_run_first(turns: Turns, calls: dict[int, str]) -> bool:
    """Whether the statement evaluates the comprehension once, and before it nothing that does more than compute."""
    node = turns.node
    if any(generator.is_async for generator in node.generators) or any(isinstance(part, (ast.NamedExpr, ast.Await, ast.Yield)) for part in walk(node)):
        return False
    above: ast.AST = turns.statement if isinstance(turns.statement, ast.AugAssign) else turns.statement.value  # type: ignore[attr-defined]
    while above is not node:
        if isinstance(above, (*_NOT_ONCE, *_TURNS)):
            return False
        children = list(ast.iter_child_nodes(above))
        place = next(i for i, child in enumerate(children) if any(part is node for part in walk(child)))
        if not all(_computes(part, calls) for child in children[:place] for part in walk(child)):
            return False
        if children[place] is node and isinstance(node, ast.GeneratorExp) and not _takes_all(above):
            return False
        above = children[place]
    return not (isinstance(node, ast.GeneratorExp) and turns.statement.value is node)  # type: ignore[attr-defined]


def _takes_all(call: ast.AST) -> bool:
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in _ALL and not call.keywords


def _computes(part: ast.AST, calls: dict[int, str]) -> bool:
    """Whether a part changes nothing: no call but the library's, and of those none in place."""
    if isinstance(part, ast.Call):
        return id(part) in calls and not calls[id(part)].endswith("_")
    return not isinstance(part, _DOES)


def _looped(file: SourceFile, turns: Turns, named: set[str]) -> Rewritten | None:
    """The lines in the place of the statement's; None where the loop's names would mean something else. `named`: names that other loops of the function have."""
    node, statement = turns.node, turns.statement
    around = _names_around(turns)
    renamed = _renamed(node, around)
    if renamed is None:
        return None
    taken = around | {n.id for n in walk(node) if isinstance(n, ast.Name)} | set(renamed.values())
    target = statement.targets[0].id if isinstance(statement, ast.Assign) and statement.value is node and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name) else ""
    whole = bool(target) and not any(isinstance(n, ast.Name) and n.id == target for n in walk(node))
    name = target if whole else _fresh("parts", taken | named)
    named.add(name)
    start, end = file.offsets(statement)
    indent = file.text[file.text.rfind("\n", 0, start) + 1 : start]
    step = "\t" if indent.startswith("\t") else _STEP
    lines: list[tuple[str, int]] = [(f"{indent}{comment}", line) for comment, line in _comments(file, node)]
    lines.append((f"{indent}{name} = {'{}' if isinstance(node, ast.DictComp) else '[]'}", statement.lineno))
    for generator in node.generators:
        lines += _numbered(f"{indent}for {_text(file, generator.target, renamed)} in {_held(_text(file, generator.iter, renamed))}:", generator.target.lineno)
        indent += step
        for condition in generator.ifs:
            lines += _numbered(f"{indent}if {_held(_text(file, condition, renamed))}:", condition.lineno)
            indent += step
    if isinstance(node, ast.DictComp):
        lines += _numbered(f"{indent}{name}[{_text(file, node.key, renamed)}] = {_held(_text(file, node.value, renamed))}", node.value.lineno)
    else:
        lines += _numbered(f"{indent}{name}.append({_text(file, node.elt, renamed)})", node.elt.lineno)
    if not whole:
        first, last = file.offsets(node)
        opening = isinstance(node, ast.GeneratorExp) and file.text[first] == "(" and _shares_brackets(file, node)
        rest = file.text[start:first] + ("(" if opening else "") + name + (")" if opening else "") + file.text[last:end]
        lines += _numbered(file.text[file.text.rfind("\n", 0, start) + 1 : start] + rest, statement.lineno)
    return Rewritten(statement.lineno, statement.end_lineno or statement.lineno, tuple(lines))


def _shares_brackets(file: SourceFile, node: ast.GeneratorExp) -> bool:
    """``sum(x for x in xs)``: the call's brackets are the generator's."""
    before = file.text[: file.offsets(node)[0]].rstrip()
    return before.endswith(tuple(_ALL))


def _names_around(turns: Turns) -> set[str]:
    """The names of the function or module, without those that a comprehension has for itself."""
    own = {id(part) for part in walk(turns.node)}
    for made in walk(turns.scope):
        if isinstance(made, (*_TURNS, ast.SetComp)):
            bound = {n.id for generator in made.generators for n in walk(generator.target) if isinstance(n, ast.Name)}
            own |= {id(n) for n in walk(made) if isinstance(n, ast.Name) and n.id in bound}
    return {n.id if isinstance(n, ast.Name) else n.arg for n in walk(turns.scope) if isinstance(n, (ast.Name, ast.arg)) and id(n) not in own}


def _numbered(text: str, line: int) -> list[tuple[str, int]]:
    return [(part, line + i) for i, part in enumerate(text.split("\n"))]


def _renamed(node: ast.ListComp | ast.GeneratorExp | ast.DictComp, around: set[str]) -> dict[str, str] | None:
    """New names for what the turns bind and the function around names, too; None where a part inside binds such a name again."""
    bound = [n.id for generator in node.generators for n in walk(generator.target) if isinstance(n, ast.Name)]
    again = {n.arg for n in walk(node) if isinstance(n, ast.arg)} | {
        n.id for part in walk(node) if isinstance(part, ast.comprehension) and part not in node.generators for n in walk(part.target) if isinstance(n, ast.Name)
    }
    if any(not isinstance(n, (ast.Name, ast.Tuple, ast.List, ast.Starred, ast.expr_context)) for generator in node.generators for n in walk(generator.target)) or set(bound) & again:
        return None
    first = {n.id for n in walk(node.generators[0].iter) if isinstance(n, ast.Name)}
    taken = around | {n.id for n in walk(node) if isinstance(n, ast.Name)}
    if set(bound) & first:  # ``for x in x.parts``: that one is the name around
        return None
    return {name: _fresh(name, taken) for name in bound if name in around}


def _fresh(name: str, taken: set[str]) -> str:
    return next(new for n in range(len(taken) + 2) if (new := name if not n else f"{name}_{n + 1}") not in taken)


def _text(file: SourceFile, node: ast.expr, renamed: dict[str, str]) -> str:
    """The text of a part with the loop's names."""
    start, end = file.offsets(node)
    text, at = "", start
    for name in sorted((n for n in walk(node) if isinstance(n, ast.Name) and n.id in renamed), key=lambda n: (n.lineno, n.col_offset)):
        first, last = file.offsets(name)
        text, at = text + file.text[at:first] + renamed[name.id], last
    return text + file.text[at:end]


def _held(text: str) -> str:
    """A text of several lines in brackets, which it lost."""
    return f"({text})" if "\n" in text else text


def _comments(file: SourceFile, node: ast.expr) -> Iterator[tuple[str, int]]:
    """Comments between the parts of a comprehension: they go before the loop."""
    kept = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]  # type: ignore[attr-defined]
    for generator in node.generators:  # type: ignore[attr-defined]
        kept += [generator.target, generator.iter, *generator.ifs]
    start, end = file.offsets(node)
    spans = [file.offsets(part) for part in kept]
    head = file.text[:start].count("\n")
    for token in tokenize.generate_tokens(io.StringIO(f"({file.text[start:end]}\n)").readline):
        if token.type == tokenize.COMMENT:
            at = file.text.index(token.string, start)
            if not any(first <= at < last for first, last in spans):
                yield token.string, head + token.start[0]
