"""``self.u = net(x); self.u_x = grad(self.u, x, create_graph=True)[0]``: what is differentiated gets a name of the function: ``u = net(x)``, ``self.u = u``, ``grad(u, x, …)``."""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.derivative_forms.placed import fresh, indent_of, names_around, scope_of
from mindport.convert.derivative_forms.taken import derivatives, outputs
from mindport.inference.facts import Facts
from mindport.source import edits
from mindport.source.apart import alone
from mindport.source.edits import Edit
from mindport.source.file import SourceFile, parse
from mindport.source.rewritten import Rewritten, rewritten
from mindport.source.walking import walk

_SELF = "self"


def attributes(file: SourceFile, facts: Facts) -> SourceFile:
    """The file with such names; itself where there are none, or where an attribute is set in another way, too."""
    reads: dict[int, Edit] = {}
    named: dict[tuple[int, str], str] = {}
    stores: dict[int, tuple[ast.Assign, str]] = {}
    for call in derivatives(file, facts):
        scope = scope_of(file, call)
        if not isinstance(scope, ast.FunctionDef):
            continue
        for read in (n for output in outputs(facts, call) for n in walk(output) if _attribute(n) and isinstance(n.ctx, ast.Load)):  # type: ignore[attr-defined]
            made = _made(file, scope, read.attr)  # type: ignore[attr-defined]
            if made is not None and made.lineno < call.lineno:
                name = named.setdefault((id(scope), read.attr), fresh(read.attr, names_around(scope, call)))  # type: ignore[attr-defined]
                stores[id(made)] = made, name
                begin, end = file.offsets(read)  # type: ignore[arg-type]
                reads[id(read)] = Edit(begin, end, file.text[begin:end], name)
    if not reads:
        return file
    text = edits.apply(file.text, list(reads.values()))
    now = replace(file, text=text, tree=parse(text))
    return rewritten(now, [_named(now, made, name) for made, name in stores.values()])


def _named(file: SourceFile, made: ast.Assign, name: str) -> Rewritten:
    """The statement sets the name, one behind it the attribute; lines are what they were."""
    last = made.end_lineno or made.lineno
    target = made.targets[0]
    lines = [(file.line(number), number) for number in range(made.lineno, last + 1)]
    indent = indent_of(file, made)
    first = f"{indent}{name}{lines[0][0][target.end_col_offset :]}"
    return Rewritten(made.lineno, last, ((first, made.lineno), *lines[1:], (f"{indent}{ast.unparse(target)} = {name}", last)))


def _attribute(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == _SELF


def _made(file: SourceFile, scope: ast.FunctionDef, attribute: str) -> ast.Assign | None:
    """The only statement of a function that sets the attribute, in the function's own block."""
    stores = [n for n in walk(scope) if isinstance(n, ast.Attribute) and n.attr == attribute and not isinstance(n.ctx, ast.Load)]
    found = [s for s in scope.body if isinstance(s, ast.Assign) and len(s.targets) == 1 and _attribute(s.targets[0]) and s.targets[0] in stores]
    return found[0] if len(stores) == 1 and found and alone(file, found[0]) else None
