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

from mindport.convert.derivative_forms.placed import (
    fresh,
    indent_of,
    line_end,
    may_run_first,
    names_around,
    scope_of,
    simple_statement,
    takes_all,
    text_with,
)
from mindport.convert.derivative_forms.taken import derivatives
from mindport.convert.training.callers import parents_in
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile
from mindport.source.rewritten import Rewritten, rewritten
from mindport.source.walking import walk

_TURNS = (ast.ListComp, ast.GeneratorExp, ast.DictComp)
_STEP = "    "


def turns(file: SourceFile, facts: Facts) -> SourceFile:
    """The file with loops in the place of expressions that take a derivative each turn; itself where there are none, or one has to stay."""
    changes, named, lines = list[Rewritten](), dict[int, set[str]](), set[int]()
    for call in derivatives(file, facts):
        node = _outermost(file, call)
        statement = simple_statement(file, node) if node is not None else None
        if node is None or statement is None or statement.lineno in lines or not _may_be_looped(file, facts, node, statement):
            continue
        scope = scope_of(file, statement)
        assert scope is not None, "of a simple statement"
        if (change := _looped(file, node, statement, scope, named.setdefault(id(scope), set()))) is not None:
            lines.add(statement.lineno)
            changes.append(change)
    return rewritten(file, changes) if changes else file


def _outermost(file: SourceFile, call: ast.Call) -> ast.ListComp | ast.GeneratorExp | ast.DictComp | None:
    """The outermost comprehension that takes a call once a turn: what it begins with is taken once."""
    parents, found = parents_in(file), None
    inner: ast.AST = call
    while not isinstance(inner, ast.stmt):
        above = parents[id(inner)]
        if isinstance(above, _TURNS) and inner is not above.generators[0]:
            found = above
        elif isinstance(above, ast.comprehension) and inner is not above.iter:
            found = parents[id(above)]  # type: ignore[assignment]
        inner = above
    return found if isinstance(found, _TURNS) else None


def _may_be_looped(file: SourceFile, facts: Facts, node: ast.ListComp | ast.GeneratorExp | ast.DictComp, statement: ast.stmt) -> bool:
    if any(generator.is_async for generator in node.generators) or any(isinstance(part, (ast.NamedExpr, ast.Await, ast.Yield)) for part in walk(node)):
        return False
    if isinstance(node, ast.GeneratorExp) and not takes_all(parents_in(file).get(id(node))) and not _is_unpacked(statement, node):
        return False
    return may_run_first(facts, node, statement if isinstance(statement, ast.AugAssign) else statement.value)  # type: ignore[attr-defined]


def _is_unpacked(statement: ast.stmt, node: ast.expr) -> bool:
    """``a, b = (… for …)``"""
    return isinstance(statement, ast.Assign) and statement.value is node and all(isinstance(target, ast.Tuple | ast.List) for target in statement.targets)


def _looped(file: SourceFile, node: ast.ListComp | ast.GeneratorExp | ast.DictComp, statement: ast.stmt, scope: ast.AST, named: set[str]) -> Rewritten | None:
    """The lines in the place of the statement's; None where the loop's names would mean something else. `named`: names that other loops of the function have."""
    around = names_around(scope, node)
    renamed = _renamed(node, around)
    if renamed is None:
        return None
    taken = around | {n.id for n in walk(node) if isinstance(n, ast.Name)} | set(renamed.values())
    target = statement.targets[0].id if isinstance(statement, ast.Assign) and statement.value is node and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name) else ""
    whole = bool(target) and not any(isinstance(n, ast.Name) and n.id == target for n in walk(node))
    name = target if whole else fresh("parts", taken | named)
    named.add(name)
    start, end = file.offsets(statement)
    indent = indent_of(file, statement)
    step = "\t" if indent.startswith("\t") else _STEP
    lines: list[tuple[str, int]] = [(f"{indent}{comment}", line) for comment, line in _comments(file, node)]
    behind = file.text[end : line_end(file, end)]  # a comment on the statement's last line
    lines.append((f"{indent}{name} = {'{}' if isinstance(node, ast.DictComp) else '[]'}{behind if whole else ''}", statement.lineno))
    for generator in node.generators:
        lines += _numbered(f"{indent}for {text_with(file, generator.target, renamed)} in {_held(text_with(file, generator.iter, renamed))}:", generator.target.lineno)
        indent += step
        for condition in generator.ifs:
            lines += _numbered(f"{indent}if {_held(text_with(file, condition, renamed))}:", condition.lineno)
            indent += step
    if isinstance(node, ast.DictComp):
        lines += _numbered(f"{indent}{name}[{text_with(file, node.key, renamed)}] = {_held(text_with(file, node.value, renamed))}", node.value.lineno)
    else:
        lines += _numbered(f"{indent}{name}.append({text_with(file, node.elt, renamed)})", node.elt.lineno)
    if not whole:
        first, last = file.offsets(node)
        shared = isinstance(node, ast.GeneratorExp) and statement.value is not node and file.text[:first].rstrip()[-1:].isalnum()  # type: ignore[attr-defined]  # ``sum(x for x in xs)``: the call's brackets
        rest = file.text[start:first] + (f"({name})" if shared else name) + file.text[last:end] + behind
        lines += _numbered(indent_of(file, statement) + rest, statement.lineno)
    return Rewritten(statement.lineno, statement.end_lineno or statement.lineno, tuple(lines))


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
    return {name: fresh(name, taken) for name in bound if name in around}


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
