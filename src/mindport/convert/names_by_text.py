"""``globals()[name]`` in a file that imports from torch: what is imported is bound there by its equivalent, too.

An import whose names nothing in the file uses goes, and with it what a text asks the module's own dictionary for (``from torch.optim import Adam``, then
``globals()[config.optimizer]``). The names are written out as values behind the imports, where they are converted as any other. They stand in the empty line
behind the last import, so that lines keep their numbers; where there is none, in one more line at the end.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from mindport import catalog
from mindport.inference import torchfacts
from mindport.source.file import SourceFile, parse

#: What gives a module's own dictionary, called with nothing.
_DICTIONARIES = frozenset(("globals", "vars", "locals"))


def named_by_text(file: SourceFile) -> SourceFile:
    """The file with such names as values; itself where no text asks for any."""
    imports = [statement for statement in file.tree.body if isinstance(statement, ast.ImportFrom) and not statement.level and statement.module]
    wanted = _wanted(file) if any((statement.module or "").partition(".")[0] == "torch" for statement in imports) else set()
    if wanted is not None and not wanted:
        return file
    found: dict[str, ast.ImportFrom] = {}
    for statement in imports:
        for alias in statement.names:
            local = alias.asname or alias.name
            if (wanted is None or local in wanted) and _is_known(f"{statement.module}.{alias.name}"):
                found[local] = statement
    if not found:
        return file
    lines = file.text.split("\n")
    last = max((s for s in file.tree.body if isinstance(s, (ast.Import, ast.ImportFrom))), key=lambda s: s.lineno).end_lineno or 0
    at = last if last < len(lines) - 1 and not lines[last].strip() else len(lines) - (not lines[-1])
    lines[at : at + 1] = [f"globals().update({', '.join(f'{name}={name}' for name in found)})"]
    text = "\n".join(lines)
    return replace(file, text=text, tree=parse(text))


def _is_known(name: str) -> bool:
    """Whether knowledge has a function or class of torch's."""
    canonical = torchfacts.canonical(name)
    fact = torchfacts.lookup(canonical)
    return fact is not None and fact.kind in ("class", "function") and any(entry.kind != "absent" for entry in catalog.load().find(canonical))


def _wanted(file: SourceFile) -> set[str] | None:
    """The names that texts ask the module's dictionary for; None for any."""
    found: set[str] = set()
    for key in _keys(file):
        if not isinstance(key, ast.Constant):
            return None
        found.add(str(key.value))
    return found


def _keys(file: SourceFile) -> Iterator[ast.expr]:
    for node in file.nodes:
        match node:
            case ast.Subscript(value=of, slice=key, ctx=ast.Load()) if _is_dictionary(of):
                yield key
            case ast.Call(func=ast.Attribute(value=of, attr="get"), args=[key, *_]) if _is_dictionary(of):
                yield key
            case ast.Call(func=ast.Name(id="getattr"), args=[ast.Subscript(value=ast.Attribute(value=ast.Name(id="sys"), attr="modules"), slice=ast.Name(id="__name__")), key, *_]):
                yield key


def _is_dictionary(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _DICTIONARIES and not node.args and not node.keywords
